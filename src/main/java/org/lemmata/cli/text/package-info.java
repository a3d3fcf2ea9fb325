/** Results as text and as JSON, and the exit code that goes with each. */
@NullMarked
package org.lemmata.cli.text;

import org.jspecify.annotations.NullMarked;

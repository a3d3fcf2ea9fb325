/** Results as text and as JSON, and their exit codes. */
@NullMarked
package org.lemmata.cli.text;

import org.jspecify.annotations.NullMarked;

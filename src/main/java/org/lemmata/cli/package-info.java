/** The command line. */
@NullMarked
package org.lemmata.cli;

import org.jspecify.annotations.NullMarked;

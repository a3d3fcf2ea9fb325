/** Terminal input and output during long work: progress, standard streams, Ctrl-C. */
@NullMarked
package org.lemmata.cli.terminal;

import org.jspecify.annotations.NullMarked;

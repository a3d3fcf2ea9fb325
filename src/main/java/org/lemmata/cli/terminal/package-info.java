/** What a terminal shows and asks for while long work goes on: progress, standard streams, Ctrl-C. */
@NullMarked
package org.lemmata.cli.terminal;

import org.jspecify.annotations.NullMarked;

/** How the strings of each construction are read and answered. */
@NullMarked
package org.lemmata.cli.run;

import org.jspecify.annotations.NullMarked;

/** Plots and tables of numbers as SVG, HTML and CSV. */
@NullMarked
package org.lemmata.report.plot;

import org.jspecify.annotations.NullMarked;

/** Plots and tables of numbers: as SVG, as text of the page, as CSV. */
@NullMarked
package org.lemmata.report.plot;

import org.jspecify.annotations.NullMarked;

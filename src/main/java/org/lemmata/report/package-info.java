/** The HTML page of results, with plots and tables. */
@NullMarked
package org.lemmata.report;

import org.jspecify.annotations.NullMarked;

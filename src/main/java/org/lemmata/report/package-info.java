/** The HTML page: plots and tables. */
@NullMarked
package org.lemmata.report;

import org.jspecify.annotations.NullMarked;

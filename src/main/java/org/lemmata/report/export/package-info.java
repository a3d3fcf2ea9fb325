/** The results for others than the page: summaries of pull requests, Bencher, Otava. */
@NullMarked
package org.lemmata.report.export;

import org.jspecify.annotations.NullMarked;

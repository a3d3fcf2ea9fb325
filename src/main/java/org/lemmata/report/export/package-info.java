/** Exports of results to other tools: summaries for pull requests, Bencher, Otava. */
@NullMarked
package org.lemmata.report.export;

import org.jspecify.annotations.NullMarked;

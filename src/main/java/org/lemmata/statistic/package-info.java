/** Measurements, intervals and the tests behind a verdict. */
@NullMarked
package org.lemmata.statistic;

import org.jspecify.annotations.NullMarked;

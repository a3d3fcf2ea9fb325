/**
 * The figures of Izzo, Nichani and Lee (2025): {@code SimpleTaskFigure} is about SimpleTask; {@code ModPTaskFigure} and
 * {@code Figure3} share runs of ModPTask. Beyond the paper, {@code NumberComparison}, {@code WordComparison} and
 * {@code BracketComparison} compare the length generalization of tasks.
 */
@NullMarked
package org.lemmata.figure.length;

import org.jspecify.annotations.NullMarked;

/**
 * The figures of Izzo, Nichani and Lee (2025) of trained models: each sentence about a figure is judged from recorded
 * cells.
 */
@NullMarked
package org.lemmata.claim.length.figure;

import org.jspecify.annotations.NullMarked;

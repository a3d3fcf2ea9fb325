/** The figures of Richard (2024) of trained models: each sentence about a figure is judged from recorded cells. */
@NullMarked
package org.lemmata.claim.depth.figure;

import org.jspecify.annotations.NullMarked;

/**
 * The figures of Boix-Adsera et al. (2024) of trained models: each sentence about a figure is judged from recorded
 * cells.
 */
@NullMarked
package org.lemmata.claim.symbol.figure;

import org.jspecify.annotations.NullMarked;

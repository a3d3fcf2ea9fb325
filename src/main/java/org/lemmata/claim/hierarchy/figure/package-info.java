/**
 * The figures of Hayakawa and Sato (2024) of trained models: each sentence about a figure is judged from recorded
 * cells.
 */
@NullMarked
package org.lemmata.claim.hierarchy.figure;

import org.jspecify.annotations.NullMarked;

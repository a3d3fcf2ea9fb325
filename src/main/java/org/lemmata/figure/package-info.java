/**
 * Claims about trained models: each sentence of a paper about a figure, judged from recorded cells. A figure's grid,
 * which lists the cells, is a YAML file in the package of its paper. The framework is in {@link org.lemmata.claim};
 * nothing imports this room, because {@link org.lemmata.claim.Claims} finds its
 * {@link org.lemmata.claim.ClaimProvider}s.
 */
@NullMarked
package org.lemmata.figure;

import org.jspecify.annotations.NullMarked;

/**
 * Claims about trained models. Each claim is a sentence of a paper about a figure, and is judged from recorded cells. A
 * figure's grid, which lists the cells, is a YAML file in the package of its paper. The framework is in
 * {@link org.lemmata.claim}. No other package imports this one: {@link org.lemmata.claim.Claims} finds its
 * {@link org.lemmata.claim.ClaimProvider}s.
 */
@NullMarked
package org.lemmata.figure;

import org.jspecify.annotations.NullMarked;

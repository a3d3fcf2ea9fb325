/**
 * The claims of Boix-Adsera et al. (2024), <i>When can transformers reason with abstract symbols?</i>
 *
 * <p>The guided tour: section 4.1's kernels are {@link org.lemmata.construct.symbol.AttentionKernel}, by quadrature
 * ({@link org.lemmata.construct.symbol.AttentionKernelDraws} by draws), and
 * {@link org.lemmata.construct.symbol.LinkedKernel}; proposition 4.3 is {@code FlowLimit}, by
 * {@link org.lemmata.construct.symbol.KernelGradientFlow} and
 * {@link org.lemmata.construct.symbol.KernelRidgeRegression}; and {@code WideNetworks} has the finite networks of
 * appendix H, {@link org.lemmata.construct.symbol.RandomFeatures}.
 *
 * <p>Section 4.2: {@code UnseenSymbols} is theorem 4.4, with the
 * {@link org.lemmata.construct.symbol.IdealizedEstimator} of appendix D; {@code RidgeBound} lemma 4.5;
 * {@code NonsingularLink} lemma 4.6 and {@code PermutationCondition} lemma 4.7, of N, the
 * {@link org.lemmata.construct.symbol.TemplateMatrix}; {@code GaussianIntegral} is claim E.2, and
 * {@code AttentionDerivatives} the table of appendix F.1
 * ({@link org.lemmata.construct.symbol.AttentionKernelDerivatives}). Appendix I: {@code PerceptronFailure} is theorem
 * I.2, {@code PermutedPerceptron} lemma I.7.
 *
 * <p>Section 5 and appendix J: {@code Copying}, on a {@code CopyingModel}. The figures are in
 * {@link org.lemmata.claim.symbol.figure}.
 */
@NullMarked
package org.lemmata.claim.symbol;

import org.jspecify.annotations.NullMarked;

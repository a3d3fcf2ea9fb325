/**
 * The claims of Boix-Adsera et al. (2024), <i>When can transformers reason with abstract symbols?</i>
 *
 * <p>The guided tour: section 4.1's kernels are {@link org.lemmata.construct.symbol.AttentionKernel}, computed by
 * quadrature ({@link org.lemmata.construct.symbol.AttentionKernelDraws} uses draws), and
 * {@link org.lemmata.construct.symbol.LinkedKernel}. Proposition 4.3 is {@code FlowLimit}, which uses
 * {@link org.lemmata.construct.symbol.KernelGradientFlow} and
 * {@link org.lemmata.construct.symbol.KernelRidgeRegression}. {@code WideNetworks} is about the finite networks of
 * appendix H, {@link org.lemmata.construct.symbol.RandomFeatures}.
 *
 * <p>Section 4.2: {@code UnseenSymbols} is theorem 4.4, with the
 * {@link org.lemmata.construct.symbol.IdealizedEstimator} of appendix D; {@code RidgeBound} is lemma 4.5;
 * {@code NonsingularLink} is lemma 4.6 and {@code PermutationCondition} lemma 4.7, both about the
 * {@link org.lemmata.construct.symbol.TemplateMatrix} N; {@code GaussianIntegral} is claim E.2, and
 * {@code AttentionDerivatives} the table of appendix F.1
 * ({@link org.lemmata.construct.symbol.AttentionKernelDerivatives}). Appendix I: {@code PerceptronFailure} is theorem
 * I.2, {@code PermutedPerceptron} lemma I.7.
 *
 * <p>Section 5 and appendix J: {@code Copying}, with a {@code CopyingModel}. The figures are in
 * {@link org.lemmata.claim.symbol.figure}.
 */
@NullMarked
package org.lemmata.claim.symbol;

import org.jspecify.annotations.NullMarked;

/**
 * The claims of Boix-Adsera et al. (2024), <i>When can transformers reason with abstract symbols?</i>
 *
 * <p>A guided tour: Section 4.1's kernels are {@link org.lemmata.construct.symbol.AttentionKernel}, computed by
 * quadrature ({@link org.lemmata.construct.symbol.AttentionKernelDraws} uses draws), and
 * {@link org.lemmata.construct.symbol.TokenSymmetricKernel}. {@code FlowLimit} tests proposition 4.3 with
 * {@link org.lemmata.construct.symbol.KernelGradientFlow} and
 * {@link org.lemmata.construct.symbol.KernelRidgeRegression}. {@code WideNetworks} tests the finite networks of
 * appendix H ({@link org.lemmata.construct.symbol.RandomFeatures}).
 *
 * <p>Section 4.2: {@code UnseenSymbols} tests theorem 4.4 with the
 * {@link org.lemmata.construct.symbol.IdealizedEstimator} of appendix D, and {@code RidgeBound} tests lemma 4.5.
 * {@code PermutationCondition} tests lemmas 4.6 and 4.7, which are about the
 * {@link org.lemmata.construct.symbol.TemplateMatrix} N. {@code GaussianIntegral} tests claim E.2.
 * {@code AttentionDerivatives} tests the table of appendix F.1
 * ({@link org.lemmata.construct.symbol.AttentionKernelDerivatives}). Appendix I: {@code PerceptronFailure} tests
 * theorem I.2 and lemma I.7.
 *
 * <p>Section 5 and appendix J: {@code Copying} measures how fast the losses of a {@code CopyingModel} decrease. The
 * claims about figures are in {@link org.lemmata.figure.symbol}.
 */
@NullMarked
package org.lemmata.claim.symbol;

import org.jspecify.annotations.NullMarked;

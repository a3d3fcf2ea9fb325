/**
 * The claims of Kim and Suzuki (2024), <i>Transformers Provably Solve Parity Efficiently with Chain of Thought</i>.
 *
 * <p>A guided tour: Section 2.1's tree is a {@link org.lemmata.index.ParityTree}, and its samples are
 * {@link org.lemmata.index.SignColumns}. {@link org.lemmata.task.parity.ParityTask} is the task for other models.
 * Section 2.2's transformer is {@link org.lemmata.model.parity.ParityTransformer}, with the masks of figure 3
 * ({@link org.lemmata.model.parity.ChainMask}) and a {@link org.lemmata.model.parity.ParityLink}. The gradient of
 * equation 6 at W = 0 is {@link org.lemmata.model.parity.InitialGradient}.
 *
 * <p>Section 3.1: {@code Hardness} tests theorems 1 and 2 by training with the adversarial oracle of appendix A
 * ({@link org.lemmata.model.parity.GradientOracle}), and proposition 3. {@code MeanParity} tests lemma 8.
 *
 * <p>Section 3.2, with teacher forcing: {@code Learning} tests theorem 5 with
 * {@link org.lemmata.construct.parity.TeacherForcing}. {@code GradientNorms} tests lemmas 4 and 6, and its claim
 * {@code LEADING} shows why theorem 5 works. {@code SampleComplexity} measures the number of samples that theorem 5
 * requires. {@code Concentration} tests lemmas 9 and 10.
 *
 * <p>Section 3.3, without teacher forcing: {@code Learning} also tests theorem 7 with
 * {@link org.lemmata.construct.parity.SelfConsistency}, corrected and in several number formats. {@code SampleEffects}
 * removes corrections, and tests the printed filter. {@code Separation} compares all ways to learn. The claims about
 * figure 4 and about a decoder trained on the task are in {@link org.lemmata.figure.parity}.
 */
@NullMarked
package org.lemmata.claim.parity;

import org.jspecify.annotations.NullMarked;

/**
 * The claims of Kim and Suzuki (2024), <i>Transformers Provably Solve Parity Efficiently with Chain of Thought</i>.
 *
 * <p>The guided tour: section 2.1's tree is a {@link org.lemmata.index.ParityTree}, its samples
 * {@link org.lemmata.index.SignColumns}, and {@link org.lemmata.task.parity.ParityTask} is the task for other models.
 * Section 2.2's transformer is {@link org.lemmata.model.parity.ParityTransformer}, with the masks of figure 3
 * ({@link org.lemmata.model.parity.ChainMask}) and a {@link org.lemmata.model.parity.ParityLink}; the gradient of
 * equation 6 at W = 0 is {@link org.lemmata.model.parity.InitialGradient}.
 *
 * <p>Section 3.1, hardness: {@code Hardness} and {@code FiniteSampleHardness} train by the adversarial oracle of
 * appendix A ({@link org.lemmata.model.parity.GradientOracle}), {@code GradientVariance} is proposition 3,
 * {@code MeanParity} lemma 8. Section 3.2: {@code Learning} is theorem 5 by
 * {@link org.lemmata.construct.parity.TeacherForcing}, {@code GradientNorms#LEADING} shows why it works,
 * {@code SampleComplexity} shows how many samples it needs, {@code GradientNorms} is lemmas 4 and 6, and
 * {@code Concentration} lemmas 9 and 10. Section 3.3: {@code Learning} is also theorem 7 by
 * {@link org.lemmata.construct.parity.SelfConsistency}: corrected, as printed, with each correction removed, and in
 * several number formats. {@code Separation} compares all ways to learn, and {@code GeneralTransformer} trains a
 * decoder on the task.
 */
@NullMarked
package org.lemmata.claim.parity;

import org.jspecify.annotations.NullMarked;

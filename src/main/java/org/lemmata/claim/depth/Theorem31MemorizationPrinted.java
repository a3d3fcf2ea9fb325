package org.lemmata.claim.depth;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lemmata.claim.Finding;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.RandomProjection;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;

/**
 * Richard (2024), theorem 3.1 as printed, with the E of its proof: one that keeps the distances of the tokens of s.
 *
 * <p>Read as "there is an E" it says nothing, since the logits grow with |E|². Three things are against it: epsilon is
 * not multiplied by v gamma / n, distances alone leave the norms open, and tokens that are not in s are left out.
 */
final class Theorem31MemorizationPrinted {

    static final FixedClaim CLAIM = Theorem31.fixed(
            new Statement(
                    "depth.theorem-3.1.printed",
                    SequenceMemorizerByProjection.SOURCE,
                    Form.PRINTED,
                    "With d >= 4 ln n / (epsilon²/2 - epsilon³/3) columns and an embedding that keeps the squared"
                            + " distances of the sequence's tokens within 1 ± epsilon (Eq. 7), the head completes any"
                            + " prefix of its training sequence to the sequence with probability at least 1 - nt exp(-v"
                            + " gamma / n + 2 epsilon)."),
            "; and two embeddings of 2 and 3 tokens that keep the one distance exactly",
            (cases, models) -> check(
                    Stream.concat(cases.stream(), Stream.of(withoutNorm(), withoutOtherTokens()))
                            .toList(),
                    models));

    private static final double EPSILON = 0.5;

    private Theorem31MemorizationPrinted() {}

    static Finding check(List<Theorem31.Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        for (Theorem31.Case one : cases) {
            int[] word = one.construction().word();
            double failure =
                    Memorization.of(models.apply(one.construction()), word).failure();
            double bound = one.printedBound();
            tally.require(
                    failure <= bound, () -> one.text() + ": fails with probability " + failure + " against " + bound);
            tally.atMost(
                    "probability of another sequence, " + one.text(), failure, "probability", word.length - 1L, bound);
        }
        return tally.finding("every probability of failure is within the printed bound", Theorem31.SEED);
    }

    /** E_1 = 0 and E_2 = (1, 1, 0, ...): at the right distance, and after the first token both logits are 0. */
    static Theorem31.Case withoutNorm() {
        double[][] embedding = new double[2][RandomProjection.minWidth(3, EPSILON)];
        embedding[1][0] = 1;
        embedding[1][1] = 1;
        return fixed(embedding, 1, 0);
    }

    /** Orthonormal E_1, E_2, and a third token, not in s, in E_2's direction and longer: it has the greater logit. */
    static Theorem31.Case withoutOtherTokens() {
        double[][] embedding = new double[3][RandomProjection.minWidth(4, EPSILON)];
        embedding[0][0] = 1;
        embedding[1][1] = 1;
        embedding[2][1] = 2;
        return fixed(embedding, 0, 1);
    }

    private static Theorem31.Case fixed(double[][] embedding, int... word) {
        var size = new Theorem31.Size(embedding.length, word.length, EPSILON);
        var vocabulary = Memorization.vocabulary(embedding.length);
        return new Theorem31.Case(size, new SequenceMemorizerByProjection(vocabulary, embedding, word, -0.5, -64), 0);
    }
}

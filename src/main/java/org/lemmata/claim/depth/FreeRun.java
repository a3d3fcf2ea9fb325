package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

/**
 * Two real-valued sequences that a head of width 1 continues by its own output: the setting of Richard (2024), section
 * 3.2, stability.
 *
 * <p>With y_r(z) = (v / r) sum_{i &lt;= r} (E_{z_i} + B_i), the output that the model gives as the logit of a token
 * with E = 1, the paper takes E_{z_{r+1}} = y_r(z) / (v gamma), for s and for z. Positions cancel in c_r = E_{s_r} -
 * E_{z_r}: sum_{i &lt;= r} c_i = r gamma c_{r+1}, so c_{r+1} = mu_r c_r with mu_r = (1 + (r - 1) gamma) / (r gamma).
 * The paper prints r + 1 for r - 1. By lemma 5.1 the output on s itself is v gamma E_{s_{r+1}} / r; continued so,
 * E_{z_{r+1}} = r y_r(z) / (v gamma), the factor is 1/gamma for r = 1 and 1 + 1/gamma from r = 2 on.
 */
final class FreeRun {

    /** Tokens with E = 1 and E = -1, of which the positions are made; then those of the two sequences. */
    private static final double[][] UNITS = {{1}, {-1}};

    private static final double FIRST_DIFFERENCE = 1;

    private FreeRun() {}

    /** (1 + (r - 1) gamma) / (r gamma). */
    static double factor(int r, double gamma) {
        return (1 + (r - 1) * gamma) / (r * gamma);
    }

    /** 1/gamma for r = 1, 1 + 1/gamma beyond: where outputs count r times. */
    static double scaledFactor(int r, double gamma) {
        return r == 1 ? 1 / gamma : 1 + 1 / gamma;
    }

    /** (1 + (r + 1) gamma) / (r gamma), as printed. */
    static double printedFactor(int r, double gamma) {
        return (1 + (r + 1) * gamma) / (r * gamma);
    }

    /**
     * c_1 = 1, ..., c_n.
     *
     * @param scaled whether outputs count r times, as they do on s by lemma 5.1
     */
    static double[] differences(
            int length, double gamma, boolean scaled, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        double v = Math.signum(gamma);
        double[][] embedding = Arrays.copyOf(UNITS, 2 + 2 * length);
        Arrays.fill(embedding, 2, embedding.length, new double[] {0});
        embedding[2] = new double[] {1};
        embedding[2 + length] = new double[] {1 - FIRST_DIFFERENCE};
        int[] word = IntStream.range(0, length).map(i -> i % 3 == 0 ? 0 : 1).toArray();
        var vocabulary = new Vocabulary(
                IntStream.range(0, embedding.length).mapToObj(Integer::toString).toList());
        double[] differences = new double[length];
        differences[0] = FIRST_DIFFERENCE;
        for (int r = 1; r < length; r++) {
            LanguageModel model =
                    models.apply(new SequenceMemorizerByProjection(vocabulary, embedding, word, gamma, v));
            List<int[]> sequences = new ArrayList<>();
            sequences.add(IntStream.range(2, 2 + r).toArray());
            sequences.add(IntStream.range(2 + length, 2 + length + r).toArray());
            double[] logits = model.logits(Batch.of(sequences));
            int columns = embedding.length;
            for (int sequence = 0; sequence < 2; sequence++) {
                double output = logits[((sequence + 1) * r - 1) * columns];
                embedding[2 + sequence * length + r] = new double[] {(scaled ? r : 1) * output / (v * gamma)};
            }
            differences[r] = embedding[2 + r][0] - embedding[2 + length + r][0];
        }
        return differences;
    }

    /**
     * The maximum distance of c_{r+1} from mu_r c_r, over a scale; beyond the tolerance it is a counterexample.
     *
     * @param factors mu_r by r
     */
    static double maximumError(
            double[] differences,
            double gamma,
            double scale,
            double tolerance,
            IntToDoubleFunction factors,
            Tally tally) {
        double maximum = 0;
        for (int r = 1; r < differences.length; r++) {
            double before = differences[r - 1];
            double after = differences[r];
            double factor = factors.applyAsDouble(r);
            double error = Math.abs(after - factor * before) / scale;
            maximum = Math.max(maximum, error);
            String place = "gamma = " + gamma + ", r = " + r;
            // -0 is 0 to a reader.
            tally.require(
                    error <= tolerance,
                    () -> place + ": from " + before + " to " + after + " against a factor of " + (factor + 0.0));
        }
        return maximum;
    }
}

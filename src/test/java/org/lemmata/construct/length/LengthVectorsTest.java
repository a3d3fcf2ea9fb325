package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.ReferenceValues.read;
import static org.lemmata.oracle.ReferenceValues.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.oracle.ReferenceValues;
import org.lemmata.oracle.ReferenceValues.Each;

/** Margins, weights and auxiliary strings, compared with values of an independent implementation in binary64. */
class LengthVectorsTest {

    /** [token][residue] lists as rows by class. */
    private static Stream<JsonNode> classes(JsonNode table) {
        return stream(table).flatMap(residues -> stream(residues));
    }

    /** [query][residue][key] or [query][residue][key][residue]. */
    private static double[][] scores(JsonNode table) {
        return classes(table)
                .map(query -> stream(query)
                        .flatMapToDouble(
                                key -> key.isArray() ? Arrays.stream(numbers(key)) : DoubleStream.of(key.doubleValue()))
                        .toArray())
                .toArray(double[][]::new);
    }

    static LimitAttention attention(JsonNode vector, JsonNode scores, JsonNode biases, JsonNode values) {
        int tokens = integer(vector, "S");
        int period = integer(vector, "Delta");
        double[][] rows = values.isNull()
                ? new double[tokens * period][1]
                : classes(values).map(ReferenceValues::numbers).toArray(double[][]::new);
        int bits = vector.has("p") ? integer(vector, "p") : 1;
        return new LimitAttention(tokens, period, scores(scores), numbers(biases), rows, bits);
    }

    @Each(file = "length-logit-margin", count = 3)
    void marginsAreThoseOfTheVectors(JsonNode vector) {
        LimitAttention attention = attention(
                vector, vector.get("A_query_qres_key_kres"), vector.get("phi_by_lag"), NullNode.getInstance());
        assertThat(LogitMargin.printed(attention)).isEqualTo(number(vector, "gamma_printed"));
        assertThat(LogitMargin.corrected(attention)).isEqualTo(number(vector, "gamma_fixed"));
    }

    /**
     * One token for each logit, preceded by tokens of the smallest logit up to the length; the last token is the query.
     */
    @Each(file = "length-thresholded-softmax", count = 6)
    void weightsAreThoseOfTheVectors(JsonNode vector) {
        double[] logits = numbers(vector.get("logits"));
        double[] expected = numbers(vector.get("weights"));
        int n = logits.length;
        int length = integer(vector, "N");
        // Token n has weight 0 and fills the length; all queries have the same logits.
        double[] row = Arrays.copyOf(logits, n + 1);
        row[n] = -1000;
        double[][] scores = new double[n + 1][];
        Arrays.fill(scores, row);
        var attention =
                new LimitAttention(n + 1, 1, scores, new double[] {0}, new double[n + 1][1], integer(vector, "p"));
        int[] sequence =
                IntStream.range(0, Math.max(length, n)).map(j -> j < n ? j : n).toArray();
        if (length >= n) {
            double[] weights = attention.weights(sequence);
            for (int j = 0; j < n; j++) {
                assertThat(weights[j]).as("weight %d", j).isCloseTo(expected[j], within(1e-15));
            }
        } else {
            // More logits than positions, so only the comparison can be tested.
            for (int j = 1; j < n; j++) {
                assertThat(LogitMargin.vanishes(row[0] - row[j], length, attention.bits()))
                        .isEqualTo(expected[j] == 0);
            }
        }
    }

    @Each(file = "length-auxiliary-string", count = 7)
    void attentionOnBothStringsIsThatOfTheVectors(JsonNode vector) {
        for (String name : new String[] {"f", "g"}) {
            LimitAttention attention =
                    attention(vector, vector.get("A_" + name), vector.get("phi_" + name), vector.get("V_" + name));
            for (String string : new String[] {"x", "z"}) {
                int[] sequence = sequence(vector, vector.get(string + "_counts"));
                assertThat(sequence).hasSize(vector.get(string + "_len").intValue());
                double[] expected = numbers(vector.get("attn_" + name + "_" + string));
                assertThat(attention.output(sequence)).containsExactly(expected, within(1e-12));
                PositionCounts counts =
                        PositionCounts.of(sequence, integer(vector, "S"), 1, integer(vector, "tau") + 1);
                assertThat(attention.output(counts)).containsExactly(expected, within(1e-12));
            }
        }
    }

    /** The counts in the vectors include the suffix. */
    private static int[] sequence(JsonNode vector, JsonNode table) {
        int[] suffix = Arrays.stream(numbers(vector.get("x_suffix")))
                .mapToInt(token -> (int) token)
                .toArray();
        long[] counts = classes(table).mapToLong(JsonNode::longValue).toArray();
        for (int token : suffix) {
            counts[token]--;
        }
        return new PositionCounts(integer(vector, "S"), 1, counts, suffix).sequence();
    }

    @Each(file = "length-auxiliary-string", count = 7)
    void thePrintedCountsAreThoseOfTheVectorsAndTheCorrectedStringKeepsItsBound(JsonNode vector) {
        LimitAttention f = attention(vector, vector.get("A_f"), vector.get("phi_f"), vector.get("V_f"));
        LimitAttention g = attention(vector, vector.get("A_g"), vector.get("phi_g"), vector.get("V_g"));
        int[] x = sequence(vector, vector.get("x_counts"));
        double epsilon = number(vector, "eps");
        if (vector.get("kind").asText().equals("printed")) {
            var printed = new AuxiliaryStringPrinted(f, g, x, epsilon);
            assertThat(printed.placed(0)).containsExactly(sequence(vector, vector.get("z_counts")));
        }
        AuxiliaryString corrected = AuxiliaryString.of(f, g, x, epsilon);
        assertThat(corrected.totalVariation(f, x)).isLessThanOrEqualTo(epsilon);
        assertThat(corrected.totalVariation(g, x)).isLessThanOrEqualTo(epsilon);
        assertThat((long) corrected.length())
                .isLessThanOrEqualTo(GeneralizationBound.stringLength(
                        f.tokens(), 1, f.locality(), LogitMargin.hardmaxLength(f, g), epsilon));
    }

    /**
     * Two tokens, two residues; residue 0 of the vectors has the even positions counted from 1, which is residue 1
     * here.
     */
    @Test
    void countsThatNoSequenceHasKeepAnErrorThatDoesNotFall() {
        double[][] values = {{-1}, {1}, {-1}, {1}};
        LimitAttention f = attendingTo(0, values);
        LimitAttention g = attendingTo(1, values);
        int[] x = new int[20_000];
        for (int j = 0; j < x.length; j++) {
            boolean usual = j % 20 >= 2;
            x[j] = j % 2 == 1 ? (usual ? 1 : 0) : (usual ? 0 : 1);
        }
        for (JsonNode row : read("length-delta-2-counterexample").get("rows")) {
            double epsilon = number(row, "eps");
            JsonNode m = row.get("m");
            long[] counts = {
                m.get(0).get(1).longValue(),
                m.get(0).get(0).longValue(),
                m.get(1).get(1).longValue(),
                m.get(1).get(0).longValue()
            };
            assertThat(bestFill(counts, f, g, x)).isCloseTo(number(row, "best_fill_error"), within(1e-3));
            var printed = new AuxiliaryStringPrinted(f, g, x, epsilon);
            assertThat(Arrays.stream(printed.gaps()).max().orElseThrow()).isGreaterThan((long) (5 / epsilon));
            double best = IntStream.rangeClosed(0, 20)
                    .mapToDouble(step -> error(f, g, x, printed.placed(step / 20.0)))
                    .min()
                    .orElseThrow();
            assertThat(best).isBetween(0.17, 0.21);
            AuxiliaryString corrected = AuxiliaryString.of(f, g, x, epsilon);
            assertThat(error(f, g, x, corrected.sequence())).isLessThanOrEqualTo(2 * epsilon);
        }
    }

    /** The minimum, over all ways to fill residue 0, of the larger error. */
    private static double bestFill(long[] m, LimitAttention f, LimitAttention g, int[] x) {
        long gap = m[1] + m[3] - m[0] - m[2];
        assertThat(gap).isPositive();
        double best = Double.POSITIVE_INFINITY;
        double ofF = f.output(x)[0];
        double ofG = g.output(x)[0];
        for (long second = 0; second <= gap; second++) {
            long[] filled = {m[0] + gap - second, m[1], m[2] + second, m[3]};
            var z = new PositionCounts(2, 2, filled, new int[] {x[x.length - 2], x[x.length - 1]});
            best = Math.min(best, Math.max(Math.abs(ofF - f.output(z)[0]), Math.abs(ofG - g.output(z)[0])));
        }
        return best;
    }

    private static double error(LimitAttention f, LimitAttention g, int[] x, int[] z) {
        return Math.max(Math.abs(f.output(x)[0] - f.output(z)[0]), Math.abs(g.output(x)[0] - g.output(z)[0]));
    }

    private static LimitAttention attendingTo(int token, double[][] values) {
        double[] row = {token == 0 ? 8 : 0, token == 0 ? 8 : 0, token == 1 ? 8 : 0, token == 1 ? 8 : 0};
        return new LimitAttention(2, 2, new double[][] {row, row, row, row}, new double[] {0}, values, 4);
    }

    /** The vectors with N = 2^(p / gamma) below 2^20; for two others it is 2^80. */
    @Test
    void rowsOfTheVectorsAreHardmaxFromTheirLengthOnAndNotOneBelow() {
        List<Integer> lengths = new ArrayList<>();
        for (JsonNode vector :
                ReferenceValues.read("length-thresholded-softmax").get("cases")) {
            double[] logits = ReferenceValues.numbers(vector.get("logits"));
            double maximum = Arrays.stream(logits).max().orElseThrow();
            double margin = Arrays.stream(logits)
                    .map(logit -> maximum - logit)
                    .filter(gap -> gap > 0)
                    .min()
                    .orElseThrow();
            int bits = integer(vector, "p");
            if (bits / margin > 20) {
                continue;
            }
            int n = Math.toIntExact(LogitMargin.hardmaxLength(bits, margin));
            lengths.add(n);
            double[][] scores = new double[logits.length][];
            Arrays.fill(scores, logits);
            var attention =
                    new LimitAttention(logits.length, 1, scores, new double[] {0}, new double[logits.length][1], bits);
            // The maximum logit once, other logits once, and the second largest at all remaining positions.
            int[] order = IntStream.range(0, logits.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(token -> -logits[token]))
                    .mapToInt(token -> token)
                    .toArray();
            int nearest = IntStream.of(order)
                    .filter(token -> logits[token] < maximum)
                    .findFirst()
                    .orElseThrow();
            for (int length : new int[] {n - 1, n, n + 1}) {
                int[] x = IntStream.range(0, length)
                        .map(j -> j == 0 ? order[0] : j == 1 || j > logits.length ? nearest : order[j - 1])
                        .toArray();
                // A single position always equals hardmax.
                boolean hard = length >= n || length == 1;
                assertThat(Arrays.equals(attention.weights(x), hardWeights(attention, x)))
                        .as("p = %d, margin %s, %d tokens", bits, margin, length)
                        .isEqualTo(hard);
                assertThat(LogitMargin.vanishes(margin, length, bits)).isEqualTo(length >= n);
            }
        }
        assertThat(lengths).containsExactly(1024, 1024, 16, 2);
    }

    /**
     * With the corrected margin and bits that give N from 2 to 256: all drawn sequences agree at N, but not all at N -
     * 1.
     */
    @Each(file = "length-logit-margin", count = 3)
    void headsOfTheVectorsAreHardmaxFromTheirLengthOnAndNotOneBelow(JsonNode vector) {
        var random = new SplittableRandom(6);
        for (int bits = 1; bits <= 8; bits++) {
            var table = (ObjectNode) vector.deepCopy();
            table.put("p", bits);
            LimitAttention head = attention(
                    table, table.get("A_query_qres_key_kres"), table.get("phi_by_lag"), NullNode.getInstance());
            double margin = LogitMargin.corrected(head);
            if (bits / margin <= 8) {
                assertHardmaxFromItsLengthOn(head, random);
            }
        }
    }

    /** The heads of the auxiliary strings, at the vectors' bits. */
    @Each(file = "length-auxiliary-string", count = 7)
    void headsOfTheStringsAreHardmaxFromTheirLengthOnAndNotOneBelow(JsonNode vector) {
        for (String name : new String[] {"f", "g"}) {
            LimitAttention head =
                    attention(vector, vector.get("A_" + name), vector.get("phi_" + name), vector.get("V_" + name));
            assertHardmaxFromItsLengthOn(head, new SplittableRandom(7));
        }
    }

    /** One over the number of maximum logits at their positions, else 0. */
    private static double[] hardWeights(LimitAttention head, int[] x) {
        double[] logits = head.logits(x);
        double maximum = Arrays.stream(logits).max().orElseThrow();
        double count = Arrays.stream(logits).filter(logit -> logit == maximum).count();
        return Arrays.stream(logits)
                .map(logit -> logit == maximum ? 1 / count : 0)
                .toArray();
    }

    private static void assertHardmaxFromItsLengthOn(LimitAttention head, RandomGenerator random) {
        int n = Math.toIntExact(LogitMargin.hardmaxLength(head));
        String what = "p = " + head.bits() + ", N = " + n;
        int different = 0;
        for (int i = 0; i < 200; i++) {
            for (int length = n; length <= n + 1; length++) {
                int[] x = random.ints(length, 0, head.tokens()).toArray();
                assertThat(head.weights(x)).as(what).isEqualTo(hardWeights(head, x));
            }
            int[] x = random.ints(n - 1, 0, head.tokens()).toArray();
            different += Arrays.equals(head.weights(x), hardWeights(head, x)) ? 0 : 1;
        }
        // A single position always equals hardmax.
        assertThat(different).as(what).isBetween(n > 2 ? 1 : 0, n > 2 ? 200 : 0);
    }
}

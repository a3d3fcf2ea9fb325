package org.lemmata.construct.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.ReferenceValues.integer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.oracle.ReferenceValues;
import org.lemmata.oracle.ReferenceValues.Each;

/** For all vectors, thresholded softmax equals hardmax from N = 2^(p / gamma) on, but not at N - 1. */
class HardmaxVectorsTest {

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
            LimitAttention head = LengthVectorsTest.attention(
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
            LimitAttention head = LengthVectorsTest.attention(
                    vector, vector.get("A_" + name), vector.get("phi_" + name), vector.get("V_" + name));
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

package org.lemmata.measure.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/** Compares with all weights of every row, computed one by one from exact scores. */
class RoundedArgmaxTest {

    private static final int LENGTH = 96;

    /** Cached heads, because each is used with several sites and exact sums are slow. */
    private static final Map<String, Scored> HEADS = new HashMap<>();

    private static TensorRounding rounding(String format) {
        return TensorRounding.parse(format, Rounding.Mode.TIES_TO_EVEN, true, false);
    }

    /** A head, and its scores from exact sums, each computed at first use. */
    @SuppressWarnings("ArrayRecordComponent") // It is not compared or printed.
    private record Scored(NormalHead head, double[] exact) {

        private static Scored of(NormalHead head) {
            double[] exact = new double[LENGTH * LENGTH];
            Arrays.fill(exact, Double.NaN);
            return new Scored(head, exact);
        }

        double score(int i, int j) {
            int at = i * LENGTH + j;
            if (Double.isNaN(exact[at])) {
                BigDecimal sum = BigDecimal.ZERO;
                for (int d = 0; d < 64; d++) {
                    sum = sum.add(new BigDecimal((double) head.queries()[i * 64 + d] * head.keys()[j * 64 + d]));
                }
                exact[at] = sum.doubleValue() / 8;
            }
            return exact[at];
        }

        double stepwiseScore(int i, int j, Rounding rounding) {
            float sum = 0;
            for (int d = 0; d < 64; d++) {
                double product = (double) head.queries()[i * 64 + d] * head.keys()[j * 64 + d];
                float rounded = (float) rounding.round(product);
                sum = (float) rounding.round((double) sum + rounded);
            }
            return (double) sum / 8;
        }
    }

    /** The argmax of a row, or -1 where two weights are equal. */
    private static int argmax(Scored head, int row, int seen, Rounding rounding, Set<Site> sites) {
        double[] scores = new double[seen];
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < seen; j++) {
            scores[j] = score(head, row, j, rounding, sites);
            maximum = Math.max(maximum, scores[j]);
        }
        int argmax = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < seen; j++) {
            boolean weighed = sites.contains(Site.EXPONENTIALS);
            double weight = weighed ? rounding.round(Math.exp(scores[j] - maximum)) : scores[j];
            argmax = weight > most ? j : weight == most ? -1 : argmax;
            most = Math.max(most, weight);
        }
        return argmax;
    }

    private static double score(Scored head, int i, int j, Rounding rounding, Set<Site> sites) {
        double score = sites.contains(Site.SUMS) ? head.stepwiseScore(i, j, rounding) : head.score(i, j);
        return sites.contains(Site.SCORES) ? rounding.round(score) : score;
    }

    private static NormalHead rounded(NormalHead head, Rounding rounding) {
        float[] queries = head.queries().clone();
        float[] keys = head.keys().clone();
        for (int at = 0; at < queries.length; at++) {
            queries[at] = rounding.round(queries[at]);
            keys[at] = rounding.round(keys[at]);
        }
        return new NormalHead(head.length(), queries, keys);
    }

    private static Scored unrounded(long seed) {
        return HEADS.computeIfAbsent("unrounded, seed " + seed, of -> Scored.of(NormalHead.of(seed, LENGTH)));
    }

    private static Scored rounded(long seed, String format) {
        NormalHead head = unrounded(seed).head();
        return HEADS.computeIfAbsent(
                format + ", seed " + seed, of -> Scored.of(rounded(head, (Rounding) rounding(format))));
    }

    static Stream<Arguments> sites() {
        return PrecisionTables.ALL_SITES.stream()
                .flatMap(set -> Stream.of("bfloat16", "ocp_e4m3", "e2m1").map(format -> Arguments.of(format, set)));
    }

    @ParameterizedTest
    @MethodSource("sites")
    void aRowKeepsItsArgmaxIfItsMaxWeightIsThatKeysAndNoOthers(String format, Set<Site> sites) {
        var rounding = (Rounding) rounding(format);
        int minimum = LENGTH;
        for (long seed = 0; seed < 6; seed++) {
            Scored head = unrounded(seed);
            Scored rounded = sites.contains(Site.INPUTS) ? rounded(seed, format) : head;
            int kept = 0;
            while (kept < LENGTH
                    && argmax(rounded, kept, kept + 1, rounding, sites)
                            == argmax(head, kept, kept + 1, rounding, Set.of())) {
                kept++;
            }
            assertThat(new RoundedArgmax(seed, LENGTH).maxLength(rounding, sites))
                    .as("seed %d", seed)
                    .isEqualTo(kept);
            minimum = Math.min(minimum, kept);
            int changed = 0;
            for (int i = 0; i < LENGTH; i += 5) {
                boolean same =
                        argmax(rounded, i, LENGTH, rounding, sites) == argmax(head, i, LENGTH, rounding, Set.of());
                changed += same ? 0 : 1;
            }
            assertThat(RoundedArgmax.changedRows(seed, LENGTH, 5, rounding, sites))
                    .as("seed %d", seed)
                    .isEqualTo(changed);
        }
        assertThat(minimum).as("some seed changes").isLessThan(LENGTH);
    }

    @Test
    void nothingRoundedKeepsEveryRow() {
        TensorRounding binary32 = rounding("binary32");
        assertThat(new RoundedArgmax(3, 700).maxLength(binary32, Set.of())).isEqualTo(700);
        assertThat(new RoundedArgmax(3, 1).maxLength(rounding("e2m1"), Site.tensors()))
                .isEqualTo(1);
    }

    @Test
    void aShorterHeadIsTheStartOfALongerOne() {
        NormalHead longer = NormalHead.of(9, 70);
        assertThat(NormalHead.of(9, 7).keys()).containsExactly(Arrays.copyOf(longer.keys(), 7 * 64));
        assertThat(NormalHead.of(9, 7).queries())
                .isNotEqualTo(NormalHead.of(10, 7).queries());
        assertThat(longer.queries()).isNotEqualTo(longer.keys());
        TensorRounding coarse = rounding("ocp_e5m2");
        int kept = new RoundedArgmax(9, 5000).maxLength(coarse, Site.tensors());
        assertThat(kept).isLessThan(64);
        assertThat(new RoundedArgmax(9, kept + 1).maxLength(coarse, Site.tensors()))
                .isEqualTo(kept);
        assertThat(new RoundedArgmax(9, kept).maxLength(coarse, Site.tensors())).isEqualTo(kept);
    }

    @Test
    void blocksRoundInputsAlone() {
        var head = new RoundedArgmax(0, 64);
        TensorRounding blocks = rounding("mxfp4_e2m1");
        assertThat(head.maxLength(blocks, EnumSet.of(Site.INPUTS))).isBetween(1, 63);
        for (Site site : List.of(Site.SCORES, Site.EXPONENTIALS, Site.SUMS)) {
            assertRefused(
                    () -> head.maxLength(blocks, EnumSet.of(site)),
                    "rounding: expected a format of elements, got blocks of mxfp4_e2m1");
        }
    }
}

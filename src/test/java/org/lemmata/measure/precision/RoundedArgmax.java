package org.lemmata.measure.precision;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.lemmata.measure.precision.NormalHead.TopTwo;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * Which rows of a {@link NormalHead} keep their argmax when it is rounded.
 *
 * <p>The argmax of a row is the key of its maximum weight. A row keeps it if this key also has the largest rounded
 * weight, and no other key has the same weight: a tie counts as a change.
 */
public final class RoundedArgmax {

    /** The first change mostly comes early, so starts of the head are tried that grow by this factor. */
    private static final int GROWTH = 4;

    private static final int FIRST_START = 64;

    private final List<Start> starts = new ArrayList<>();
    private final long seed;
    private final int bound;

    /** The first rows of the head, and their argmax without rounding. */
    private record Start(NormalHead head, List<TopTwo> exact) {

        static Start of(long seed, int length) {
            NormalHead head = NormalHead.of(seed, length);
            return new Start(
                    head,
                    IntStream.range(0, length)
                            .mapToObj(i -> head.topTwo(i, i + 1))
                            .toList());
        }
    }

    /**
     * The head of a seed.
     *
     * @param bound the maximum tested length, at least 1
     */
    public RoundedArgmax(long seed, int bound) {
        this.seed = seed;
        this.bound = bound;
    }

    /**
     * The maximum length up to which every row keeps its argmax, row i seeing keys 0 ... i: from 1 to the bound.
     *
     * @param rounding the rounding, elementwise unless only inputs are rounded
     * @throws IllegalArgumentException for a block rounding of other sites
     */
    public int maxLength(TensorRounding rounding, Set<Site> sites) {
        int kept = 0;
        for (int at = 0; ; at++) {
            Start start = start(at);
            var rounded = new RoundedRows(start.head(), rounding, sites);
            for (; kept < start.head().length(); kept++) {
                if (rounded.changes(kept, kept + 1, start.exact().get(kept))) {
                    return kept;
                }
            }
            if (kept == bound) {
                return bound;
            }
        }
    }

    private Start start(int at) {
        if (at == starts.size()) {
            long length = Math.round(FIRST_START * Math.pow(GROWTH, at));
            starts.add(Start.of(seed, (int) Math.min(length, bound)));
        }
        return starts.get(at);
    }

    /**
     * The number of rows, among every {@code step}-th row of the head of a seed, that change their argmax if they see
     * all {@code length} keys.
     *
     * @throws IllegalArgumentException as {@link #maxLength} does
     */
    public static int changedRows(long seed, int length, int step, TensorRounding rounding, Set<Site> sites) {
        NormalHead head = NormalHead.of(seed, length);
        var rounded = new RoundedRows(head, rounding, sites);
        int changed = 0;
        for (int i = 0; i < length; i += step) {
            if (rounded.changes(i, length, head.topTwo(i, length))) {
                changed++;
            }
        }
        return changed;
    }

    /**
     * The rows of a head with some of their sites rounded.
     *
     * <p>Rounding and exponential are monotone, so of a row's scores only the two largest decide, unless its inputs or
     * its sums are rounded.
     */
    private static final class RoundedRows {

        private final NormalHead head;
        private final Set<Site> sites;
        private final TensorRounding rounding;
        private final double[] sums;

        /** Rounds only the given sites of {@code head}. */
        RoundedRows(NormalHead head, TensorRounding rounding, Set<Site> sites) {
            this.head = sites.contains(Site.INPUTS) ? head.rounded(rounding) : head;
            this.sites = sites;
            this.rounding = rounding;
            sums = new double[head.length()];
        }

        /** Whether a row that sees the first {@code seen} keys has another argmax than {@code exact}, or a tie. */
        boolean changes(int row, int seen, TopTwo exact) {
            boolean scored = sites.contains(Site.INPUTS) || sites.contains(Site.SUMS);
            TopTwo top = scored ? topTwo(row, seen) : exact;
            return top.argmax() != exact.argmax() || ties(top);
        }

        private TopTwo topTwo(int row, int seen) {
            if (!sites.contains(Site.SUMS)) {
                return head.topTwo(row, seen);
            }
            Rounding each = elementwise();
            for (int j = 0; j < seen; j++) {
                sums[j] = NormalHead.SCALE * product(row, j, each);
            }
            return TopTwo.of(sums, seen);
        }

        /** q_i k_j with every product and every addition rounded. */
        private double product(int i, int j, Rounding each) {
            float sum = 0;
            int query = i * NormalHead.WIDTH;
            int key = j * NormalHead.WIDTH;
            for (int d = 0; d < NormalHead.WIDTH; d++) {
                double exact = (double) head.queries()[query + d] * head.keys()[key + d];
                sum = each.roundSum(sum, (float) each.round(exact), 0);
            }
            return sum;
        }

        /** Whether the two largest weights are equal. */
        private boolean ties(TopTwo top) {
            double maximum = top.maximum();
            double second = top.second();
            if (sites.contains(Site.SCORES)) {
                maximum = elementwise().round(maximum);
                second = elementwise().round(second);
            }
            if (sites.contains(Site.EXPONENTIALS) && second < maximum) {
                return elementwise().round(StrictMath.exp(second - maximum))
                        == elementwise().round(1.0);
            }
            return second == maximum;
        }

        private Rounding elementwise() {
            if (rounding instanceof Rounding each) {
                return each;
            }
            throw new IllegalArgumentException(
                    "rounding: expected a format of elements, got blocks of " + rounding.label());
        }
    }
}

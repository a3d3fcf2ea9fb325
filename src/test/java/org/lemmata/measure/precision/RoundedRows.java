package org.lemmata.measure.precision;

import java.util.Set;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * The rows of a head with some of their sites rounded.
 *
 * <p>Rounding and exponential are monotone, so of a row's scores only the two largest decide, unless its inputs or its
 * sums are rounded.
 */
final class RoundedRows {

    private final NormalHead head;
    private final Set<Site> sites;
    private final TensorRounding rounding;
    private final ScoreRows scores;
    private final double[] sums;

    /** The sites of {@code head} that are named are rounded, and no others. */
    RoundedRows(NormalHead head, TensorRounding rounding, Set<Site> sites) {
        this.head = sites.contains(Site.INPUTS) ? head.rounded(rounding) : head;
        this.sites = sites;
        this.rounding = rounding;
        scores = new ScoreRows(this.head);
        sums = new double[head.length()];
    }

    /** Whether a row that sees the first {@code seen} keys has another argmax than it has {@code exact}ly, or a tie. */
    boolean changes(int row, int seen, ScoreRows.TopTwo exact) {
        boolean scored = sites.contains(Site.INPUTS) || sites.contains(Site.SUMS);
        ScoreRows.TopTwo top = scored ? topTwo(row, seen) : exact;
        return top.argmax() != exact.argmax() || ties(top);
    }

    private ScoreRows.TopTwo topTwo(int row, int seen) {
        if (!sites.contains(Site.SUMS)) {
            return scores.topTwo(row, seen);
        }
        Rounding each = elementwise();
        for (int j = 0; j < seen; j++) {
            sums[j] = NormalHead.SCALE * product(row, j, each);
        }
        return ScoreRows.topTwo(sums, seen);
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

    /** Whether the two largest weights are the same. */
    private boolean ties(ScoreRows.TopTwo top) {
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

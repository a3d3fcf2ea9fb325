package org.lemmata.construct.length;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lemmata.construct.length.AuxiliaryString.Scheme;

/** The counts of an {@link AuxiliaryString}'s head: first as real numbers t_c, then as integers m_c. */
final class AuxiliaryStringPlan {

    /** What sums of scaled counts may be above an integer by rounding in binary64. */
    private static final double NOISE = 1e-9;

    private final PositionCounts x;
    private final int classes;
    private final int period;
    private final double e;
    /** T. */
    private final double kept;
    /** The most positions of a residue that errors ask for. */
    private final long most;
    /** Positions of a residue that the hardmax length takes. */
    private final long minimum;

    private final double[] targets;
    /** q'. */
    private long positions;

    AuxiliaryStringPlan(PositionCounts x, int tau, double e, long minimum) {
        this.x = x;
        this.classes = x.tokens() * x.period();
        this.period = x.period();
        this.e = e;
        this.kept = GeneralizationBound.slack(x.tokens(), x.period(), tau) / e;
        this.most = GeneralizationBound.positionsOfResidue(x.tokens(), x.period(), tau, e);
        this.minimum = minimum;
        this.targets = new double[classes];
    }

    /** Sets the targets; the order of f and g does not matter. */
    Scheme choose(AttendedClasses f, AttendedClasses g) {
        boolean inOrder = f.total() <= g.total();
        AttendedClasses fewer = inOrder ? f : g;
        AttendedClasses more = inOrder ? g : f;
        int[] fillers = IntStream.range(0, period)
                .map(residue -> filler(fewer, more, residue))
                .toArray();
        Scheme scheme =
                Arrays.stream(fillers).allMatch(filler -> filler >= 0) ? fill(fewer, more, fillers) : share(fewer);
        return positions < x.headLength() / period ? scheme : Scheme.WHOLE;
    }

    /** The most frequent class of a residue that neither attends to, or -1. */
    private int filler(AttendedClasses f, AttendedClasses g, int residue) {
        return IntStream.range(0, classes)
                .filter(c -> c % period == residue && x.count(c) > 0 && !f.contains(c) && !g.contains(c))
                .reduce((a, b) -> x.count(b) > x.count(a) ? b : a)
                .orElse(-1);
    }

    private Scheme fill(AttendedClasses fewer, AttendedClasses more, int[] fillers) {
        boolean together = e * more.total() <= fewer.total();
        double scale = scale(kept, fewer.total());
        double scaleOfOthers = together ? scale : scale(kept / e, more.total());
        double[] attended = new double[period];
        for (int c = 0; c < classes; c++) {
            if (fewer.contains(c) || more.contains(c)) {
                targets[c] = (fewer.contains(c) ? scale : scaleOfOthers) * x.count(c);
                attended[c % period] += targets[c];
            }
        }
        positions = minimum;
        for (double sum : attended) {
            positions = Math.max(positions, (long) Math.ceil(sum - NOISE));
        }
        for (int residue = 0; residue < period; residue++) {
            targets[fillers[residue]] = Math.max(0, positions - attended[residue]);
        }
        return together ? Scheme.TOGETHER : Scheme.APART;
    }

    private Scheme share(AttendedClasses fewer) {
        long q = x.headLength() / period;
        boolean proportional = fewer.total() >= e / (1 + 2 * e) * q;
        // q T / |A_f| is at most T / theta, but for rounding.
        long needed = proportional ? Math.min(most, (long) Math.ceil(q * kept / fewer.total())) : most;
        positions = Math.max(minimum, needed);
        double share = (double) positions / q;
        double raised = proportional ? share : Math.max(share, scale(kept, fewer.total()));
        for (int residue = 0; residue < period; residue++) {
            double taken = 0;
            long left = q;
            for (int c = residue; c < classes; c += period) {
                if (fewer.contains(c)) {
                    targets[c] = raised * x.count(c);
                    taken += targets[c];
                    left -= x.count(c);
                }
            }
            for (int c = residue; c < classes; c += period) {
                if (!fewer.contains(c) && x.count(c) > 0) {
                    targets[c] = (positions - taken) * x.count(c) / left;
                }
            }
        }
        return proportional ? Scheme.PROPORTIONAL : Scheme.RAISED;
    }

    /** min(1, kept / total). */
    private static double scale(double kept, long total) {
        return total <= kept ? 1 : kept / total;
    }

    /** m_c: t_c rounded down or up, up for the largest remainders, so that each residue has q'. */
    long[] rounded() {
        long[] counts = new long[classes];
        for (int residue = 0; residue < period; residue++) {
            int first = residue;
            long missing = positions;
            for (int c = first; c < classes; c += period) {
                counts[c] = (long) Math.floor(targets[c] + NOISE);
                missing -= counts[c];
            }
            int[] order =
                    IntStream.iterate(first, c -> c < classes, c -> c + period).toArray();
            IntArrays.stableSort(order, (a, b) -> Double.compare(counts[a] - targets[a], counts[b] - targets[b]));
            Arrays.stream(order).limit(missing).forEach(c -> counts[c]++);
        }
        return counts;
    }
}

package org.lemmata.construct.length;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.length.AuxiliaryString.Scheme;

/**
 * z, a short sequence on which two one-layer limit transformers f and g attend to nearly what they attend to on a long
 * one x: |f(x) - f(z)| &lt;= 2 L_f e and |g(x) - g(z)| &lt;= 2 L_g e.
 *
 * <h2>Construction (corrected)</h2>
 *
 * <p>Let |x| &gt;= H, the {@link LogitMargin#hardmaxLength hardmax length} of both by their corrected margins. z ends
 * as x does: with its last tau + 1 + (|x| - tau - 1) mod Delta tokens, at most tau + Delta, the <em>tail</em>. What is
 * before is the <em>head</em>, q positions of each residue in x and q' in z; its logits have phi = 0. Let n_c count the
 * classes c = (token, residue) of x's head and m_c those of z's; S_f the classes of x's head with f's maximum logit,
 * |A_f| their count, and |A_f| &lt;= |A_g| (else f and g change places). With
 *
 * <pre>
 * C = tau + Delta + |Sigma| Delta / 4      T = C / e      theta = e / (1 + 2 e)
 * </pre>
 *
 * <p>counts t_c are chosen as real numbers and then rounded, residue by residue, to integers m_c of the sum q', by the
 * largest remainders; tokens stand at positions of their residue.
 *
 * <ul>
 *   <li>If every residue has a <em>filler</em>, a class that occurs and neither attends to: t_c = s_c n_c for c in S_f
 *       and S_g, and a filler makes up q', the smallest that has room for them and makes |z| at least H.
 *       {@link Scheme#TOGETHER}, |A_g| &lt;= |A_f| / e: s_c = min(1, T / |A_f|). {@link Scheme#APART}, otherwise: the
 *       same in S_f, and min(1, T / (e |A_g|)) in S_g alone.
 *   <li>If some residue has none, {@link Scheme#PROPORTIONAL}, |A_f| &gt;= theta q: t_c = n_c q' / q for all c with q'
 *       = ceil(q T / |A_f|), or more for H. {@link Scheme#RAISED}, otherwise: q' = ceil((1 + 2 e) T / e), or more for
 *       H; t_c = mu n_c with mu = max(q' / q, min(1, T / |A_f|)) in S_f, and what this leaves of each residue is shared
 *       by its other classes in proportion to n_c.
 *   <li>If this takes q' &gt;= q, z = x ({@link Scheme#WHOLE}).
 * </ul>
 *
 * <h2>Proof</h2>
 *
 * <p><em>Length.</em> With fillers, a residue has at most T + T / e attended tokens; in the proportional case q T /
 * |A_f| &lt;= T / theta. So q' &lt;= ceil((1 + 2 e) C / e²), unless H asks for more, and |z| is at most
 * {@link GeneralizationBound#stringLength max(H + Delta - 1, Delta ceil((1 + 2 e) C / e²) + tau + Delta)}. Binary64
 * does not change that: raised and in proportion, q' is taken from that bound or capped by it, and with fillers T + T /
 * e leaves C / e positions, more than any rounding.
 *
 * <p><em>Hardmax.</em> Both lengths are at least H. z has no class in its head that x lacks there, and, where S_f is
 * not empty, some class of S_f; so f's maximum logit is the same, and f attends in z to the same positions of the tail
 * and to the classes of S_f. Where counts are kept (s_c = 1) nothing is rounded; elsewhere S_f and S_g have at least C
 * tokens, of which rounding takes |Sigma| Delta / 4 at most.
 *
 * <p><em>Rounding</em> by largest remainders moves at most |Sigma| / 4 tokens of a residue up, and as many down: k of
 * fractions at most theta_0 go down and l of at least theta_0 up, so that min(k theta_0, l (1 - theta_0)) &lt;= k l /
 * (k + l).
 *
 * <p><em>Total variation.</em> For vectors of sums U and U' that differ by E upwards and D downwards, the distributions
 * u / U and u' / U' are max(E, D) / max(U, U') apart at most. Take u = s (n on S_f, 1 on f's positions of the tail) and
 * u' what z has. If S_f is scaled by s &lt; 1, tail and rounding make E, D &lt;= C, and s |A_f| &gt;= T: at most C / T
 * = e. The same holds for g together and in proportion. Apart, E exceeds that by at most T, what f's classes have in
 * S_g, and U' &gt;= T / e + E - C: at most (T + C) / (T / e + T) = e. Raised, the classes of S_f take at most T tokens
 * from the others, so E, D &lt;= T + C, and U &gt;= (1 - theta) q', since g attends to all but |A_f| &lt; theta q of
 * the q tokens of a residue without filler: at most (1 + e) T / ((1 - theta) q') &lt;= e.
 *
 * <p>A total variation of e moves o(x) by at most 2 e max |v|, and f by at most 2 L_f e. This is proven; that the code
 * does so is tested ({@code length.theorem-4.1.string}).
 *
 * <p>Source: Izzo, Nichani and Lee (2025), appendix A.1, corrected: see {@link AuxiliaryStringPrinted} for what is
 * printed.
 */
public final class AuxiliaryString {

    /** How the counts of z follow from those of x. */
    public enum Scheme {
        /** z is x. */
        WHOLE,
        /** One scale for all that f or g attends to; fillers. */
        TOGETHER,
        /** f's classes in one scale, g's others in a smaller one; fillers. */
        APART,
        /** One scale for everything. */
        PROPORTIONAL,
        /** f's few classes in one scale, everything else in a smaller one. */
        RAISED
    }

    private final Scheme scheme;
    private final int[] z;

    private AuxiliaryString(Scheme scheme, int[] z) {
        this.scheme = scheme;
        this.z = z;
    }

    /**
     * z of two heads.
     *
     * @param x at least as long as the hardmax length of both
     * @param e the total variation allowed, within (0, 1]
     * @throws IllegalArgumentException if heads differ in tokens or period, if x is too short or has other tokens, or
     *     if e is out of range
     */
    public static AuxiliaryString of(LimitAttention f, LimitAttention g, int[] x, double e) {
        return of(f, g, x, e, LogitMargin.hardmaxLength(f, g));
    }

    /** The same where the hardmax length is known. */
    static AuxiliaryString of(LimitAttention f, LimitAttention g, int[] x, double e, long hardmaxLength) {
        checkAlike(f, g);
        Refuse.when(!(e > 0 && e <= 1), "e", "a number above 0, at most 1", e);
        Refuse.when(
                x.length < hardmaxLength, "x", "at least the hardmax length of " + hardmaxLength + " tokens", x.length);
        int tau = Math.max(f.locality(), g.locality());
        int period = f.period();
        int tail = tau + 1 + Math.floorMod(x.length - tau - 1, period);
        if (x.length <= tail) {
            return new AuxiliaryString(Scheme.WHOLE, x.clone());
        }
        PositionCounts counts = PositionCounts.of(x, f.tokens(), period, tail);
        long minimum = Math.ceilDiv(hardmaxLength - tail, period);
        var plan = new Plan(counts, tau, e, Math.max(0, minimum));
        Scheme scheme = plan.choose(AttendedClasses.of(f, counts), AttendedClasses.of(g, counts));
        if (scheme == Scheme.WHOLE) {
            return new AuxiliaryString(scheme, x.clone());
        }
        return new AuxiliaryString(
                scheme, new PositionCounts(f.tokens(), period, plan.rounded(), counts.tail()).sequence());
    }

    static void checkAlike(LimitAttention f, LimitAttention g) {
        if (f.tokens() != g.tokens() || f.period() != g.period()) {
            throw new IllegalArgumentException("g: expected f's " + f.tokens() + " tokens and period " + f.period()
                    + ", got " + g.tokens() + " and " + g.period());
        }
    }

    public Scheme scheme() {
        return scheme;
    }

    /** z; a copy. */
    public int[] sequence() {
        return z.clone();
    }

    /** |z|. */
    public int length() {
        return z.length;
    }

    /** |f(x) - f(z)|. */
    public double error(LimitFunction f, int[] x) {
        return Math.abs(f.value(x) - f.value(z));
    }

    /**
     * The total variation between the classes that a head attends to in x and in z: half the sum of the differences.
     */
    public double totalVariation(LimitAttention head, int[] x) {
        double[] difference = distribution(head, x);
        double[] ofString = distribution(head, z);
        for (int c = 0; c < difference.length; c++) {
            difference[c] = Math.abs(difference[c] - ofString[c]);
        }
        return Arrays.stream(difference).sum() / 2;
    }

    private static double[] distribution(LimitAttention head, int[] sequence) {
        double[] weights = head.weights(sequence);
        double[] distribution = new double[head.classes()];
        for (int j = 0; j < weights.length; j++) {
            distribution[head.classOf(sequence[j], j)] += weights[j];
        }
        return distribution;
    }

    /** The counts of an {@link AuxiliaryString}'s head: first as real numbers t_c, then as integers m_c. */
    static final class Plan {

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

        Plan(PositionCounts x, int tau, double e, long minimum) {
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
                int[] order = IntStream.iterate(first, c -> c < classes, c -> c + period)
                        .toArray();
                IntArrays.stableSort(order, (a, b) -> Double.compare(counts[a] - targets[a], counts[b] - targets[b]));
                Arrays.stream(order).limit(missing).forEach(c -> counts[c]++);
            }
            return counts;
        }
    }
}

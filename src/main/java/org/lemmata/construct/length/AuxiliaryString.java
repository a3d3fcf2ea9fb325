package org.lemmata.construct.length;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.length.AuxiliaryString.Scheme;

/**
 * z, a short sequence on which two one-layer limit transformers f and g attend almost like on a long sequence x: |f(x)
 * - f(z)| &lt;= 2 L_f e and |g(x) - g(z)| &lt;= 2 L_g e.
 *
 * <h2>Construction (corrected)</h2>
 *
 * <p>Let |x| &gt;= H, the {@link LogitMargin#hardmaxLength hardmax length} of both by their corrected margins. z and x
 * end in the same <em>tail</em> of tau + 1 + (|x| - tau - 1) mod Delta tokens, at most tau + Delta. The <em>head</em>
 * before the tail has q positions of each residue in x and q' in z; its logits have phi = 0. Let n_c count the classes
 * c = (token, residue) in the head of x, and m_c those in the head of z. Let S_f be the classes in the head of x with
 * f's maximum logit and |A_f| their count, and let |A_f| &lt;= |A_g| (otherwise exchange f and g). With
 *
 * <pre>
 * C = tau + Delta + |Sigma| Delta / 4      T = C / e      theta = e / (1 + 2 e)
 * </pre>
 *
 * <p>real counts t_c are chosen and then rounded by largest remainders, for each residue separately, to integers m_c
 * with sum q'. Tokens are put at positions of their residue.
 *
 * <ul>
 *   <li>If every residue has a <em>filler</em> (a class that occurs and to which neither f nor g attends): t_c = s_c
 *       n_c for c in S_f and S_g, and the filler supplies the rest of q', which is the smallest value with enough
 *       positions and |z| at least H. {@link Scheme#TOGETHER}, if |A_g| &lt;= |A_f| / e: s_c = min(1, T / |A_f|).
 *       {@link Scheme#APART}, otherwise: the same for S_f, and min(1, T / (e |A_g|)) for classes only in S_g.
 *   <li>If some residue has no filler, {@link Scheme#PROPORTIONAL}, if |A_f| &gt;= theta q: t_c = n_c q' / q for all c,
 *       with q' = ceil(q T / |A_f|), or more for H. {@link Scheme#RAISED}, otherwise: q' = ceil((1 + 2 e) T / e), or
 *       more for H; t_c = mu n_c with mu = max(q' / q, min(1, T / |A_f|)) for S_f, and the other classes of each
 *       residue share the rest in proportion to n_c.
 *   <li>If q' &gt;= q, then z = x ({@link Scheme#WHOLE}).
 * </ul>
 *
 * <h2>Proof</h2>
 *
 * <p><em>Length.</em> With fillers, a residue has at most T + T / e attended tokens; in the case PROPORTIONAL q T /
 * |A_f| &lt;= T / theta. Therefore q' &lt;= ceil((1 + 2 e) C / e²), unless H requires more, and |z| is at most
 * {@link GeneralizationBound#stringLength max(H + Delta - 1, Delta ceil((1 + 2 e) C / e²) + tau + Delta)}. Rounding in
 * binary64 does not change this: in the cases RAISED and PROPORTIONAL, q' is computed from this bound or limited by it;
 * with fillers, T + T / e leaves C / e positions, more than any rounding error.
 *
 * <p><em>Hardmax.</em> Both lengths are at least H. Every class in the head of z is in the head of x, and if S_f is not
 * empty, the head of z has a class of S_f. Therefore f's maximum logit is the same, and f attends in z to the same
 * positions of the tail and to the classes of S_f. If s_c = 1, counts are not rounded; otherwise S_f and S_g have at
 * least C tokens, of which rounding removes at most |Sigma| Delta / 4.
 *
 * <p><em>Rounding</em> by largest remainders changes the counts of a residue by at most |Sigma| / 4 upwards in total,
 * and equally downwards: k counts with fractions up to theta_0 are rounded down and l counts with fractions from
 * theta_0 on are rounded up, and min(k theta_0, l (1 - theta_0)) &lt;= k l / (k + l).
 *
 * <p><em>Total variation.</em> Let u and u' be vectors with sums U and U' that differ by E upwards and D downwards. The
 * total variation between u / U and u' / U' is at most max(E, D) / max(U, U'). Let u be s n on S_f and s on f's
 * positions of the tail, and u' the counts in z. If S_f is scaled by s &lt; 1, tail and rounding cause E, D &lt;= C,
 * and s |A_f| &gt;= T, so the total variation is at most C / T = e. The same holds for g in the cases TOGETHER and
 * PROPORTIONAL. In the case APART, f's classes in S_g increase E by at most T, and U' &gt;= T / e + E - C, so the total
 * variation is at most (T + C) / (T / e + T) = e. In the case RAISED, the classes of S_f take at most T tokens from the
 * others, so E, D &lt;= T + C. Since g attends to all but |A_f| &lt; theta q of the q tokens of a residue without
 * filler, U &gt;= (1 - theta) q', and the total variation is at most (1 + e) T / ((1 - theta) q') &lt;= e.
 *
 * <p>A total variation of e changes o(x) by at most 2 e max |v|, and f by at most 2 L_f e. The claim
 * {@code length.theorem-4.1.string} tests that the code satisfies these bounds.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), appendix A.1, corrected; {@link AuxiliaryStringPrinted} is the printed
 * construction.
 *
 * @param sequence the tokens of z
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared.
public record AuxiliaryString(Scheme scheme, int[] sequence) {

    /** The computation of z's counts from x's counts. */
    public enum Scheme {
        WHOLE,
        /** One scale for all classes to which f or g attends. Fillers supply the remaining tokens. */
        TOGETHER,
        /** One scale for f's classes and a smaller scale for g's other classes. Fillers supply the remaining tokens. */
        APART,
        /** One scale for all classes. */
        PROPORTIONAL,
        /** One scale for f's few classes. For each residue, the other classes have a scale that is at most as large. */
        RAISED
    }

    /**
     * Builds z for two heads.
     *
     * @param x a sequence at least as long as both heads' hardmax length
     * @param e the allowed total variation, within (0, 1]
     * @throws IllegalArgumentException if heads differ in tokens or period, if x is too short, or if e is out of range
     */
    public static AuxiliaryString of(LimitAttention f, LimitAttention g, int[] x, double e) {
        return of(f, g, x, e, LogitMargin.hardmaxLength(f, g));
    }

    /** Builds z for a known hardmax length. */
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

    /** |z|. */
    public int length() {
        return sequence.length;
    }

    /** |f(x) - f(z)|. */
    public double error(LimitFunction f, int[] x) {
        return Math.abs(f.value(x) - f.value(sequence));
    }

    /**
     * The total variation between a head's attention to classes in x and in z: half the sum of the absolute
     * differences.
     */
    public double totalVariation(LimitAttention head, int[] x) {
        double[] difference = distribution(head, x);
        double[] ofString = distribution(head, sequence);
        for (int c = 0; c < difference.length; c++) {
            difference[c] = Math.abs(difference[c] - ofString[c]);
        }
        return Arrays.stream(difference).sum() / 2;
    }

    private static double[] distribution(LimitAttention head, int[] tokens) {
        double[] weights = head.weights(tokens);
        double[] distribution = new double[head.classes()];
        for (int j = 0; j < weights.length; j++) {
            distribution[head.classOf(tokens[j], j)] += weights[j];
        }
        return distribution;
    }

    /** The counts of an {@link AuxiliaryString}'s head: first as real numbers t_c, then as integers m_c. */
    static final class Plan {

        /** The maximum excess, due to rounding in binary64, of a sum of scaled counts over an integer. */
        private static final double ROUNDING_ERROR = 1e-9;

        private final PositionCounts x;
        private final int classes;
        private final int period;
        private final double e;
        /** T. */
        private final double kept;
        /** The maximum number of positions of a residue that the error bound requires. */
        private final long most;
        /** The number of positions of a residue that the hardmax length requires. */
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

        /** Sets the counts t_c. The order of f and g has no effect. */
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

        /** The most frequent class of a residue to which neither head attends; -1 if there is none. */
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
                positions = Math.max(positions, (long) Math.ceil(sum - ROUNDING_ERROR));
            }
            for (int residue = 0; residue < period; residue++) {
                targets[fillers[residue]] = Math.max(0, positions - attended[residue]);
            }
            return together ? Scheme.TOGETHER : Scheme.APART;
        }

        private Scheme share(AttendedClasses fewer) {
            long q = x.headLength() / period;
            boolean proportional = fewer.total() >= e / (1 + 2 * e) * q;
            // Without rounding, q T / |A_f| would be at most T / theta.
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

        private static double scale(double kept, long total) {
            return total <= kept ? 1 : kept / total;
        }

        /**
         * m_c: t_c is rounded up for the largest remainders and down for all others, so that each residue has q'
         * positions.
         */
        long[] rounded() {
            long[] counts = new long[classes];
            for (int residue = 0; residue < period; residue++) {
                int first = residue;
                long missing = positions;
                for (int c = first; c < classes; c += period) {
                    counts[c] = (long) Math.floor(targets[c] + ROUNDING_ERROR);
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

package org.lemmata.construct.length;

import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * z as appendix A.1 prints it, with a suffix of tau + 1 tokens; elsewhere, tau is read as at least 1.
 *
 * <p>n_c counts the classes before the suffix; A_f and A_g are the positions there to which hardmax attends, with |A_f|
 * &lt;= |A_g|, and S_f and S_g their classes; T = tau / epsilon. If neither count is above T, all these positions are
 * copied. Otherwise m_c = n_c in S_f, or floor(n_c T / |A_f|) if |A_f| &gt; T; and for classes only in S_g
 *
 * <pre>
 * floor(n_c tau / (epsilon² |A_g|))     if |A_f and A_g| &lt;= epsilon |A_g|
 * floor(n_c m_* / n_*)                  otherwise, * the most frequent class of S_f
 * </pre>
 *
 * <p>m_* is the count in z, as the text defines m_s, so it is n_* if A_f is copied. The text has two gaps.
 *
 * <ol>
 *   <li>|z| may be below the hardmax length.
 *   <li>With positions, classes replace tokens "at the cost of a factor Delta": no sequence has these counts unless all
 *       residues have equally many positions. {@link #placed} fills the gaps by a mixture of two tokens.
 * </ol>
 */
public final class AuxiliaryStringPrinted {

    private final PositionCounts x;
    private final long[] counts;

    /** @param epsilon within (0, 1) */
    public AuxiliaryStringPrinted(LimitAttention f, LimitAttention g, int[] x, double epsilon) {
        AuxiliaryString.checkAlike(f, g);
        Refuse.when(!(epsilon > 0 && epsilon < 1), "epsilon", "a number within (0, 1)", epsilon);
        int tau = Math.max(f.locality(), g.locality());
        this.x = PositionCounts.of(x, f.tokens(), f.period(), tau + 1);
        AttendedClasses ofF = AttendedClasses.of(f, this.x);
        AttendedClasses ofG = AttendedClasses.of(g, this.x);
        boolean inOrder = ofF.total() <= ofG.total();
        AttendedClasses fewer = inOrder ? ofF : ofG;
        AttendedClasses more = inOrder ? ofG : ofF;
        double kept = Math.max(tau, 1) / epsilon;
        long shared = IntStream.range(0, f.classes())
                .filter(c -> fewer.contains(c) && more.contains(c))
                .mapToLong(this.x::count)
                .sum();
        this.counts = new long[f.classes()];
        boolean copied = fewer.total() <= kept;
        boolean overlapping = shared > epsilon * more.total();
        double scale = copied ? 1 : kept / fewer.total();
        double scaleOfOthers;
        if (more.total() <= kept) {
            scaleOfOthers = 1;
        } else if (!overlapping) {
            scaleOfOthers = kept / epsilon / more.total();
        } else if (copied) {
            scaleOfOthers = 1;
        } else {
            long most = IntStream.range(0, counts.length)
                    .filter(fewer::contains)
                    .mapToLong(this.x::count)
                    .max()
                    .orElseThrow();
            scaleOfOthers = (double) floor(most * kept / fewer.total()) / most;
        }
        for (int c = 0; c < counts.length; c++) {
            if (fewer.contains(c) || more.contains(c)) {
                counts[c] = floor((fewer.contains(c) ? scale : scaleOfOthers) * this.x.count(c));
            }
        }
    }

    /** Rounds down. A product that is below an integer only because of a rounding error counts as that integer. */
    private static long floor(double value) {
        return (long) Math.floor(value * (1 + 0x1p-50));
    }

    /**
     * The number of missing positions of each residue in a sequence whose suffix has the same residues as x's suffix.
     * All are 0 if there is a sequence with these counts.
     */
    public long[] gaps() {
        int period = x.period();
        long[] totals = new long[period];
        for (int c = 0; c < counts.length; c++) {
            totals[c % period] += counts[c];
        }
        // If the length of the head of x is not a multiple of the period, the first residues have one more position.
        int longer = (int) (x.headLength() % period);
        long most = IntStream.range(0, period)
                .mapToLong(residue -> totals[residue] - (residue < longer ? 1 : 0))
                .max()
                .orElseThrow();
        return IntStream.range(0, period)
                .mapToLong(residue -> most + (residue < longer ? 1 : 0) - totals[residue])
                .toArray();
    }

    /**
     * z, where tokens 0 and 1 fill the gaps of residues.
     *
     * @param share the part of each gap filled with token 1, from 0 to 1
     */
    public int[] placed(double share) {
        long[] filled = counts.clone();
        long[] gaps = gaps();
        int period = x.period();
        for (int residue = 0; residue < period; residue++) {
            long second = x.tokens() > 1 ? Math.round(share * gaps[residue]) : 0;
            filled[residue] += gaps[residue] - second;
            if (second > 0) {
                filled[period + residue] += second;
            }
        }
        return new PositionCounts(x.tokens(), period, filled, x.tail()).sequence();
    }
}

package org.lemmata.construct.hierarchy;

import static org.lemmata.construct.hierarchy.LayerWriter.unembedding;
import static org.lemmata.construct.hierarchy.LayerWriter.unembeddingBias;

import java.util.List;
import org.lemmata.model.ExactParameters;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * The last feed-forward part and the head of the generators of Dyck_k. They compute the logits of the process from the
 * angle of the depth and the code of the type to close.
 *
 * <p>[d &gt;= 1] = ([sin]_+ - [sin - eps]_+) / eps and [d &lt;= 0] = ([eps - sin]_+ - [-sin]_+) / eps for eps &lt;= sin
 * theta(1). The logits are C0 + ln pi_t for "(t", -C0 (m - t_(t) . t') + C1 [d &gt;= 1] for ")t" and C2 [d &lt;= 0] for
 * the end, with C1 = ln((1 - q) / q) + C0, C2 = ln((1 - r) / r) + C0; illegal tokens have logits of at most max(0,
 * ln((1 - q) / q) - C0). With C0 = ln(2 (k + 1) / tolerance), the total variation is below the tolerance if t' is
 * fetched accurately enough.
 *
 * <p>Source: Hayakawa and Sato (2024), appendices H.2 and H.3, with the signs of Eq. 166 that its proof uses.
 *
 * @param process the process with the probabilities pi_t, q and r
 * @param tolerance the bound of the total variation
 * @param epsilon eps
 * @param codeBits m
 * @param depth the first of two columns: cosine and sine of the depth
 * @param found the first column of t'
 * @param steps the first of four columns for the steps
 * @param one the column of ones
 */
record ClosingHead(
        GenerationProcess process,
        double tolerance,
        double epsilon,
        int codeBits,
        int depth,
        int found,
        int steps,
        int one) {

    static final int ROWS = 7;

    static double silence(int types, double tolerance) {
        return Math.log(2 * (types + 1) / tolerance);
    }

    /**
     * eta: the maximum attention to other tokens. The error of the code t' then changes logits by less than half of the
     * tolerance.
     */
    static double eta(int types, double tolerance) {
        int codeBits = Math.max(1, BracketTransformer.codeBits(types));
        return tolerance / (4 * codeBits * (silence(types, tolerance) + 1));
    }

    /**
     * The number of bits for which rounding changes the logits for {@code types} bracket types by at most a quarter of
     * the tolerance.
     *
     * @param codeError the maximum error of a bit of t', in units of 2^-bits
     */
    static int neededBits(int types, double tolerance, double epsilon, int codeError) {
        double ofCode = codeError * BracketTransformer.codeBits(types);
        double largest = (silence(types, tolerance) + 1) * (2 / epsilon + ofCode);
        return (int) Math.ceil(Math.log(4 * largest / tolerance) / Math.log(2));
    }

    private double silence() {
        return silence(process.tokens().types(), tolerance);
    }

    /** Writes the rows (s, s, -s, -s, 2s, 2c, 2c) of the sine s and the cosine c, so that |.|² = 8. */
    LayerWriter write(LayerWriter layer) {
        for (int row = 0; row < 4; row++) {
            layer.first(row, depth + 1, row < 2 ? 1 : -1).second(steps + row, row, 1);
        }
        layer.first(4, depth + 1, 2).first(5, depth, 2).first(6, depth, 2);
        return layer.shift(1, -epsilon).shift(3, epsilon).gain(2);
    }

    static int recoveryRows(int codeBits) {
        return 4 * codeBits;
    }

    /**
     * Writes the layer for a code, in the columns from {@code soft} on, that has more than 4/5 of the attention. Each
     * bit y becomes S(y) - S(-y) with S(y) = [y/e - 9/(20e)]_+ - [y/e - 9/(20e) - 1]_+ and e = 1/60, where S is 0 up to
     * 9/20 and 1 from 1/2 on. Two constant rows of C = ceil(sqrt(6 (2m + 4))) make the norm sqrt2 C up to a relative
     * error of at most 1/6. Source: appendix O, for the layer 3 of theorem 2.
     */
    LayerWriter writeRecovering(LayerWriter layer, int soft) {
        double slope = MatchTest.FEW_BIT_SLOPE;
        double constant = Math.ceil(Math.sqrt(6 * (2.0 * codeBits + 4)));
        layer.gain(slope * constant);
        for (int row = 0; row < 4; row++) {
            layer.first(row, depth + 1, row < 2 ? 1 : -1)
                    .second(steps + row, row, 1)
                    .gain(row, constant);
        }
        layer.shift(1, -epsilon).shift(3, epsilon).first(4, one, constant).first(5, one, constant);
        int row = ROWS;
        for (int bit = 0; bit < codeBits; bit++) {
            for (int sign = 1; sign >= -1; sign -= 2) {
                for (int step = 0; step < 2; step++, row++) {
                    layer.first(row, soft + bit, sign).shift(row, -9 * slope / 20 - step);
                    layer.second(found + bit, row, step == 0 ? sign : -sign);
                }
            }
        }
        return layer;
    }

    void write(ExactParameters parameters, int bits) {
        BracketTokens tokens = process.tokens();
        double c0 = silence();
        double closing = (Math.log((1 - process.q()) / process.q()) + c0) / epsilon;
        double ending = (Math.log((1 - process.r()) / process.r()) + c0) / epsilon;
        List<Double> opening = process.opening();
        for (int type = 0; type < tokens.types(); type++) {
            unembeddingBias(parameters, tokens.open(type), c0 + Math.log(opening.get(type)), bits);
            int close = tokens.close(type);
            unembeddingBias(parameters, close, -c0 * codeBits, bits);
            for (int bit = 0; bit < codeBits; bit++) {
                unembedding(parameters, close, found + bit, c0 * BracketTransformer.code(type, bit, codeBits), bits);
            }
            unembedding(parameters, close, steps, closing, bits);
            unembedding(parameters, close, steps + 1, -closing, bits);
        }
        unembedding(parameters, tokens.end(), steps + 2, -ending, bits);
        unembedding(parameters, tokens.end(), steps + 3, ending, bits);
    }
}

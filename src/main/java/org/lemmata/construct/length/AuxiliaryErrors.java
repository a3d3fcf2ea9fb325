package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * How far f and g are on a sequence x from what they are on its auxiliary string z, corrected and as printed.
 *
 * @param length |x|
 * @param corrected z
 * @param printed z as printed; empty where e is 1, which the text does not have
 * @param mostOfF 2 L_f e, what |f(x) - f(z)| is at most
 * @param mostOfG 2 L_g e
 */
public record AuxiliaryErrors(int length, Form corrected, Optional<Form> printed, double mostOfF, double mostOfG) {

    /** Where residues lack positions, the shares of two tokens that are tried. */
    private static final int SHARES = 20;

    /**
     * A string.
     *
     * @param z its tokens
     * @param note on how it was made
     * @param errorOfF |f(x) - f(z)|
     * @param errorOfG |g(x) - g(z)|
     */
    @SuppressWarnings("ArrayRecordComponent") // A sequence of tokens, which nobody compares.
    public record Form(int[] z, String note, double errorOfF, double errorOfG) {

        private static Form of(Pair pair, int[] x, int[] z, String note) {
            return new Form(
                    z, note, Math.abs(pair.f.value(x) - pair.f.value(z)), Math.abs(pair.g.value(x) - pair.g.value(z)));
        }

        /** The greater error, in parts of what it may be. */
        private double excess(double mostOfF, double mostOfG) {
            return Math.max(errorOfF / mostOfF, errorOfG / mostOfG);
        }
    }

    /**
     * f and g.
     *
     * @param e total variation allowed
     */
    public record Pair(LimitFunction f, LimitFunction g, double e) {}

    /**
     * Those of a sequence.
     *
     * @param x at least one token
     * @throws IllegalArgumentException if there are fewer tokens than the hardmax length
     */
    public static AuxiliaryErrors of(Pair pair, int[] x) {
        Refuse.when(x.length == 0, "x", "at least 1 token", "none");
        var string = AuxiliaryString.of(pair.f.attention(), pair.g.attention(), x, pair.e);
        double mostOfF = 2 * pair.f.norm() * pair.e;
        double mostOfG = 2 * pair.g.norm() * pair.e;
        String scheme = string.scheme().name().toLowerCase(Locale.ROOT);
        return new AuxiliaryErrors(
                x.length,
                Form.of(pair, x, string.sequence(), scheme),
                pair.e < 1 ? Optional.of(printed(pair, x, mostOfF, mostOfG)) : Optional.empty(),
                mostOfF,
                mostOfG);
    }

    /** Gaps of residues are filled up as well as two tokens can. */
    private static Form printed(Pair pair, int[] x, double mostOfF, double mostOfG) {
        var string = new AuxiliaryStringPrinted(pair.f.attention(), pair.g.attention(), x, pair.e);
        long missing = Arrays.stream(string.gaps()).sum();
        String note = missing > 0 ? missing + " positions filled up" : "placed as they are";
        return IntStream.rangeClosed(0, missing > 0 ? SHARES : 0)
                .mapToObj(share -> Form.of(pair, x, string.placed((double) share / SHARES), note))
                .min(Comparator.comparingDouble(form -> form.excess(mostOfF, mostOfG)))
                .orElseThrow();
    }
}

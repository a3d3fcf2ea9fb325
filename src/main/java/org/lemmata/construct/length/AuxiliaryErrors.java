package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * The changes of f and g from a sequence x to its auxiliary string z, corrected and as printed.
 *
 * @param length |x|
 * @param corrected z
 * @param printed z as printed; empty if e is 1, because the paper excludes this case
 * @param mostOfF 2 L_f e, the bound of |f(x) - f(z)|
 * @param mostOfG 2 L_g e, the bound of |g(x) - g(z)|
 */
public record AuxiliaryErrors(int length, Form corrected, Optional<Form> printed, double mostOfF, double mostOfG) {

    private static final int SHARES = 20;

    /**
     * A form of the auxiliary string.
     *
     * @param z the tokens of the string
     * @param note a description of how the string was built
     * @param errorOfF |f(x) - f(z)|
     * @param errorOfG |g(x) - g(z)|
     */
    @SuppressWarnings("ArrayRecordComponent") // The array is never compared.
    public record Form(int[] z, String note, double errorOfF, double errorOfG) {

        private static Form of(Pair pair, int[] x, int[] z, String note) {
            return new Form(
                    z, note, Math.abs(pair.f.value(x) - pair.f.value(z)), Math.abs(pair.g.value(x) - pair.g.value(z)));
        }

        /** The larger of both errors after each is divided by its bound. */
        private double excess(double mostOfF, double mostOfG) {
            return Math.max(errorOfF / mostOfF, errorOfG / mostOfG);
        }
    }

    /**
     * The errors for two functions f and g.
     *
     * @param e the allowed total variation
     */
    public record Pair(LimitFunction f, LimitFunction g, double e) {}

    /**
     * Computes the errors for a sequence.
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

    /** The printed string. Missing positions of residues are filled with the best mixture of two tokens. */
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

package org.lemmata.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.length.BoundConstants;
import org.lemmata.construct.length.BoundConstants.Reading;
import picocli.CommandLine.Option;

/** The constants of theorem 4.1 that are given by hand, for {@code @Mixin}: of f and of g alike. */
final class BoundOptions {

    @Option(names = "--margin", paramLabel = "GAMMA", description = "The logit margin; Infinity where there is none.")
    private @Nullable Double margin;

    @Option(names = "--bits", paramLabel = "P", description = "The bits of the attention.")
    private @Nullable Integer bits;

    @Option(names = "--tokens", paramLabel = "N", description = "|Sigma|, the number of tokens.")
    private @Nullable Integer tokens;

    @Option(names = "--period", paramLabel = "DELTA", description = "The period of positions; 1 with no construction.")
    private @Nullable Integer period;

    @Option(
            names = "--locality",
            paramLabel = "TAU",
            description = "The maximum distance with a score of its own; 0 without a construction.")
    private @Nullable Integer locality;

    @Option(names = "--norm", paramLabel = "L", description = "L, as printed and corrected.")
    private @Nullable Double norm;

    boolean any() {
        boolean ofPositions = period != null || locality != null;
        return ofPositions || margin != null || bits != null || tokens != null || norm != null;
    }

    /**
     * A function of these constants alone.
     *
     * @throws IllegalArgumentException if one is missing or not legal
     */
    BoundConstants alone() {
        double gamma = required("--margin", margin);
        double l = required("--norm", norm);
        return over(new BoundConstants(
                required("--tokens", tokens),
                1,
                0,
                required("--bits", bits),
                Reading.same(gamma),
                Optional.empty(),
                Reading.same(l)));
    }

    private static <T> T required(String option, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(option + ": expected it where no construction is named, got none");
        }
        return value;
    }

    /**
     * A function with these constants in place of its own.
     *
     * @throws IllegalArgumentException if one is not legal
     */
    BoundConstants over(BoundConstants function) {
        requireAtLeast("--tokens", tokens, 1);
        requireAtLeast("--period", period, 1);
        requireAtLeast("--locality", locality, 0);
        requireAtLeast("--bits", bits, 1);
        if (margin != null && !(margin > 0)) {
            throw new IllegalArgumentException("--margin: expected a number above 0, got " + margin);
        }
        if (norm != null && !(norm >= 0 && norm < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("--norm: expected a finite number of at least 0, got " + norm);
        }
        return new BoundConstants(
                tokens == null ? function.tokens() : tokens,
                period == null ? function.period() : period,
                locality == null ? function.locality() : locality,
                bits == null ? function.bits() : bits,
                margin == null ? function.margin() : Reading.same(margin),
                norm == null ? function.factors() : Optional.empty(),
                norm == null ? function.norm() : Reading.same(norm));
    }

    private static void requireAtLeast(String option, @Nullable Integer value, int minimum) {
        if (value != null && value < minimum) {
            throw new IllegalArgumentException(option + ": expected at least " + minimum + ", got " + value);
        }
    }
}

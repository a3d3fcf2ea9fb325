package org.lemmata.measure.precision;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.lemmata.number.TensorRounding;

/**
 * Which rows of a {@link NormalHead} keep their argmax when it is rounded.
 *
 * <p>The argmax of a row is the key of its maximum weight. A row keeps it if the largest rounded weight is that key's
 * and no other's: a tie is a change.
 */
public final class RoundedArgmax {

    /** The first change mostly comes early: starts of so many times the rows are tried one after the other. */
    private static final int GROWTH = 4;

    private static final int FIRST_START = 64;

    private final List<Start> starts = new ArrayList<>();
    private final long seed;
    private final int bound;

    /** The first rows of the head, and their argmax without rounding. */
    private record Start(NormalHead head, List<ScoreRows.TopTwo> exact) {

        static Start of(long seed, int length) {
            NormalHead head = NormalHead.of(seed, length);
            var rows = new ScoreRows(head);
            return new Start(
                    head,
                    IntStream.range(0, length)
                            .mapToObj(i -> rows.topTwo(i, i + 1))
                            .toList());
        }
    }

    /**
     * The head of a seed.
     *
     * @param bound the maximum length that is looked at, at least 1
     */
    public RoundedArgmax(long seed, int bound) {
        this.seed = seed;
        this.bound = bound;
    }

    /**
     * The maximum length up to which every row keeps its argmax, row i seeing keys 0 ... i: from 1 to the bound.
     *
     * @param rounding elementwise, unless inputs alone are rounded
     * @throws IllegalArgumentException if it rounds blocks elsewhere
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
     * How many of every {@code step}-th row of the head of a seed change their argmax, each seeing all {@code length}
     * keys.
     *
     * @throws IllegalArgumentException as {@link #maxLength} does
     */
    public static int changedRows(long seed, int length, int step, TensorRounding rounding, Set<Site> sites) {
        NormalHead head = NormalHead.of(seed, length);
        var exact = new ScoreRows(head);
        var rounded = new RoundedRows(head, rounding, sites);
        int changed = 0;
        for (int i = 0; i < length; i += step) {
            if (rounded.changes(i, length, exact.topTwo(i, length))) {
                changed++;
            }
        }
        return changed;
    }
}

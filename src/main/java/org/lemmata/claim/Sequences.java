package org.lemmata.claim;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** Sequences of tokens for tests of claims. */
public final class Sequences {

    /** The maximum number of listed sequences; this many fit in memory. */
    private static final int MAX_SEQUENCES = 1 << 22;

    private Sequences() {}

    /** Every sequence of a length; the first token changes fastest. */
    public static List<int[]> every(int tokens, int length) {
        double count = Math.pow(tokens, length);
        Refuse.when(count > MAX_SEQUENCES, "length", "a length with at most " + MAX_SEQUENCES + " sequences", length);
        return IntStream.range(0, Math.toIntExact(Math.round(Math.pow(tokens, length))))
                .mapToObj(rank -> {
                    int[] sequence = new int[length];
                    for (int i = 0, rest = rank; i < length; i++, rest /= tokens) {
                        sequence[i] = rest % tokens;
                    }
                    return sequence;
                })
                .toList();
    }

    public static List<int[]> draw(int count, int tokens, int length, RandomGenerator random) {
        return Stream.generate(() -> random.ints(length, 0, tokens).toArray())
                .limit(count)
                .toList();
    }
}

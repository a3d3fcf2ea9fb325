package org.lemmata.task.depth;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Draws prefixes to complete: draws a word, then draws uniformly among its prefixes that are deep enough. */
public final class PrefixSample {

    private PrefixSample() {}

    /**
     * Draws prefixes.
     *
     * @param words draws a word with a depth of at least {@code depth}
     * @param depth the minimum depth of a prefix, at least 1
     * @param draws the random generator of draw i = 0, 1, ...
     */
    public static List<int[]> draw(
            Function<RandomGenerator, int[]> words,
            int depth,
            int count,
            LongFunction<? extends RandomGenerator> draws) {
        return LongStream.range(0, count)
                .mapToObj(draw -> prefix(words, depth, draws.apply(draw)))
                .toList();
    }

    /**
     * Draws distinct prefixes; repeated prefixes are discarded.
     *
     * @throws IllegalArgumentException if there are probably fewer distinct prefixes: the last 1000 + 30 {@code count}
     *     draws were repetitions
     */
    public static List<int[]> drawDistinct(
            Function<RandomGenerator, int[]> words,
            int depth,
            int count,
            LongFunction<? extends RandomGenerator> draws) {
        var prefixes = new ArrayList<int[]>();
        var seen = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        long patience = 1000 + 30L * count;
        long last = 0;
        for (long draw = 0; prefixes.size() < count; draw++) {
            int[] prefix = prefix(words, depth, draws.apply(draw));
            if (seen.add(prefix)) {
                prefixes.add(prefix);
                last = draw;
            } else if (draw - last > patience) {
                throw new IllegalArgumentException("distinct prefixes of depth " + depth + ": expected " + count
                        + ", found " + prefixes.size() + " and no other in " + patience + " draws");
            }
        }
        return prefixes;
    }

    private static int[] prefix(Function<RandomGenerator, int[]> words, int depth, RandomGenerator random) {
        return DyckWords.cut(words.apply(random), depth, random);
    }
}

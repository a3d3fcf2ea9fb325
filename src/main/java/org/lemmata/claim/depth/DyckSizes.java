package org.lemmata.claim.depth;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Tally;
import org.lemmata.task.depth.DyckWords;

/**
 * Which training words of D_2N a claim looks at.
 *
 * @param first the smallest N of which every word is looked at
 * @param exhaustive the largest one
 * @param drawn then, for each of these N, words drawn uniformly
 * @param words how many are drawn for each N
 */
record DyckSizes(int first, int exhaustive, List<Integer> drawn, int words) {

    /** From N = 1 on. */
    DyckSizes(int exhaustive, List<Integer> drawn, int words) {
        this(1, exhaustive, drawn, words);
    }

    private static final long FIRST_WORD_SEED = 4100;
    private static final long FIRST_PREFIX_SEED = 5100;

    static DyckSizes of(Budget budget) {
        return budget.of(
                new DyckSizes(6, List.of(8, 12, 16), 16),
                new DyckSizes(7, List.of(8, 16, 32, 64), 64),
                new DyckSizes(8, List.of(12, 16, 32, 64, 128), 256));
    }

    /** One N alone: all of its words, or drawn ones. */
    DyckSizes only(int pairs) {
        return isExhaustive(pairs)
                ? new DyckSizes(pairs, pairs, List.of(), words)
                : new DyckSizes(0, List.of(pairs), words);
    }

    /** The range in words, for lists and reports. */
    String describe() {
        return (first > exhaustive ? "" : "every training word for N from " + first + " to " + exhaustive + "; ")
                + (drawn.isEmpty() ? "none drawn" : words + " drawn uniformly for each N in " + drawn);
    }

    List<Integer> pairs() {
        return Stream.concat(IntStream.rangeClosed(first, exhaustive).boxed(), drawn.stream())
                .toList();
    }

    boolean isExhaustive(int pairs) {
        return pairs <= exhaustive;
    }

    /**
     * The training words for N = {@code pairs}: all of them, or drawn. One seed a size, so that sizes stay independent.
     */
    List<int[]> trainingWords(int pairs) {
        return isExhaustive(pairs) ? all(pairs) : draw(pairs, words, Tally.random(FIRST_WORD_SEED + pairs));
    }

    /** Words whose prefixes a law reads: all of them; or the training words, and some that reach every stack size. */
    List<int[]> probes(int pairs) {
        if (isExhaustive(pairs)) {
            return all(pairs);
        }
        return Stream.concat(CompletionLaw.covering(pairs).stream(), trainingWords(pairs).stream())
                .toList();
    }

    /** The generator of the prefixes that are drawn for N = {@code pairs}; not that of the training words. */
    static RandomGenerator prefixRandom(int pairs) {
        return Tally.random(FIRST_PREFIX_SEED + pairs);
    }

    /** Every seed drawn from. */
    long[] seeds() {
        return LongStream.of(FIRST_WORD_SEED, FIRST_PREFIX_SEED)
                .flatMap(first -> drawn.stream().mapToLong(pairs -> first + pairs))
                .toArray();
    }

    static List<int[]> all(int pairs) {
        var task = new DyckWords(pairs);
        return LongStream.range(0, task.count().longValueExact())
                .mapToObj(rank -> DyckWords.ids(task.wordBits(rank), 2 * pairs))
                .toList();
    }

    static List<int[]> draw(int pairs, int count, RandomGenerator random) {
        var task = new DyckWords(pairs);
        return Stream.generate(() -> task.sampleIds(random)).limit(count).toList();
    }
}

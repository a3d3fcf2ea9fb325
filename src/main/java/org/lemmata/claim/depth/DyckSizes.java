package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
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
        return switch (budget) {
            case QUICK -> new DyckSizes(6, List.of(8, 12, 16), 16);
            case STANDARD -> new DyckSizes(7, List.of(8, 16, 32, 64), 64);
            case FULL -> new DyckSizes(8, List.of(12, 16, 32, 64, 128), 256);
        };
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
        List<Integer> pairs = new ArrayList<>();
        for (int n = first; n <= exhaustive; n++) {
            pairs.add(n);
        }
        pairs.addAll(drawn);
        return pairs;
    }

    boolean isExhaustive(int pairs) {
        return pairs <= exhaustive;
    }

    /**
     * The training words for N = {@code pairs}: all of them, or drawn. One seed a size, so that sizes stay independent.
     */
    List<int[]> trainingWords(int pairs) {
        return isExhaustive(pairs) ? all(pairs) : draw(pairs, words, random(FIRST_WORD_SEED + pairs));
    }

    /** Words whose prefixes a law reads: all of them; or the training words, and some that reach every stack size. */
    List<int[]> probes(int pairs) {
        if (isExhaustive(pairs)) {
            return all(pairs);
        }
        List<int[]> probes = new ArrayList<>(CompletionLaw.covering(pairs));
        probes.addAll(trainingWords(pairs));
        return probes;
    }

    /** The generator of the prefixes that are drawn for N = {@code pairs}; not that of the training words. */
    static RandomGenerator prefixRandom(int pairs) {
        return random(FIRST_PREFIX_SEED + pairs);
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Every seed drawn from. */
    List<Long> seeds() {
        return Stream.concat(
                        drawn.stream().map(pairs -> FIRST_WORD_SEED + pairs),
                        drawn.stream().map(pairs -> FIRST_PREFIX_SEED + pairs))
                .toList();
    }

    static List<int[]> all(int pairs) {
        var task = new DyckWords(pairs);
        List<int[]> words = new ArrayList<>();
        for (long rank = 0; rank < task.count().longValueExact(); rank++) {
            words.add(DyckWords.ids(task.wordBits(rank), 2 * pairs));
        }
        return words;
    }

    static List<int[]> draw(int pairs, int count, RandomGenerator random) {
        var task = new DyckWords(pairs);
        List<int[]> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(task.sampleIds(random));
        }
        return words;
    }
}

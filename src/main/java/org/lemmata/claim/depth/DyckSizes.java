package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.task.depth.DyckWords;

/**
 * The training words of D_2N on which a claim is tested.
 *
 * @param pairs N
 * @param exhaustive the largest N for which every word is tested
 * @param words the number of uniformly sampled words for each greater N
 */
record DyckSizes(List<Integer> pairs, int exhaustive, int words) {

    private static final long FIRST_WORD_SEED = 4100;
    static final long FIRST_PREFIX_SEED = 5100;

    /** Every N from 1 to {@code exhaustive}, then every N in {@code drawn}. */
    DyckSizes(int exhaustive, List<Integer> drawn, int words) {
        this(
                Stream.concat(IntStream.rangeClosed(1, exhaustive).boxed(), drawn.stream())
                        .toList(),
                exhaustive,
                words);
    }

    static DyckSizes of(Budget budget) {
        return budget.of(
                new DyckSizes(6, List.of(8, 12, 16), 16),
                new DyckSizes(7, List.of(8, 16, 32, 64), 64),
                new DyckSizes(8, List.of(12, 16, 32, 64, 128), 256));
    }

    static DyckSizes of(Scope scope) {
        DyckSizes all = of(scope.budget());
        return new DyckSizes(scope.integers("N", all.pairs), all.exhaustive, scope.integer("seeds", all.words));
    }

    String describe() {
        List<Integer> every = pairs.stream().filter(this::isExhaustive).toList();
        return Stream.of(
                        every.isEmpty() ? "" : "every training word for each N in " + every,
                        drawn().isEmpty() ? "" : words + " drawn uniformly for each N in " + drawn())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private List<Integer> drawn() {
        return pairs.stream().filter(n -> !isExhaustive(n)).toList();
    }

    boolean isExhaustive(int n) {
        return n <= exhaustive;
    }

    /**
     * The training words for N = {@code pairs}: all of them, or a sample. Each size has its own seed, so that its
     * sample does not depend on the other sizes.
     */
    List<int[]> trainingWords(int pairs) {
        return isExhaustive(pairs) ? all(pairs) : draw(pairs, words, Tally.random(FIRST_WORD_SEED + pairs));
    }

    /**
     * The words for a {@link CompletionLaw}: all words if they are tested exhaustively; otherwise words that reach
     * every stack size, and training words.
     */
    List<int[]> probes(int pairs) {
        if (isExhaustive(pairs)) {
            return all(pairs);
        }
        return Stream.concat(CompletionLaw.covering(pairs).stream(), trainingWords(pairs).stream())
                .toList();
    }

    long[] seeds() {
        return LongStream.of(FIRST_WORD_SEED, FIRST_PREFIX_SEED)
                .flatMap(first -> drawn().stream().mapToLong(pairs -> first + pairs))
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

    static List<int[]> prefixes(int pairs) {
        List<int[]> prefixes = new ArrayList<>();
        List<int[]> longest = List.of(new int[] {DyckWords.OPEN});
        while (longest.getFirst().length < 2 * pairs) {
            prefixes.addAll(longest);
            List<int[]> longer = new ArrayList<>();
            for (int[] prefix : longest) {
                for (int token : List.of(DyckWords.OPEN, DyckWords.CLOSE)) {
                    int[] candidate = Arrays.copyOf(prefix, prefix.length + 1);
                    candidate[prefix.length] = token;
                    if (DyckWords.isPrefix(candidate, pairs)) {
                        longer.add(candidate);
                    }
                }
            }
            longest = longer;
        }
        return prefixes;
    }

    /** Prefixes of uniformly sampled words. The prefix length is uniform from 1 to 2N - 1. */
    static List<int[]> drawPrefixes(int pairs, int count, RandomGenerator random) {
        return DyckSizes.draw(pairs, count, random).stream()
                .map(word -> Arrays.copyOf(word, random.nextInt(1, word.length)))
                .toList();
    }

    /** Delta_r: the number of brackets that the first r tokens leave open. */
    static int stack(int[] tokens, int r) {
        int stack = 0;
        for (int i = 0; i < r; i++) {
            stack += tokens[i] == DyckWords.OPEN ? 1 : -1;
        }
        return stack;
    }
}

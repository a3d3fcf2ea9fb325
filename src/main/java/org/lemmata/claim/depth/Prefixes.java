package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.task.depth.DyckWords;

/** Prefixes of words of D_2N, of 1 to 2N - 1 tokens. */
final class Prefixes {

    private Prefixes() {}

    /** Every one of them, by length. */
    static List<int[]> all(int pairs) {
        List<int[]> all = new ArrayList<>();
        List<int[]> longest = List.of(new int[] {DyckWords.OPEN});
        while (longest.getFirst().length < 2 * pairs) {
            all.addAll(longest);
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
        return all;
    }

    /** Prefixes of uniformly drawn words, cut at uniformly drawn lengths. */
    static List<int[]> draw(int pairs, int count, RandomGenerator random) {
        return DyckSizes.draw(pairs, count, random).stream()
                .map(word -> Arrays.copyOf(word, random.nextInt(1, word.length)))
                .toList();
    }

    /** Delta: how many brackets a prefix leaves open. */
    static int stack(int[] prefix) {
        return stack(prefix, prefix.length);
    }

    /** Delta_r: how many brackets the first r tokens leave open. */
    static int stack(int[] tokens, int r) {
        int stack = 0;
        for (int i = 0; i < r; i++) {
            stack += tokens[i] == DyckWords.OPEN ? 1 : -1;
        }
        return stack;
    }
}

package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.Sequences;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.task.hierarchy.NearMiss;
import org.lemmata.task.hierarchy.UniformWords;

/**
 * The strings that a recognizer is tested on, each prefix of which is a case.
 *
 * @param types k
 * @param length of the strings
 * @param draws how many are drawn: words, their near misses, prefixes of random words and random brackets; 0 for every
 *     string
 */
record BracketStrings(int types, int length, int draws) {

    /** Kinds of strings that are drawn in turn: near misses of each kind, and these. */
    private static final int OTHER_KINDS = 4;

    BracketTokens tokens() {
        return new BracketTokens(types);
    }

    @Override
    public String toString() {
        return "k = " + types + ", "
                + (draws == 0 ? "every string to length " + length : draws + " strings of length " + length);
    }

    /** The strings. */
    List<int[]> strings(BracketLanguage language, RandomGenerator random) {
        if (draws == 0) {
            return Sequences.every(2 * types, length);
        }
        UniformWords words = words(language);
        GenerationProcess process = language == BracketLanguage.DYCK
                ? GenerationProcess.dyck(types, 0.5, 0.99)
                : GenerationProcess.shuffleDyck(types, 0.3, 0.99);
        List<int[]> strings = new ArrayList<>();
        NearMiss.Kind[] kinds = NearMiss.Kind.values();
        for (int draw = 0; draw < draws; draw++) {
            int kind = draw % (kinds.length + OTHER_KINDS);
            int[] word = words.sample(random);
            if (kind < kinds.length) {
                strings.add(NearMiss.of(kinds[kind], language, tokens(), word, random)
                        .map(NearMiss::brackets)
                        .orElse(word));
            } else {
                strings.add(
                        switch (kind - kinds.length) {
                            case 0 -> word;
                            case 1 -> nested(random);
                            case 2 -> brackets(process.sample(random, length));
                            default -> random.ints(length, 0, 2 * types).toArray();
                        });
            }
        }
        return strings;
    }

    private UniformWords words(BracketLanguage language) {
        int pairs = Math.max(1, length / 2);
        return language == BracketLanguage.DYCK
                ? UniformWords.dyck(tokens(), pairs, 1, pairs)
                : UniformWords.shuffleDyck(tokens(), pairs);
    }

    /** The deepest word: all open, then all close. */
    private int[] nested(RandomGenerator random) {
        int pairs = length / 2;
        int[] opened = random.ints(pairs, 0, types).toArray();
        return IntStream.range(0, 2 * pairs)
                .map(i -> i < pairs ? tokens().open(opened[i]) : tokens().close(opened[2 * pairs - 1 - i]))
                .toArray();
    }

    private int[] brackets(int[] tokensAndEnd) {
        return IntStream.of(tokensAndEnd).filter(id -> id < tokens().brackets()).toArray();
    }

    /** Whether the first two brackets differ, if there are two; one at least. */
    static boolean firstTwoDiffer(int... brackets) {
        return brackets.length == 1 || (brackets.length > 1 && brackets[0] != brackets[1]);
    }
}

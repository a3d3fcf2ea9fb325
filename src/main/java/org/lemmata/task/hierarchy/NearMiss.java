package org.lemmata.task.hierarchy;

import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * A string that is close to a word and none itself.
 *
 * @param kind how it was made
 * @param brackets its ids
 * @param distance its edit distance (insertions, deletions and substitutions of a bracket) from the word it was made of
 */
@SuppressWarnings("ArrayRecordComponent") // Made and read, never changed or compared.
public record NearMiss(Kind kind, int[] brackets, int distance) {

    /** How often a change is tried that leaves a word a word. */
    private static final int TRIES = 64;

    /** What is done to a word. */
    public enum Kind {
        /** One bracket opens instead of closing, or the other way round. */
        FLIP {
            @Override
            int change(int[] word, BracketTokens tokens, RandomGenerator random) {
                int i = random.nextInt(word.length);
                int type = tokens.type(word[i]);
                word[i] = tokens.isOpen(word[i]) ? tokens.close(type) : tokens.open(type);
                return 1;
            }
        },
        /** One bracket has another type. */
        RETYPE {
            @Override
            int change(int[] word, BracketTokens tokens, RandomGenerator random) {
                if (tokens.types() == 1) {
                    return 0;
                }
                int i = random.nextInt(word.length);
                int type = (tokens.type(word[i]) + 1 + random.nextInt(tokens.types() - 1)) % tokens.types();
                word[i] = tokens.isOpen(word[i]) ? tokens.open(type) : tokens.close(type);
                return 1;
            }
        },
        /** Two neighbours that differ change places. */
        SWAP {
            @Override
            int change(int[] word, BracketTokens tokens, RandomGenerator random) {
                int i = random.nextInt(word.length - 1);
                exchange(word, i, i + 1);
                return word[i] == word[i + 1] ? 0 : 2;
            }
        },
        /**
         * A part that is balanced is mirrored: its first and last bracket change places, so that its depth falls below.
         */
        DIP {
            @Override
            int change(int[] word, BracketTokens tokens, RandomGenerator random) {
                int first = random.nextInt(word.length);
                int last = first;
                for (int height = tokens.rise(word[first]); height > 0 && last + 1 < word.length; ) {
                    last++;
                    height += tokens.rise(word[last]);
                }
                exchange(word, first, last);
                return first == last ? 0 : 2;
            }
        },
        /** The last brackets are missing. */
        CUT {
            @Override
            int change(int[] word, BracketTokens tokens, RandomGenerator random) {
                return 1 + random.nextInt(word.length - 1);
            }
        };

        /**
         * Changes a word of two brackets at least in place, but for {@link #CUT}, which leaves that to its caller.
         *
         * @return the edit distance, or 0 if there was nothing to change
         */
        abstract int change(int[] word, BracketTokens tokens, RandomGenerator random);

        private static void exchange(int[] word, int i, int j) {
            int bracket = word[i];
            word[i] = word[j];
            word[j] = bracket;
        }
    }

    /**
     * Changes a word; empty if what comes out is a word again in each of {@value #TRIES} tries.
     *
     * @param word of the language, not empty
     */
    public static Optional<NearMiss> of(
            Kind kind, BracketLanguage language, BracketTokens tokens, int[] word, RandomGenerator random) {
        Refuse.when(word.length < 2, "word", "at least 2 brackets", word.length);
        for (int tried = 0; tried < TRIES; tried++) {
            int[] changed = word.clone();
            int distance = kind.change(changed, tokens, random);
            int[] brackets = kind == Kind.CUT ? Arrays.copyOf(changed, word.length - distance) : changed;
            if (distance > 0 && !language.contains(tokens, brackets)) {
                return Optional.of(new NearMiss(kind, brackets, distance));
            }
        }
        return Optional.empty();
    }
}

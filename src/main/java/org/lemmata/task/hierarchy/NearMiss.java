package org.lemmata.task.hierarchy;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * A string that is close to a word but is not a word.
 *
 * @param kind the kind of the change
 * @param brackets the ids of the string
 * @param distance the edit distance (insertions, deletions and substitutions of brackets) from the original word
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
public record NearMiss(Kind kind, int[] brackets, int distance) {

    /** The maximum number of attempts, because a change may result in a word. */
    private static final int TRIES = 64;

    public enum Kind {
        /** One bracket opens instead of closing, or vice versa. */
        FLIP,
        RETYPE,
        SWAP,
        /** The first and last bracket of a balanced part are exchanged, so that it begins with a closing bracket. */
        DIP,
        CUT;

        /**
         * Changes a word of at least two brackets in place. For {@link #CUT}, only returns the number of brackets that
         * the caller removes.
         *
         * @return the edit distance, or 0 if nothing was changed
         */
        private int change(int[] word, BracketTokens tokens, RandomGenerator random) {
            return switch (this) {
                case FLIP -> {
                    int i = random.nextInt(word.length);
                    int type = tokens.type(word[i]);
                    word[i] = tokens.isOpen(word[i]) ? tokens.close(type) : tokens.open(type);
                    yield 1;
                }
                case RETYPE -> {
                    if (tokens.types() == 1) {
                        yield 0;
                    }
                    int i = random.nextInt(word.length);
                    int type = (tokens.type(word[i]) + 1 + random.nextInt(tokens.types() - 1)) % tokens.types();
                    word[i] = tokens.isOpen(word[i]) ? tokens.open(type) : tokens.close(type);
                    yield 1;
                }
                case SWAP -> {
                    int i = random.nextInt(word.length - 1);
                    IntArrays.swap(word, i, i + 1);
                    yield word[i] == word[i + 1] ? 0 : 2;
                }
                case DIP -> {
                    int first = random.nextInt(word.length);
                    int last = first;
                    for (int height = tokens.rise(word[first]); height > 0 && last + 1 < word.length; ) {
                        last++;
                        height += tokens.rise(word[last]);
                    }
                    IntArrays.swap(word, first, last);
                    yield first == last ? 0 : 2;
                }
                case CUT -> 1 + random.nextInt(word.length - 1);
            };
        }
    }

    /**
     * Changes a word at random; empty if each of {@value #TRIES} attempts changes nothing or results in a word.
     *
     * @param word a nonempty word of the language
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

package org.lemmata.index;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrays;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map from binary words of one length: bit i of a word is bit i % 64 of its long i / 64.
 *
 * <p>A word takes an {@code int} up to 32 bits, a {@code long} up to 64, and an array beyond.
 */
public abstract sealed class BinaryWordMap<V> {

    private final int length;

    private BinaryWordMap(int length) {
        this.length = length;
    }

    /**
     * The empty map for words of {@code length} bits.
     *
     * @throws IllegalArgumentException if {@code length} is below 1
     */
    public static <V> BinaryWordMap<V> forLength(int length) {
        BinaryWordSet.requireLength(length);
        if (length <= Integer.SIZE) {
            return new IntWords<>(length);
        }
        return length <= Long.SIZE ? new LongWords<>(length) : new ArrayWords<>(length);
    }

    /** How many words are in. */
    public abstract int size();

    /**
     * The value of a word, or null if the word is not in.
     *
     * @throws IllegalArgumentException if the word does not have ceil(length / 64) longs, or a bit beyond its length
     */
    public final @Nullable V get(long[] word) {
        BinaryWordSet.requireWord(word, length);
        return getChecked(word);
    }

    /**
     * Gives a word a value, in place of the one that it may have.
     *
     * @throws IllegalArgumentException as {@link #get}
     */
    public final void put(long[] word, V value) {
        BinaryWordSet.requireWord(word, length);
        putChecked(word, value);
    }

    abstract @Nullable V getChecked(long[] word);

    abstract void putChecked(long[] word, V value);

    private static final class IntWords<V> extends BinaryWordMap<V> {

        private final Int2ObjectOpenHashMap<V> values = new Int2ObjectOpenHashMap<>();

        IntWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        @Nullable
        V getChecked(long[] word) {
            return values.get((int) word[0]);
        }

        @Override
        void putChecked(long[] word, V value) {
            values.put((int) word[0], value);
        }
    }

    private static final class LongWords<V> extends BinaryWordMap<V> {

        private final Long2ObjectOpenHashMap<V> values = new Long2ObjectOpenHashMap<>();

        LongWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        @Nullable
        V getChecked(long[] word) {
            return values.get(word[0]);
        }

        @Override
        void putChecked(long[] word, V value) {
            values.put(word[0], value);
        }
    }

    private static final class ArrayWords<V> extends BinaryWordMap<V> {

        private final Object2ObjectOpenCustomHashMap<long[], V> values =
                new Object2ObjectOpenCustomHashMap<>(LongArrays.HASH_STRATEGY);

        ArrayWords(int length) {
            super(length);
        }

        @Override
        public int size() {
            return values.size();
        }

        @Override
        @Nullable
        V getChecked(long[] word) {
            return values.get(word);
        }

        @Override
        void putChecked(long[] word, V value) {
            // A copy, since the caller may go on writing into his array.
            values.put(word.clone(), value);
        }
    }
}

package org.lemmata.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.model.part.TransformerPass;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.token.Batch;

/**
 * The forward pass of several sequences that grow: keys and values of the tokens read so far are kept, and one token
 * more costs as much as its context is long, not the square of it.
 *
 * <p>Under a causal mask nothing that a layer computed for a token changes by later ones, so what is kept is exact, and
 * so are the outputs: they have the bits that {@link Transformer#forward} gives the same token as the last of its
 * sequence, whatever the other sequences are and for every number of threads.
 *
 * <p>Sequences have numbers, and lengths of their own up to a common capacity. One thread at a time may use it.
 */
public final class IncrementalForward {

    /** Tokens of prefixes read at once: enough for the kernels, and few beside what a cache holds. */
    private static final int MAX_ROWS = 8192;

    private final Architecture architecture;
    private final Kernels kernels;
    private final TransformerPass pass;
    private final AttentionCache[] caches;
    private final AttentionShape shape;
    private final int capacity;

    private int[] sequences = {};
    private RaggedOffsets oneEach = RaggedOffsets.ofLengths();

    /** Of each sequence, whether the call at hand has named it. */
    private final boolean[] named;

    /**
     * Empty sequences.
     *
     * @param sequences how many, at least 1
     * @param capacity the most tokens of a sequence, 1 to the architecture's {@code maxLength}
     * @throws IllegalArgumentException if a number is not so, the keys or values of a layer would have 2^31 elements or
     *     more, or {@link #isExact} denies the model
     */
    public IncrementalForward(Transformer model, int sequences, int capacity) {
        architecture = model.architecture();
        kernels = model.kernels();
        if (!isExact(model)) {
            throw new IllegalArgumentException(
                    "model: expected one with a causal mask that rounds nothing, and several layers only without"
                            + " logLength SEQUENCE, got " + architecture);
        }
        Refuse.outside("capacity", capacity, 1, architecture.maxLength());
        this.capacity = capacity;
        pass = new TransformerPass(model.parameters(), PrecisionPolicy.none(), kernels, false);
        shape = architecture.attentionShape();
        caches = new AttentionCache[architecture.layers()];
        for (int layer = 0; layer < caches.length; layer++) {
            caches[layer] = new AttentionCache(shape, sequences, capacity);
        }
        named = new boolean[sequences];
    }

    /**
     * Whether the outputs of a model can be had token by token: under a causal mask, and where nothing is rounded.
     * Where scores take the logarithm of the whole length, each token changes what layers computed for those before, so
     * that there may be one layer only, of which nothing is read but keys and values.
     */
    public static boolean isExact(LanguageModel model) {
        return model instanceof Transformer transformer
                && transformer.policy().isNone()
                && model.architecture().attention().mask() == Mask.CAUSAL
                && (model.architecture().attention().logLength() != LogLength.SEQUENCE
                        || model.architecture().layers() == 1)
                && CachedAttention.isLastRowOf(
                        transformer.kernels().attention(), transformer.kernels().cachedAttention());
    }

    /** Bytes that the keys, values and tokens of a sequence take in all layers. */
    static long bytesOfSequence(Architecture architecture, int capacity) {
        long numbers = AttentionCache.sizeOfSequence(architecture.attentionShape(), capacity);
        return Float.BYTES * numbers * architecture.layers();
    }

    /** Columns of the outputs: one a token, or one for regression. */
    public int outputs() {
        return architecture.outputs();
    }

    /** The most tokens of a sequence. */
    public int capacity() {
        return capacity;
    }

    /** How many tokens a sequence has. */
    public int length(int sequence) {
        return caches[0].length(sequence);
    }

    /** Forgets the tokens of a sequence from {@code length} on. */
    public void truncate(int sequence, int length) {
        for (AttentionCache cache : caches) {
            cache.truncate(sequence, length);
        }
    }

    /**
     * Reads prefixes into empty sequences, by forward passes over several at once. The last layer is computed for the
     * last tokens alone: in a model of one layer this costs as much as the prefixes are long, not the squares of that.
     *
     * @param numbers of the sequences, each once
     * @param prefixes one a number, none of them empty
     * @return the outputs at the last token of each prefix, a row a prefix
     * @throws IllegalArgumentException if a prefix is empty or longer than the capacity, has a token that is not in the
     *     vocabulary, or a sequence is not empty
     */
    public float[] appendPrefixes(int[] numbers, List<int[]> prefixes) {
        checkNumbers(numbers, prefixes.size());
        for (int i = 0; i < numbers.length; i++) {
            int length = prefixes.get(i).length;
            if (length(numbers[i]) > 0) {
                throw new IllegalArgumentException("numbers: expected empty sequences, got " + numbers[i] + " of "
                        + length(numbers[i]) + " tokens");
            }
            if (length < 1 || length > capacity) {
                throw new IllegalArgumentException(
                        "prefixes: expected 1 to " + capacity + " tokens, got " + length + " at " + i);
            }
            checkTokens(prefixes.get(i));
        }
        int columns = architecture.outputs();
        float[] outputs = new float[Math.multiplyExact(numbers.length, columns)];
        for (int from = 0, to; from < numbers.length; from = to) {
            int rows = prefixes.get(from).length;
            for (to = from + 1; to < numbers.length && rows + prefixes.get(to).length <= MAX_ROWS; to++) {
                rows += prefixes.get(to).length;
            }
            int[] read = Arrays.copyOfRange(numbers, from, to);
            List<int[]> some = prefixes.subList(from, to);
            readContext(read, some);
            int[] last =
                    some.stream().mapToInt(prefix -> prefix[prefix.length - 1]).toArray();
            System.arraycopy(append(read, last), 0, outputs, from * columns, last.length * columns);
        }
        return outputs;
    }

    /** Fills the caches with all tokens but the last of each prefix. */
    private void readContext(int[] numbers, List<int[]> prefixes) {
        sequences = IntStream.range(0, numbers.length)
                .filter(i -> prefixes.get(i).length > 1)
                .map(i -> numbers[i])
                .toArray();
        if (sequences.length == 0) {
            return;
        }
        Batch batch = Batch.of(prefixes.stream()
                .filter(prefix -> prefix.length > 1)
                .map(prefix -> Arrays.copyOf(prefix, prefix.length - 1))
                .toList());
        AttentionInputs last = pass.context(batch, this::attendToBatch);
        keep(caches.length - 1, last, batch.sequences());
    }

    /**
     * Appends a token to each of some sequences.
     *
     * @param numbers of the sequences, each once
     * @param tokens one a number
     * @return the outputs at these tokens, a row a token; the array is used again by the next call
     * @throws IllegalArgumentException if a sequence is full or a token is not in the vocabulary
     */
    public float[] append(int[] numbers, int[] tokens) {
        checkNumbers(numbers, tokens.length);
        checkTokens(tokens);
        for (int number : numbers) {
            if (length(number) == capacity) {
                throw new IllegalArgumentException(
                        "numbers: expected sequences below " + capacity + " tokens, got " + number + " of as many");
            }
        }
        sequences = numbers;
        if (oneEach.count() != numbers.length) {
            int[] ones = new int[numbers.length];
            Arrays.fill(ones, 1);
            oneEach = RaggedOffsets.ofLengths(ones);
        }
        return pass.next(tokens, oneEach, row -> length(sequences[row]), this::attendToCache);
    }

    private void checkNumbers(int[] numbers, int count) {
        if (numbers.length != count) {
            throw new IllegalArgumentException("numbers: expected " + count + ", got " + numbers.length);
        }
        Arrays.fill(named, false);
        for (int number : numbers) {
            if (number < 0 || number >= named.length || named[number]) {
                throw new IllegalArgumentException(
                        "numbers: expected different ones below " + named.length + ", got " + Arrays.toString(numbers));
            }
            named[number] = true;
        }
    }

    private void checkTokens(int[] tokens) {
        for (int token : tokens) {
            Refuse.outside("tokens", token, 0, architecture.vocabularySize() - 1);
        }
    }

    private void attendToBatch(int layer, AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets rows) {
        kernels.attention().forward(outputs, inputs, rows, shape);
        keep(layer, inputs, rows);
    }

    private void keep(int layer, AttentionInputs inputs, RaggedOffsets rows) {
        for (int i = 0; i < rows.count(); i++) {
            caches[layer].append(sequences[i], inputs, rows.start(i), rows.length(i));
        }
    }

    private void attendToCache(int layer, AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets rows) {
        for (int r = 0; r < rows.count(); r++) {
            caches[layer].append(sequences[r], inputs, r, 1);
        }
        kernels.cachedAttention().forward(outputs, inputs, caches[layer], sequences, rows.count());
    }
}

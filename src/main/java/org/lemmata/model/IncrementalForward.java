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
 * The forward pass of several growing sequences with a KV cache. The cost of a token is linear, not quadratic, in the
 * length of its context.
 *
 * <p>Under a causal mask, later tokens do not change what a layer computed for earlier tokens, so the cache is exact.
 * The outputs for a token are bit-identical to those of {@link Transformer#forward} if the token ends its sequence.
 * They do not depend on other sequences or on the number of threads. Sequences are numbered and may have different
 * lengths up to a common capacity. Only one thread at a time may use an instance.
 */
public final class IncrementalForward {

    /** The maximum number of prefix tokens per pass, unless one prefix is longer. Limits the memory of activations. */
    private static final int MAX_ROWS = 8192;

    private final Architecture architecture;
    private final Kernels kernels;
    private final TransformerPass pass;
    private final AttentionCache[] caches;
    private final AttentionShape shape;
    private final int capacity;

    private int[] sequences = {};
    private RaggedOffsets oneEach = RaggedOffsets.ofLengths();

    /** For each sequence, whether it has occurred among the numbers being checked. */
    private final boolean[] named;

    /**
     * Creates empty caches.
     *
     * @param sequences number of sequences, at least 1
     * @param capacity maximum number of tokens of a sequence, 1 to the architecture's {@code maxLength}
     * @throws IllegalArgumentException if a number is out of range, the keys or values of a layer would have 2^31
     *     elements or more, or {@link #isExact} is false for the model
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
     * Whether a model can be evaluated token by token. It must be a {@link Transformer} with a causal mask, no
     * rounding, and a cached attention that computes the last row with the same bits as the attention. If scores are
     * multiplied by the logarithm of the sequence length, each token changes the outputs at earlier positions. Such a
     * model needs a single layer, which reads only keys and values of those positions.
     */
    public static boolean isExact(LanguageModel model) {
        return model instanceof Transformer transformer
                && transformer.policy().isNone()
                && isExact(model.architecture())
                && CachedAttention.isLastRowOf(
                        transformer.kernels().attention(), transformer.kernels().cachedAttention());
    }

    /** Whether attention of this architecture can be cached, if nothing is rounded. */
    public static boolean isExact(Architecture architecture) {
        return architecture.attention().mask() == Mask.CAUSAL
                && (architecture.attention().logLength() != LogLength.SEQUENCE || architecture.layers() == 1);
    }

    /** Bytes that the cache of a sequence needs in all layers: keys, values and, with identity terms, rows u. */
    static long bytesOfSequence(Architecture architecture, int capacity) {
        long numbers = AttentionCache.sizeOfSequence(architecture.attentionShape(), capacity);
        return Float.BYTES * numbers * architecture.layers();
    }

    public int outputs() {
        return architecture.outputs();
    }

    public int capacity() {
        return capacity;
    }

    public int length(int sequence) {
        return caches[0].length(sequence);
    }

    public void truncate(int sequence, int length) {
        for (AttentionCache cache : caches) {
            cache.truncate(sequence, length);
        }
    }

    /**
     * Reads prefixes into empty sequences, by forward passes over several prefixes at once. In the last layer, only the
     * last token of each prefix has a query. In a model of one layer, the cost is therefore linear, not quadratic, in
     * the lengths of the prefixes.
     *
     * @param numbers the numbers of the sequences, without repetition
     * @param prefixes one prefix for each number, none of them empty
     * @return the outputs at the last token of each prefix, one row per prefix
     * @throws IllegalArgumentException if a prefix is empty, is longer than the capacity or has a token outside the
     *     vocabulary, if a sequence is not empty, or if {@code numbers} are not as described
     */
    public float[] appendPrefixes(int[] numbers, List<int[]> prefixes) {
        checkNumbers(numbers, prefixes.size());
        for (int i = 0; i < numbers.length; i++) {
            int length = prefixes.get(i).length;
            if (length(numbers[i]) > 0) {
                throw new IllegalArgumentException("numbers: expected empty sequences, got " + numbers[i] + " of "
                        + length(numbers[i]) + " tokens");
            }
            Refuse.when(
                    length < 1 || length > capacity, "prefixes", "1 to " + capacity + " tokens", length + " at " + i);
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

    /** Fills the caches with all tokens of each prefix except the last. */
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
     * Appends one token to each sequence in {@code numbers}.
     *
     * @param numbers the numbers of the sequences, without repetition
     * @param tokens one token for each number
     * @return the outputs at these tokens, one row per token; the next call reuses the array
     * @throws IllegalArgumentException if a sequence is full, a token is not in the vocabulary, or {@code numbers} are
     *     not as described
     */
    public float[] append(int[] numbers, int[] tokens) {
        checkNumbers(numbers, tokens.length);
        checkTokens(tokens);
        for (int number : numbers) {
            if (length(number) == capacity) {
                throw new IllegalArgumentException("numbers: expected sequences of fewer than " + capacity
                        + " tokens, got " + number + ", which is full");
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
        keep(layer, inputs, rows);
        kernels.cachedAttention().forward(outputs, inputs, caches[layer], sequences, rows.count());
    }
}

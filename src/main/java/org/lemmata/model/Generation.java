package org.lemmata.model;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;

/**
 * A prefix and the tokens that a model appended to it.
 *
 * @param tokens the prefix and the appended tokens
 * @param prefixLength number of tokens of the prefix
 * @param logits for each appended token, the logits from which it was chosen
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never compared or printed.
public record Generation(int[] tokens, int prefixLength, List<double[]> logits) {

    /** The limit in bytes for all cached keys and values. Prefixes beyond the limit are completed later. */
    private static final long MAX_CACHE_BYTES = 1L << 27;

    public int[] prefix() {
        return Arrays.copyOf(tokens, prefixLength);
    }

    /** {@link #complete(LanguageModel, List, int, Decoding, IntSet)} without end tokens. */
    public static List<Generation> complete(LanguageModel model, List<int[]> prefixes, int length, Decoding decoding) {
        return complete(model, prefixes, length, decoding, IntSet.of());
    }

    /**
     * Appends tokens to each prefix until it has {@code length} tokens or an end token was appended.
     *
     * <p>If {@link IncrementalForward} is exact for the model, the cost of a token is linear in the length of its
     * context. Tokens and logits are bit-identical to a full recomputation. Otherwise the model is run on the whole
     * context for each token.
     *
     * @param prefixes none of them empty, because the model does not predict the first token
     * @param length 1 to the architecture's {@code maxLength} + 1, because the model does not read the last token
     * @param decoding is split once for each prefix, in order
     * @param ends the tokens that end a generation; an end token is also appended, and end tokens in a prefix have no
     *     effect
     * @throws IllegalArgumentException if a prefix is empty, longer than {@code length} or has a token outside the
     *     vocabulary, if {@code length} is out of range, or if the model is a regression model
     */
    public static List<Generation> complete(
            LanguageModel model, List<int[]> prefixes, int length, Decoding decoding, IntSet ends) {
        return complete(
                model, prefixes, length, decoding, ends, IncrementalForward.isExact(model) ? MAX_CACHE_BYTES : 0);
    }

    /** Completes prefixes with a cache of at most {@code maxBytes}, but at least of one sequence; 0 for no cache. */
    static List<Generation> complete(
            LanguageModel model, List<int[]> prefixes, int length, Decoding decoding, IntSet ends, long maxBytes) {
        List<Draft> drafts = drafts(model, prefixes, length, decoding, ends);
        if (maxBytes > 0 && model instanceof Transformer transformer) {
            completeWithCache(transformer, drafts, length, maxBytes);
        } else {
            recompute(model, drafts);
        }
        return drafts.stream().map(Draft::generation).toList();
    }

    private static List<Draft> drafts(
            LanguageModel model, List<int[]> prefixes, int length, Decoding decoding, IntSet ends) {
        Architecture architecture = model.architecture();
        if (architecture.output().kind() != OutputOptions.Kind.NEXT_TOKEN) {
            throw new IllegalArgumentException("model: expected one that gives logits of the next token, got "
                    + architecture.output().kind());
        }
        Refuse.outside("length", length, 1, architecture.maxLength() + 1L);
        for (int[] prefix : prefixes) {
            Refuse.when(
                    prefix.length == 0 || prefix.length > length,
                    "prefix",
                    "1 to " + length + " tokens",
                    prefix.length);
            // Checked here, because the model does not read a prefix that is already long enough.
            for (int token : prefix) {
                Refuse.outside("tokens", token, 0, architecture.vocabularySize() - 1);
            }
        }
        return prefixes.stream()
                .map(prefix -> new Draft(prefix, length, decoding.split(), ends))
                .toList();
    }

    private static void completeWithCache(Transformer model, List<Draft> drafts, int length, long maxBytes) {
        List<Draft> unfinished = drafts.stream().filter(Draft::isUnfinished).toList();
        if (unfinished.isEmpty()) {
            return;
        }
        // The model does not read the last token, so the cache needs no place for it.
        int capacity = length - 1;
        long bytes = IncrementalForward.bytesOfSequence(model.architecture(), capacity);
        int count = (int) Math.max(1, Math.min(unfinished.size(), maxBytes / bytes));
        IncrementalForward forward = new IncrementalForward(model, count, capacity);
        for (int from = 0; from < unfinished.size(); from += count) {
            complete(forward, unfinished.subList(from, Math.min(from + count, unfinished.size())));
        }
    }

    /** Empties the sequences, then completes draft i in sequence i of {@code forward}. */
    private static void complete(IncrementalForward forward, List<Draft> drafts) {
        int[] active = IntStream.range(0, drafts.size()).toArray();
        for (int sequence : active) {
            forward.truncate(sequence, 0);
        }
        int columns = forward.outputs();
        float[] outputs = forward.appendPrefixes(
                active, drafts.stream().map(Draft::tokens).toList());
        while (active.length > 0) {
            for (int r = 0; r < active.length; r++) {
                drafts.get(active[r])
                        .append(Transformer.widen(Arrays.copyOfRange(outputs, r * columns, (r + 1) * columns)));
            }
            active = Arrays.stream(active)
                    .filter(i -> drafts.get(i).isUnfinished())
                    .toArray();
            int[] last = Arrays.stream(active).map(i -> drafts.get(i).last()).toArray();
            if (active.length > 0) {
                outputs = forward.append(active, last);
            }
        }
    }

    private static void recompute(LanguageModel model, List<Draft> drafts) {
        int columns = model.architecture().outputs();
        List<Draft> unfinished = drafts.stream().filter(Draft::isUnfinished).toList();
        while (!unfinished.isEmpty()) {
            Batch batch = Batch.of(unfinished.stream().map(Draft::tokens).toList());
            double[] last = model.lastLogits(batch);
            for (int b = 0; b < unfinished.size(); b++) {
                unfinished.get(b).append(Arrays.copyOfRange(last, b * columns, (b + 1) * columns));
            }
            unfinished = unfinished.stream().filter(Draft::isUnfinished).toList();
        }
    }

    private static final class Draft {

        private final int prefixLength;
        private final Decoding decoding;
        private final IntSet ends;
        private final int[] tokens;
        private final List<double[]> logits = new ArrayList<>();
        private int length;
        private boolean ended;

        private Draft(int[] prefix, int length, Decoding decoding, IntSet ends) {
            this.prefixLength = prefix.length;
            this.decoding = decoding;
            this.ends = ends;
            this.tokens = Arrays.copyOf(prefix, length);
            this.length = prefix.length;
        }

        boolean isUnfinished() {
            return length < tokens.length && !ended;
        }

        int[] tokens() {
            return Arrays.copyOf(tokens, length);
        }

        int last() {
            return tokens[length - 1];
        }

        void append(double[] row) {
            int token = decoding.next(row, 0, row.length);
            tokens[length++] = token;
            logits.add(row);
            ended = ends.contains(token);
        }

        Generation generation() {
            return new Generation(tokens(), prefixLength, logits);
        }
    }
}

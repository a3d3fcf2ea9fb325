package org.lemmata.model;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;

/**
 * What a model appended to a prefix, token by token.
 *
 * @param tokens the prefix and what was appended
 * @param prefixLength how many tokens the prefix had
 * @param logits for each appended token, the logits that it was taken from
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares or prints them.
public record Generation(int[] tokens, int prefixLength, List<double[]> logits) {

    /** Keys and values of all layers that are kept at a time: prefixes beyond that wait. */
    private static final long MAX_CACHE_BYTES = 1L << 27;

    /** The prefix alone. */
    public int[] prefix() {
        return Arrays.copyOf(tokens, prefixLength);
    }

    /** {@link #complete(LanguageModel, List, int, Decoding, OptionalInt)} without a token that ends. */
    public static List<Generation> complete(LanguageModel model, List<int[]> prefixes, int length, Decoding decoding) {
        return complete(model, prefixes, length, decoding, IntSet.of());
    }

    /**
     * Appends to each prefix until it has {@code length} tokens, or the one that ends it was appended.
     *
     * <p>A token costs as much as its context is long where {@link IncrementalForward} is exact, with the tokens and
     * logits, to the bit, that recomputing gives. Elsewhere the model is run on the whole context for each token.
     *
     * @param prefixes none of them empty: the model says nothing of the first token
     * @param length 1 to the architecture's {@code maxLength} + 1: the last token is not read
     * @param decoding gives each prefix, in order, a decoding of its own
     * @param ends the tokens that end a generation; one is appended, and counts in no prefix
     * @throws IllegalArgumentException if a prefix is empty, longer than {@code length} or has a token that is not in
     *     the vocabulary, a number is not as said, or the model gives no logits
     */
    public static List<Generation> complete(
            LanguageModel model, List<int[]> prefixes, int length, Decoding decoding, IntSet ends) {
        return complete(
                model, prefixes, length, decoding, ends, IncrementalForward.isExact(model) ? MAX_CACHE_BYTES : 0);
    }

    /** The same with so many bytes of keys and values at a time, at least those of one prefix; 0 keeps none. */
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
            if (prefix.length == 0 || prefix.length > length) {
                throw new IllegalArgumentException("prefix: expected 1 to " + length + " tokens, got " + prefix.length);
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
        // The last token is not read.
        int capacity = length - 1;
        long bytes = IncrementalForward.bytesOfSequence(model.architecture(), capacity);
        int count = (int) Math.max(1, Math.min(unfinished.size(), maxBytes / bytes));
        IncrementalForward forward = new IncrementalForward(model, count, capacity);
        for (int from = 0; from < unfinished.size(); from += count) {
            complete(forward, unfinished.subList(from, Math.min(from + count, unfinished.size())));
        }
    }

    /** Draft i is sequence i of {@code forward}, whose sequences are emptied first. */
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
                drafts.get(active[r]).append(row(outputs, r * columns, columns));
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

    private static double[] row(float[] outputs, int offset, int columns) {
        double[] row = new double[columns];
        Arrays.setAll(row, token -> outputs[offset + token]);
        return row;
    }

    private static void recompute(LanguageModel model, List<Draft> drafts) {
        int columns = model.architecture().outputs();
        List<Draft> unfinished = drafts.stream().filter(Draft::isUnfinished).toList();
        while (!unfinished.isEmpty()) {
            Batch batch = Batch.of(unfinished.stream().map(Draft::tokens).toList());
            double[] all = model.logits(batch);
            for (int b = 0; b < unfinished.size(); b++) {
                int last = (batch.sequences().end(b) - 1) * columns;
                unfinished.get(b).append(Arrays.copyOfRange(all, last, last + columns));
            }
            unfinished = unfinished.stream().filter(Draft::isUnfinished).toList();
        }
    }

    /** A generation under way. */
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

        /** So far. */
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

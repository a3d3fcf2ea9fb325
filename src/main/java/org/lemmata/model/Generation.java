package org.lemmata.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.token.Batch;

/** What a model appended to a prefix, token by token. */
public final class Generation {

    private final int[] tokens;
    private final int prefixLength;
    private final List<double[]> logits;

    private Generation(int[] tokens, int prefixLength, List<double[]> logits) {
        this.tokens = tokens;
        this.prefixLength = prefixLength;
        this.logits = logits;
    }

    /** The prefix and what was appended. */
    public int[] tokens() {
        return tokens;
    }

    /** How many tokens the prefix had. */
    public int prefixLength() {
        return prefixLength;
    }

    /** The prefix alone. */
    public int[] prefix() {
        return Arrays.copyOf(tokens, prefixLength);
    }

    /** For each appended token, the logits that it was taken from. */
    public List<double[]> logits() {
        return logits;
    }

    /**
     * Appends to each prefix until it has {@code length} tokens.
     *
     * <p>Each step runs the model on all prefixes that are still too short, so a token costs as much as its context.
     *
     * @param prefixes none of them empty: the model says nothing of the first token
     * @throws IllegalArgumentException if a prefix is empty or longer than {@code length}
     */
    public static List<Generation> complete(LanguageModel model, List<int[]> prefixes, int length, Decoding decoding) {
        int columns = model.architecture().outputs();
        List<int[]> tokens = new ArrayList<>();
        List<List<double[]>> logits = new ArrayList<>();
        for (int[] prefix : prefixes) {
            if (prefix.length == 0 || prefix.length > length) {
                throw new IllegalArgumentException("prefix: expected 1 to " + length + " tokens, got " + prefix.length);
            }
            tokens.add(prefix);
            logits.add(new ArrayList<>());
        }
        int[] unfinished = unfinished(tokens, length);
        while (unfinished.length > 0) {
            Batch batch =
                    Batch.of(Arrays.stream(unfinished).mapToObj(tokens::get).toList());
            double[] all = model.logits(batch);
            for (int b = 0; b < unfinished.length; b++) {
                int i = unfinished[b];
                int last = (batch.sequences().end(b) - 1) * columns;
                int[] longer = Arrays.copyOf(tokens.get(i), tokens.get(i).length + 1);
                longer[longer.length - 1] = decoding.next(all, last, columns);
                tokens.set(i, longer);
                logits.get(i).add(Arrays.copyOfRange(all, last, last + columns));
            }
            unfinished = unfinished(tokens, length);
        }
        return IntStream.range(0, tokens.size())
                .mapToObj(i -> new Generation(tokens.get(i), prefixes.get(i).length, logits.get(i)))
                .toList();
    }

    private static int[] unfinished(List<int[]> tokens, int length) {
        return IntStream.range(0, tokens.size())
                .filter(i -> tokens.get(i).length < length)
                .toArray();
    }
}

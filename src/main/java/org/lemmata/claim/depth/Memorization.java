package org.lemmata.claim.depth;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.measure.SequenceLoss;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * Measures of how well a model continues the prefixes of its training sequence.
 *
 * @param loss sum_{r=1}^{n-1} -log p(s_{r+1} | s_1 ... s_r) in nats; the paper's sum starts at r = 0, where attention
 *     is not defined
 * @param departures every r after which greedy decoding does not choose s_{r+1}; if empty, greedy decoding completes
 *     every prefix to the sequence
 */
record Memorization(double loss, IntList departures) {

    private static final int LONGEST_TEXT = 8;

    static Memorization of(LanguageModel model, int[] word) {
        double[] logits = model.logits(Batch.of(List.of(word)));
        int columns = logits.length / word.length;
        var greedy = new Decoding.Greedy();
        IntStream departures =
                IntStream.range(1, word.length).filter(r -> greedy.next(logits, (r - 1) * columns, columns) != word[r]);
        return new Memorization(loss(model, word), IntImmutableList.toList(departures));
    }

    /** The loss of a model on a sequence; the first token need not be predicted. */
    static double loss(LanguageModel model, int[] word) {
        return SequenceLoss.sum(model, Batch.ofExamples(List.of(Example.nextToken(word))));
    }

    /**
     * The probability that a sampled completion of s_1 is not s. The probability is not greater for longer prefixes.
     */
    double failure() {
        return -Math.expm1(-loss);
    }

    /** Tokens "1" to "t", as the paper numbers them. */
    static Vocabulary vocabulary(int tokens) {
        return new Vocabulary(
                IntStream.rangeClosed(1, tokens).mapToObj(Integer::toString).toList());
    }

    /** A sequence in the paper's notation, shortened if it is long. */
    static String text(int[] word) {
        String start = Arrays.stream(word)
                .limit(LONGEST_TEXT)
                .mapToObj(token -> Integer.toString(token + 1))
                .collect(Collectors.joining(" "));
        return "sequence " + start + (word.length > LONGEST_TEXT ? " ..." : "");
    }
}

package org.lemmata.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.file.StoredModel;

/**
 * Weights from which a run starts instead of random ones.
 *
 * @param section the section {@code initialization}, which names the weights
 * @param stored the model with these weights
 */
record StartingWeights(Configuration section, StoredModel stored) {

    static final String KEY = "from";

    private static final String NONE = "none";

    static Optional<StartingWeights> read(Configuration section) throws IOException {
        String expected = "a safetensors file, the directory of a run, or none";
        return section.text(KEY, expected).equals(NONE)
                ? Optional.empty()
                : Optional.of(new StartingWeights(
                        section, StoredModel.open(RunDirectory.weights(RunDirectory.named(section, KEY, expected)))));
    }

    boolean isTransformer() {
        return stored instanceof StoredModel.OfTransformer;
    }

    /**
     * The architecture of the weights, with more positions for longer sequences unless each position has a row.
     *
     * @param length the number of tokens in the longest sequence of the task
     * @param longest the number of tokens in the longest sequence that the model will read
     * @throws IllegalArgumentException if the weights are not a transformer's, the task has another number of symbols,
     *     or its sequences are too long
     */
    Architecture architecture(int vocabularySize, int length, int longest) {
        if (!(stored instanceof StoredModel.OfTransformer(var _, Architecture own, var _))) {
            throw refusal("the weights of a transformer", "those of an mlp");
        }
        boolean table = own.positions().kind() == PositionOptions.Kind.TABLE;
        requireSymbols(vocabularySize, own.vocabularySize());
        if (table && length > own.maxLength()) {
            throw refusal("at least " + length + " positions for the sequences of the task", own.maxLength());
        }
        return table ? own : own.withMaxLength(Math.max(own.maxLength(), Math.max(length, longest)));
    }

    /** The options of a multilayer perceptron. All its sequences have the same length. */
    MultilayerPerceptronOptions perceptron(int vocabularySize, int length) {
        if (!(stored instanceof StoredModel.OfPerceptron(var _, MultilayerPerceptronOptions own))) {
            throw refusal("the weights of an mlp", "those of a transformer");
        }
        requireSymbols(vocabularySize, own.vocabularySize());
        if (length != own.length()) {
            throw refusal("weights for sequences of " + length + " tokens", own.length());
        }
        return own;
    }

    private void requireSymbols(int expected, int got) {
        if (expected != got) {
            throw refusal("weights for the " + expected + " symbols of the task", got);
        }
    }

    /**
     * Requires that {@code asked}, the architecture in the section {@code model}, matches the weights. Dropout may
     * differ, and so may the number of positions unless each has its own row in a table.
     */
    Architecture requireSame(Architecture asked) {
        Architecture own =
                architecture(asked.vocabularySize(), 1, asked.maxLength()).withDropout(asked.dropout());
        if (asked.positions().kind() != PositionOptions.Kind.TABLE) {
            own = own.withMaxLength(asked.maxLength());
        }
        requireSame(asked, own);
        return asked;
    }

    MultilayerPerceptronOptions requireSame(MultilayerPerceptronOptions asked) {
        requireSame(asked, perceptron(asked.vocabularySize(), asked.length()));
        return asked;
    }

    private void requireSame(Record asked, Record own) {
        String[] expected = asked.toString().split(", ", -1);
        String[] got = own.toString().split(", ", -1);
        int first = Arrays.mismatch(expected, got);
        if (first >= 0) {
            throw refusal("weights with " + option(expected[first]) + ", as model says", option(got[first]));
        }
    }

    /** A component in the text of a record, without the names of enclosing records. */
    private static String option(String component) {
        return component.replaceAll(".*\\[|]", "");
    }

    private IllegalArgumentException refusal(String expected, Object got) {
        return section.refusal(KEY, "expected " + expected + ", got " + got + " in " + stored.file());
    }

    float[] values() {
        try {
            return stored.values();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.lemmata.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.file.StoredModel;

/**
 * Weights that a run starts from, in the place of drawn ones.
 *
 * @param section {@code initialization}, which names them
 * @param stored the model that they are of
 */
record StartingWeights(Configuration section, StoredModel stored) {

    static final String KEY = "from";

    private static final String NONE = "none";

    /** What {@code initialization.from} names; empty for none. */
    static Optional<StartingWeights> read(Configuration section) throws IOException {
        String place = section.text(KEY, "a safetensors file, the directory of a run, or none");
        return place.equals(NONE)
                ? Optional.empty()
                : Optional.of(new StartingWeights(section, StoredModel.open(RunDirectory.weights(Path.of(place)))));
    }

    boolean isTransformer() {
        return stored instanceof StoredModel.OfTransformer;
    }

    /**
     * The architecture of the weights, with more positions where that takes no parameters.
     *
     * @param length the tokens of the longest sequence of the task
     * @param longest the tokens of the longest sequence of all
     * @throws IllegalArgumentException if the symbols of the task are others in number, or its sequences too long
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

    /** The same of a multilayer perceptron, whose sequences all have one length. */
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
     * The architecture that the section {@code model} asks for, which has to be that of the weights; dropout, and
     * positions without parameters, may differ.
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
        String[] difference = difference("model", asked, own);
        if (difference.length > 0) {
            throw refusal("weights with " + difference[0] + " " + difference[1], difference[2]);
        }
    }

    /** The first component in which two records of one class differ: its key, and both values; empty if none does. */
    private static String[] difference(String path, Record asked, Record own) {
        for (RecordComponent component : asked.getClass().getRecordComponents()) {
            Object a = value(component, asked);
            Object b = value(component, own);
            String name = component.getName();
            // Sizes and scores are no sections of their own.
            boolean section = !name.equals("size") && !name.equals("scores");
            String key = section ? path + "." + name.replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT) : path;
            if (a instanceof Record one && b instanceof Record other) {
                String[] below = difference(key, one, other);
                if (below.length > 0) {
                    return below;
                }
            } else if (!Objects.equals(a, b)) {
                return new String[] {key, shown(a), shown(b)};
            }
        }
        return new String[0];
    }

    private static String shown(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case Enum<?> choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
            case Record _ -> "some";
            default -> value.toString();
        };
    }

    private static @Nullable Object value(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("components of public records are public", e);
        }
    }

    private IllegalArgumentException refusal(String expected, Object got) {
        return section.refusal(KEY, "expected " + expected + ", got " + got + " in " + stored.file());
    }

    /** The numbers. */
    float[] values() {
        try {
            return stored.values();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

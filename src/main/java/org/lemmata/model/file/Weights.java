package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;

/**
 * The parameters of a transformer as a safetensors file: one tensor per {@link ParameterView}, with its name, and the
 * architecture as JSON in the metadata under {@link #ARCHITECTURE_KEY}. Matrices have two extents, rows x columns;
 * vectors have one.
 */
public final class Weights {

    public static final String ARCHITECTURE_KEY = "lemmata.architecture";

    /** The metadata key for the options of a multilayer perceptron, in place of {@link #ARCHITECTURE_KEY}. */
    public static final String PERCEPTRON_KEY = "lemmata.multilayer_perceptron";

    private Weights() {}

    /** Writes the parameters of a multilayer perceptron in binary32. Replaces an existing file. */
    public static void write(Path file, MultilayerPerceptronOptions options, float[] values) throws IOException {
        write(file, Map.of(PERCEPTRON_KEY, ArchitectureJson.write(options)), options.layout(), values);
    }

    /** Writes the parameters of a transformer. Replaces an existing file. */
    public static void write(Path file, Parameters parameters) throws IOException {
        Architecture architecture = parameters.architecture();
        Map<String, String> metadata = Map.of(ARCHITECTURE_KEY, ArchitectureJson.write(architecture));
        write(file, metadata, architecture.layout(), parameters.values());
    }

    private static void write(Path file, Map<String, String> metadata, List<ParameterView> layout, float[] values)
            throws IOException {
        SafeTensorsWriter.write(
                file,
                metadata,
                layout.stream()
                        .map(view -> new TensorContent(view.name(), shape(view), values, view.offset()))
                        .toList());
    }

    private static LongList shape(ParameterView view) {
        return view.vector() ? LongList.of(view.columns()) : LongList.of(view.rows(), view.columns());
    }

    /**
     * Reads parameters; F64 values are rounded to nearest even.
     *
     * @throws MalformedFileException if the file names no architecture, or its tensors do not fit the architecture: the
     *     message names the first tensor that is missing, has another shape or is not expected
     */
    public static Parameters read(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            Architecture architecture = architecture(tensors);
            var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
            readInto(parameters.values(), architecture.layout(), tensors);
            return parameters;
        }
    }

    /** Like {@link #read}, in binary64 without rounding. */
    public static ExactParameters readExact(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            Architecture architecture = architecture(tensors);
            var parameters = new ExactParameters(architecture);
            for (ParameterView view : architecture.layout()) {
                tensors.readInto(parameters.values(), view.offset(), tensors.tensor(view.name()));
            }
            return parameters;
        }
    }

    /** Reads the parameters of a multilayer perceptron, after checking their shapes. */
    static float[] readValues(Path file, MultilayerPerceptronOptions options) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            check(tensors, options.layout());
            float[] values = new float[options.parameterCount()];
            readInto(values, options.layout(), tensors);
            return values;
        }
    }

    private static void readInto(float[] values, List<ParameterView> layout, SafeTensorsFile tensors)
            throws IOException {
        for (ParameterView view : layout) {
            tensors.readInto(values, view.offset(), tensors.tensor(view.name()));
        }
    }

    /** The architecture in the file's metadata, after checking that the tensors fit. */
    static Architecture architecture(SafeTensorsFile tensors) throws MalformedFileException {
        Architecture architecture = options(
                tensors,
                ARCHITECTURE_KEY,
                json -> ArchitectureJson.read(json, tensors.tensors().size()));
        check(tensors, architecture.layout());
        return architecture;
    }

    /** The multilayer perceptron in the file's metadata, after checking that the tensors fit. */
    static MultilayerPerceptronOptions perceptron(SafeTensorsFile tensors) throws MalformedFileException {
        MultilayerPerceptronOptions options = options(tensors, PERCEPTRON_KEY, ArchitectureJson::readPerceptron);
        if (options.layers() > tensors.tensors().size()) {
            throw new MalformedFileException(
                    tensors.path(), "", "expected " + options.layers() + " layers, got fewer tensors");
        }
        check(tensors, options.layout());
        return options;
    }

    private static <T> T options(SafeTensorsFile tensors, String key, Function<String, T> reader)
            throws MalformedFileException {
        String json = tensors.metadata().get(key);
        String place = "header: __metadata__." + key;
        if (json == null) {
            throw new MalformedFileException(tensors.path(), place, "expected an architecture in JSON, got none");
        }
        try {
            return reader.apply(json);
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(tensors.path(), place, String.valueOf(e.getMessage()));
        }
    }

    private static void check(SafeTensorsFile tensors, List<ParameterView> layout) throws MalformedFileException {
        Set<String> expected = new HashSet<>();
        for (ParameterView view : layout) {
            requireTensor(tensors, view.name(), shape(view));
            expected.add(view.name());
        }
        requireNoOthers(tensors, expected);
    }

    /** The tensor with this name, after checking its shape and type. */
    static TensorEntry requireTensor(SafeTensorsFile tensors, String name, LongList shape)
            throws MalformedFileException {
        TensorEntry tensor = tensors.tensors().get(name);
        if (tensor == null) {
            throw new MalformedFileException(
                    tensors.path(), name, "expected a tensor of shape " + shape + ", got none of this name");
        }
        if (!tensor.shape().equals(shape)) {
            throw new MalformedFileException(
                    tensors.path(), name, "expected shape " + shape + ", got " + tensor.shape());
        }
        if (!tensor.type().holdsWeights()) {
            throw new MalformedFileException(
                    tensors.path(), name, "expected dtype " + TensorType.weightNames() + ", got " + tensor.type());
        }
        return tensor;
    }

    static void requireNoOthers(SafeTensorsFile tensors, Set<String> expected) throws MalformedFileException {
        for (String name : tensors.tensors().keySet()) {
            if (!expected.contains(name)) {
                throw new MalformedFileException(
                        tensors.path(),
                        Refuse.shown(name),
                        "expected no tensor of this name, got one of shape "
                                + Refuse.shown(
                                        String.valueOf(tensors.tensor(name).shape())));
            }
        }
    }
}

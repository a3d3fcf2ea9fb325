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
                        .map(view ->
                                new TensorContent(view.name(), Place.of(view).shape(view), values, view.offset()))
                        .toList());
    }

    /**
     * The place of a parameter in a file.
     *
     * @param tensor the name of the tensor
     * @param part the index of the part of the tensor, from left to right
     * @param parts the number of parts of the tensor
     */
    record Place(String tensor, int part, int parts) {

        static Place of(ParameterView view) {
            return new Place(view.name(), 0, 1);
        }

        private LongList shape(ParameterView view) {
            long columns = (long) parts * view.columns();
            return view.vector() ? LongList.of(columns) : LongList.of(view.rows(), columns);
        }
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
            readInto(parameters.values(), architecture.layout(), tensors, Place::of);
            return parameters;
        }
    }

    /** Like {@link #read}, in binary64 without rounding. */
    public static ExactParameters readExact(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            Architecture architecture = architecture(tensors);
            var parameters = new ExactParameters(architecture);
            readInto(parameters.values(), architecture.layout(), tensors, Place::of);
            return parameters;
        }
    }

    /** Reads the parameters of a multilayer perceptron, after checking their shapes. */
    static float[] readValues(Path file, MultilayerPerceptronOptions options) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            check(tensors, options.layout(), Place::of, Set.of());
            float[] values = new float[options.parameterCount()];
            readInto(values, options.layout(), tensors, Place::of);
            return values;
        }
    }

    /** Reads parameters into an array of floats or of doubles. */
    static void readInto(
            Object values, List<ParameterView> layout, SafeTensorsFile tensors, Function<ParameterView, Place> places)
            throws IOException {
        for (ParameterView view : layout) {
            Place place = places.apply(view);
            TensorEntry tensor = tensors.tensor(place.tensor);
            if (place.parts == 1) {
                tensors.readInto(values, view.offset(), tensor);
                continue;
            }
            Object all = values instanceof float[] ? tensors.read(tensor) : tensors.readExact(tensor);
            int columns = view.columns();
            for (int row = 0; row < view.rows(); row++) {
                int from = (row * place.parts + place.part) * columns;
                System.arraycopy(all, from, values, view.offset() + row * columns, columns);
            }
        }
    }

    /** The architecture in the file's metadata, after checking that the tensors fit. */
    static Architecture architecture(SafeTensorsFile tensors) throws MalformedFileException {
        Architecture architecture = options(
                tensors,
                ARCHITECTURE_KEY,
                json -> ArchitectureJson.read(json, tensors.tensors().size()));
        check(tensors, architecture.layout(), Place::of, Set.of());
        return architecture;
    }

    /** The multilayer perceptron in the file's metadata, after checking that the tensors fit. */
    static MultilayerPerceptronOptions perceptron(SafeTensorsFile tensors) throws MalformedFileException {
        MultilayerPerceptronOptions options = options(tensors, PERCEPTRON_KEY, ArchitectureJson::readPerceptron);
        if (options.layers() > tensors.tensors().size()) {
            throw new MalformedFileException(
                    tensors.path(), "", "expected " + options.layers() + " layers, got fewer tensors");
        }
        check(tensors, options.layout(), Place::of, Set.of());
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

    /** Checks that a file has exactly the tensors of these parameters, apart from tensors with other legal names. */
    static void check(
            SafeTensorsFile tensors,
            List<ParameterView> layout,
            Function<ParameterView, Place> places,
            Set<String> others)
            throws MalformedFileException {
        Set<String> expected = new HashSet<>(others);
        for (ParameterView view : layout) {
            Place place = places.apply(view);
            requireTensor(tensors, place.tensor, place.shape(view));
            expected.add(place.tensor);
        }
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
        tensors.readableSize(tensor);
        return tensor;
    }
}

package org.lemmata.model.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/** The model of a safetensors file, written by Lemmata or, for GPT-2, by Hugging Face's transformers. */
public sealed interface StoredModel {

    Path file();

    int vocabularySize();

    int maxLength();

    /**
     * The parameters, in the order of the model's layout; F64 values are rounded to nearest even.
     *
     * @throws MalformedFileException if a parameter is NaN or infinite in binary32
     */
    float[] values() throws IOException;

    /**
     * Reads the type of the model in a file and the shapes of its tensors, but not their elements.
     *
     * @throws MalformedFileException if the file neither names an architecture nor contains a GPT-2, or its tensors do
     *     not fit its architecture
     */
    static StoredModel open(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            if (tensors.metadata().containsKey(Weights.PERCEPTRON_KEY)) {
                return new OfPerceptron(file, Weights.perceptron(tensors));
            }
            if (tensors.metadata().containsKey(Weights.ARCHITECTURE_KEY)) {
                return new OfTransformer(file, Weights.architecture(tensors), false);
            }
            if (Gpt2Weights.isOne(tensors)) {
                return new OfTransformer(file, Gpt2Weights.architecture(tensors), true);
            }
            throw new MalformedFileException(
                    file,
                    "header",
                    "expected " + Weights.ARCHITECTURE_KEY + " in the metadata, or the tensors of a GPT-2 as Hugging"
                            + " Face names them, got neither");
        }
    }

    private static void requireFinite(Path file, List<ParameterView> layout, IntToDoubleFunction values)
            throws MalformedFileException {
        for (ParameterView view : layout) {
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                if (!Double.isFinite(values.applyAsDouble(i))) {
                    throw new MalformedFileException(
                            file, view.name(), "expected finite numbers, got " + values.applyAsDouble(i));
                }
            }
        }
    }

    /**
     * A transformer.
     *
     * @param isGpt2 whether tensors have the names of Hugging Face's transformers
     */
    record OfTransformer(Path file, Architecture architecture, boolean isGpt2) implements StoredModel {

        private static final int MAX_POSITIONS = 1 << 24;

        @Override
        public int vocabularySize() {
            return architecture.vocabularySize();
        }

        @Override
        public int maxLength() {
            return architecture.maxLength();
        }

        @Override
        public float[] values() throws IOException {
            float[] values = (isGpt2 ? Gpt2Weights.read(file) : Weights.read(file)).values();
            requireFinite(file, architecture.layout(), i -> values[i]);
            return values;
        }

        private double[] exactValues() throws IOException {
            double[] values = (isGpt2 ? Gpt2Weights.readExact(file) : Weights.readExact(file)).values();
            requireFinite(file, architecture.layout(), i -> values[i]);
            return values;
        }

        /**
         * This model with a maximum length of 2^24, or unchanged if it has a position table with a row per position.
         */
        public OfTransformer unbounded() {
            return architecture.positions().kind() == PositionOptions.Kind.TABLE
                    ? this
                    : new OfTransformer(file, architecture.withMaxLength(MAX_POSITIONS), isGpt2);
        }

        /**
         * Loads the model. If the policy {@code asked} rounds every tensor to binary64, the model runs in binary64,
         * otherwise on {@code kernels}. Without a policy, it runs in binary32 if that represents every parameter
         * exactly, otherwise in binary64. With a policy, F64 values become binary32 numbers: rounded once to the format
         * of weights or, if weights have none, shared scales or stochastic rounding, first to nearest even.
         *
         * @throws IllegalArgumentException if the policy has binary64 only for some tensors, or for all tensors and
         *     other rounding of sums
         */
        public LanguageModel model(Optional<PrecisionPolicy> asked, Kernels kernels) throws IOException {
            PrecisionPolicy policy = asked.map(PrecisionPolicy::ofInference).orElseGet(PrecisionPolicy::none);
            if (policy.isBinary64()) {
                Rounding nearest = Rounding.toNearestEven(FloatFormat.BINARY64);
                policy.rounding(PrecisionSite.SUMS).ifPresent(sums -> {
                    Refuse.when(!sums.equals(nearest), "sums", "binary64 to nearest even", sums.label());
                });
                return new ReferenceTransformer(new ExactParameters(architecture, exactValues()));
            }
            policy.requireBinary32();
            return policy.isNone() && isWide()
                    ? new ReferenceTransformer(new ExactParameters(architecture, exactValues()))
                    : new Transformer(new Parameters(architecture, narrowValues(policy)), policy, kernels);
        }

        private float[] narrowValues(PrecisionPolicy policy) throws IOException {
            if (policy.rounding(PrecisionSite.WEIGHTS).orElse(null) instanceof Rounding rounding
                    && !rounding.isStochastic()
                    && isWide()) {
                double[] exact = exactValues();
                float[] values = new float[exact.length];
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) rounding.round(exact[i]);
                }
                return values;
            }
            return values();
        }

        /** Whether binary32 cannot represent every parameter. */
        private boolean isWide() throws IOException {
            try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
                return tensors.tensors().values().stream().anyMatch(tensor -> tensor.type() == TensorType.F64)
                        && Arrays.stream(exactValues()).anyMatch(value -> (float) value != value);
            }
        }
    }

    record OfPerceptron(Path file, MultilayerPerceptronOptions options) implements StoredModel {

        @Override
        public int vocabularySize() {
            return options.vocabularySize();
        }

        @Override
        public int maxLength() {
            return options.length();
        }

        @Override
        public float[] values() throws IOException {
            float[] values = Weights.readValues(file, options);
            requireFinite(file, options.layout(), i -> values[i]);
            return values;
        }
    }
}

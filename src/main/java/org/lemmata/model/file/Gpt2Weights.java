package org.lemmata.model.file;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.NormalizationOptions.Placement;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Weights.Place;

/**
 * Reads GPT-2 from a safetensors file with the tensor names of Hugging Face's transformers. Names may begin with
 * {@code _orig_mod.} and {@code module.}, which PyTorch wrappers add, followed by {@code transformer.}.
 *
 * <p>Maps are stored as inputs x outputs, as in Lemmata; {@code c_attn} has W_Q, W_K and W_V side by side. Causal masks
 * ({@code attn.bias}, {@code attn.masked_bias}), {@code position_ids}, integer scalars and empty tensors are ignored.
 * The unembedding is the token embedding, unless the file has a {@code lm_head.weight} that differs from it. Unless
 * {@code tie_word_embeddings} is false, a file with a single table may have it under either name. This key, the number
 * of heads, the activation and epsilon are read from {@code config.json} in the same directory. Without this file, they
 * have the values of the published GPT-2 models.
 *
 * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners; the file of
 * huggingface.co/openai-community/gpt2.
 */
public final class Gpt2Weights {

    private static final String HEAD = "lm_head.weight";
    private static final String EMBEDDING = "wte.weight";
    private static final String POSITIONS = "wpe.weight";
    private static final Pattern NAMES =
            Pattern.compile("((?:_orig_mod\\.|module\\.)*)((?:transformer\\.)?)wpe\\.weight");
    private static final Pattern LAYER = Pattern.compile("h\\.\\d+\\.ln_1\\.weight");
    private static final Pattern MASK = Pattern.compile("h\\.\\d+\\.attn\\.(bias|masked_bias)|position_ids");

    /** The head width of the published GPT-2 models, from 124 million to 1.5 billion parameters. */
    private static final int HEAD_WIDTH = 64;

    /** Options that the tensors' shapes do not determine. If {@code heads} is 0, there is one head per 64 columns. */
    private record Options(int heads, Activation.Kind activation, float epsilon, boolean tied) {

        static Options beside(Path file) throws IOException {
            Optional<ModelConfig> config = ModelConfig.beside(file);
            if (config.isEmpty()) {
                return new Options(0, Activation.Kind.TANH_GELU, 1e-5f, true);
            }
            ModelConfig told = config.get();
            told.requireGpt2();
            return new Options(told.heads().orElse(0), told.activation(), told.epsilon(), told.tied());
        }
    }

    private final SafeTensorsFile tensors;
    private final String prefix;
    private final String head;
    private final String embedding;
    private final Options options;

    private Gpt2Weights(SafeTensorsFile tensors, Options options) {
        this.tensors = tensors;
        this.options = options;
        Optional<Matcher> names = names(tensors);
        prefix = names.map(match -> match.group(1) + match.group(2)).orElse("");
        head = names.map(match -> match.group(1)).orElse("") + HEAD;
        boolean headAlone = !has(prefix + EMBEDDING) && has(head) && options.tied;
        embedding = headAlone ? head : prefix + EMBEDDING;
    }

    private static Optional<Matcher> names(SafeTensorsFile tensors) {
        return tensors.tensors().keySet().stream()
                .map(NAMES::matcher)
                .filter(Matcher::matches)
                .findFirst();
    }

    private boolean has(String name) {
        return tensors.tensors().containsKey(name);
    }

    static boolean isOne(SafeTensorsFile tensors) {
        return names(tensors).isPresent();
    }

    /**
     * Reads the model of a file. F64 values are rounded to nearest even.
     *
     * @throws MalformedFileException if {@code config.json} describes another computation, or the file is not a GPT-2:
     *     the message names the first tensor that is missing, has another shape or is not expected
     * @throws IllegalArgumentException if the width is not a multiple of the number of heads
     */
    public static Parameters read(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            var weights = new Gpt2Weights(tensors, Options.beside(file));
            Architecture architecture = weights.checked();
            var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
            Weights.readInto(parameters.values(), architecture.layout(), tensors, weights::place);
            return parameters;
        }
    }

    /** Like {@link #read}, in binary64 without rounding. */
    static ExactParameters readExact(Path file) throws IOException {
        try (SafeTensorsFile tensors = SafeTensorsFile.open(file)) {
            var weights = new Gpt2Weights(tensors, Options.beside(file));
            var parameters = new ExactParameters(weights.checked());
            Weights.readInto(parameters.values(), parameters.architecture().layout(), tensors, weights::place);
            return parameters;
        }
    }

    static Architecture architecture(SafeTensorsFile tensors) throws IOException {
        return new Gpt2Weights(tensors, Options.beside(tensors.path())).checked();
    }

    /** The architecture, after checking that the file has exactly its tensors, apart from tensors that are ignored. */
    private Architecture checked() throws IOException {
        Architecture architecture = architecture();
        Weights.check(tensors, architecture.layout(), this::place, others());
        return architecture;
    }

    private Architecture architecture() throws IOException {
        int width = extent(embedding, 1);
        if (width % (options.heads == 0 ? HEAD_WIDTH : options.heads) != 0) {
            throw new IllegalArgumentException("heads: expected n_head in config.json next to " + tensors.path()
                    + ", a divisor of the width " + width + ", got " + (options.heads == 0 ? "none" : options.heads));
        }
        int heads = options.heads == 0 ? width / HEAD_WIDTH : options.heads;
        int hidden = extent(prefix + "h.0.mlp.c_fc.weight", 1);
        Architecture tied = Architecture.gpt2(
                        extent(embedding, 0), extent(prefix + POSITIONS, 0), width, layers(), heads, hidden, 0)
                .withFeedForward(new FeedForwardOptions(hidden, options.activation, true, true))
                .withNormalization(
                        new NormalizationOptions(Placement.PRE, Normalization.Kind.LAYER, options.epsilon, true, true));
        return isTied() ? tied : tied.withOutput(OutputOptions.nextToken(false));
    }

    private int extent(String name, int axis) throws MalformedFileException {
        LongList shape = tensors.tensor(name).shape();
        if (shape.size() != 2 || shape.getLong(axis) < 1 || shape.getLong(axis) > Integer.MAX_VALUE) {
            throw new MalformedFileException(
                    tensors.path(),
                    name,
                    "expected a matrix with extents from 1 to 2^31 - 1, got shape " + Refuse.shown(shape.toString()));
        }
        return (int) shape.getLong(axis);
    }

    /** Counts the layers instead of reading the largest layer number, so that a gap is reported as a missing tensor. */
    private int layers() {
        return (int) tensors.tensors().keySet().stream()
                .filter(name -> name.startsWith(prefix)
                        && LAYER.matcher(name.substring(prefix.length())).matches())
                .count();
    }

    /** The names of the unembedding and of the tensors that are ignored. */
    private Set<String> others() {
        return tensors.tensors().values().stream()
                .filter(tensor -> tensor.name().equals(head)
                        || tensor.size() == 0
                        || (tensor.shape().isEmpty() && tensor.type().isInteger())
                        || (tensor.name().startsWith(prefix)
                                && MASK.matcher(tensor.name().substring(prefix.length()))
                                        .matches()))
                .map(TensorEntry::name)
                .collect(Collectors.toSet());
    }

    private boolean isTied() throws IOException {
        if (!has(head)) {
            MalformedFileException.when(
                    !options.tied, tensors.path(), head, "this tensor, since tie_word_embeddings is false", "none");
            return true;
        }
        TensorEntry table = tensors.tensor(embedding);
        TensorEntry ofHead = Weights.requireTensor(tensors, head, table.shape());
        boolean wide = ofHead.type() == TensorType.F64 || table.type() == TensorType.F64;
        return head.equals(embedding)
                || (wide
                        ? Arrays.equals(tensors.readExact(ofHead), tensors.readExact(table))
                        : Arrays.equals(tensors.read(ofHead), tensors.read(table)));
    }

    private Place place(ParameterView view) {
        String layer = "h." + view.layer() + ".";
        return switch (view.role()) {
            case TOKEN_EMBEDDING -> new Place(embedding, 0, 1);
            case POSITION_EMBEDDING -> whole(POSITIONS);
            case ATTENTION_NORM_GAIN -> whole(layer + "ln_1.weight");
            case ATTENTION_NORM_SHIFT -> whole(layer + "ln_1.bias");
            case QUERY -> third(layer + "attn.c_attn.weight", 0);
            case QUERY_BIAS -> third(layer + "attn.c_attn.bias", 0);
            case KEY -> third(layer + "attn.c_attn.weight", 1);
            case KEY_BIAS -> third(layer + "attn.c_attn.bias", 1);
            case VALUE -> third(layer + "attn.c_attn.weight", 2);
            case VALUE_BIAS -> third(layer + "attn.c_attn.bias", 2);
            case OUTPUT -> whole(layer + "attn.c_proj.weight");
            case OUTPUT_BIAS -> whole(layer + "attn.c_proj.bias");
            case FEED_FORWARD_NORM_GAIN -> whole(layer + "ln_2.weight");
            case FEED_FORWARD_NORM_SHIFT -> whole(layer + "ln_2.bias");
            case FIRST -> whole(layer + "mlp.c_fc.weight");
            case FIRST_BIAS -> whole(layer + "mlp.c_fc.bias");
            case SECOND -> whole(layer + "mlp.c_proj.weight");
            case SECOND_BIAS -> whole(layer + "mlp.c_proj.bias");
            case FINAL_NORM_GAIN -> whole("ln_f.weight");
            case FINAL_NORM_SHIFT -> whole("ln_f.bias");
            case UNEMBEDDING -> new Place(head, 0, 1);
            default -> throw new IllegalStateException("GPT-2 has no " + view.name());
        };
    }

    private Place whole(String name) {
        return new Place(prefix + name, 0, 1);
    }

    private Place third(String name, int part) {
        return new Place(prefix + name, part, 3);
    }
}

package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.text.TextTokens;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.StoredModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.task.Task;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.hierarchy.GenerationTask;
import org.lemmata.token.Vocabulary;

/**
 * Weights with their context. The context of a run's weights is the precision and the task, or for a text the symbols.
 * For other weights, it is the symbols in {@code config.json}, if there is such a file.
 *
 * <p>In text, symbols are separated by blanks, unless each has one character. If they are from {@link TextTokens}, text
 * is natural language. Without symbols, text consists of ids.
 */
public final class SavedModel {

    private static final String END = "<eos>";

    /** A regular expression for symbols of a start or an end, which represent no text. */
    private static final String MARK = "<.+>";

    private final StoredModel stored;
    private final @Nullable TrainingTask task;
    private final PrecisionPolicy precision;

    /** The symbols; empty if tokens have only ids. */
    private final Optional<Vocabulary> symbols;

    /** The kind of natural-language tokens to which the symbols belong; empty for other symbols. */
    private final Optional<TextTokens> language;

    /** Whether every symbol that represents text has one character. */
    private final boolean isDense;

    /** The start token, if every sequence begins with one. */
    private final OptionalInt start;

    private final IntSet ends;

    private SavedModel(
            StoredModel stored, @Nullable TrainingTask task, PrecisionPolicy precision, Optional<ModelConfig> config)
            throws IOException {
        this.stored = stored;
        this.task = task;
        this.precision = precision;
        symbols = task != null
                ? Optional.of(task.vocabulary())
                : config.isPresent() ? config.get().vocabulary() : Optional.empty();
        int tokens = stored.vocabularySize();
        if (symbols.isPresent() && symbols.get().size() != tokens) {
            throw new IllegalArgumentException(stored.file() + ": expected the "
                    + symbols.get().size() + " symbols of the configuration next to it, got " + tokens);
        }
        List<String> all = symbols.map(Vocabulary::symbols).orElse(List.of());
        language = symbols.flatMap(TextTokens::of);
        isDense = symbols.isPresent()
                && all.stream()
                        .allMatch(symbol -> symbol.matches(MARK) || symbol.codePointCount(0, symbol.length()) == 1);
        start = start(task, all);
        int end = Optional.ofNullable(task)
                .flatMap(own -> own.task().questions())
                .map(BooleanExpressions::end)
                .orElse(all.indexOf(language.isEmpty() || all.contains(END) ? END : TextTokens.END_SYMBOL));
        ends = end >= 0
                ? IntSet.of(end)
                : config.isEmpty() ? IntSet.of() : config.get().ends();
    }

    /**
     * Opens a safetensors file or the directory of a run.
     *
     * @throws IllegalArgumentException if the weights and the files next to them contradict each other
     */
    public static SavedModel open(Path place) throws IOException {
        Path weights = RunDirectory.weights(place);
        StoredModel stored = StoredModel.open(weights);
        Optional<ModelConfig> config = ModelConfig.beside(weights);
        Optional<Path> run = RunDirectory.configuration(weights);
        if (run.isEmpty()) {
            return new SavedModel(stored, null, PrecisionPolicy.none(), config);
        }
        Configuration root = Configuration.read(run.get(), List.of(), TrainingSections.TRAINING);
        Configuration section = root.section("task");
        // For weights trained on a text, the text is not read: its symbols are in the directory of the weights.
        TrainingTask task = config.isPresent() && section.isGiven("text")
                ? null
                : TrainingTask.read(section, root.section("data").flag("start"));
        return new SavedModel(stored, task, PrecisionReader.read(root.section("precision")), config);
    }

    private static OptionalInt start(@Nullable TrainingTask task, List<String> symbols) {
        if (task != null && !task.start() && beginsAlike(task.task())) {
            return OptionalInt.of(task.sample(new PhiloxGenerator(0, 0, 0)).inputs()[0]);
        }
        int id = symbols.indexOf(TrainingTask.START);
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    private static boolean beginsAlike(Task task) {
        return task.questions().isPresent()
                || task.generative().map(GenerationTask::given).orElse(0) > 0;
    }

    StoredModel stored() {
        return stored;
    }

    /** The task of the run, without a start token. */
    Optional<Task> task() {
        return Optional.ofNullable(task).map(TrainingTask::task);
    }

    /**
     * The number of tokens in a sequence of the task, including the start token if it has one. Without a task, the
     * model's number of positions.
     */
    int length() {
        return task == null ? stored.maxLength() : task.length();
    }

    /** Whether every sequence begins with a start token, which an input line may omit. */
    boolean hasStart() {
        return start.isPresent();
    }

    IntSet ends() {
        return ends;
    }

    /**
     * The ids of a line, with the start token if the model has one.
     *
     * @throws IllegalArgumentException if the line has an unknown token, or is empty and the model has no start token
     */
    int[] read(String line) {
        int[] ids = ids(line);
        boolean isLeft = start.isPresent() && (ids.length == 0 || ids[0] != start.getAsInt());
        Refuse.when(
                ids.length == 0 && !isLeft, "input", "at least 1 token, since the model has no start token", "none");
        return isLeft
                ? IntStream.concat(IntStream.of(start.getAsInt()), IntStream.of(ids))
                        .toArray()
                : ids;
    }

    int[] bare(int... ids) {
        boolean has = start.isPresent() && ids.length > 0 && ids[0] == start.getAsInt();
        return has ? IntStream.of(ids).skip(1).toArray() : ids;
    }

    /** The ids in the form of the task, without a start token that training added. */
    int[] ofTask(int... ids) {
        return task == null ? ids : task.bare(ids);
    }

    private int[] ids(String text) {
        if (language.isPresent()) {
            Vocabulary all = language.get().vocabulary();
            return Arrays.stream(language.get().encode(text))
                    .map(id -> id(all.symbol(id)))
                    .toArray();
        }
        var ids = new IntArrayList();
        for (String word : text.isBlank() ? new String[0] : text.strip().split("\\s+", 0)) {
            if (isDense && !word.matches(MARK)) {
                word.codePoints().mapToObj(Character::toString).forEach(symbol -> ids.add(id(symbol)));
            } else {
                ids.add(id(word));
            }
        }
        return ids.toIntArray();
    }

    private int id(String token) {
        if (symbols.isEmpty()) {
            int count = stored.vocabularySize();
            int id = token.matches("[0-9]{1,9}") ? Integer.parseInt(token) : count;
            Refuse.when(id >= count, "token", "an id from 0 to " + (count - 1), Refuse.quoted(token));
            return id;
        }
        if (!symbols.get().contains(token)) {
            String all = String.join(" ", symbols.get().symbols());
            Refuse.when(true, "token", "one of " + Refuse.shown(all), Refuse.quoted(token));
        }
        return symbols.get().id(token);
    }

    /** The text of ids, without the start token if the model has one. */
    String shown(int... ids) {
        IntStream shown = Arrays.stream(bare(ids));
        if (language.isPresent()) {
            Vocabulary all = language.get().vocabulary();
            return language.get()
                    .decode(shown.mapToObj(symbols.orElseThrow()::symbol)
                            .filter(all::contains)
                            .mapToInt(all::id)
                            .toArray());
        }
        return shown.mapToObj(id -> symbols.map(all -> all.symbol(id)).orElseGet(() -> Integer.toString(id)))
                .collect(Collectors.joining(isDense ? "" : " "));
    }

    /**
     * The transformer, rounded by the policy {@code asked} or, if it is empty, by the run's policy. Sequences may be
     * longer than in training unless there is a position table with one row per position.
     *
     * @throws IllegalArgumentException if the model is a multilayer perceptron
     */
    LanguageModel transformer(Optional<PrecisionPolicy> asked, Kernels kernels) throws IOException {
        if (stored instanceof StoredModel.OfTransformer transformer) {
            return transformer.unbounded().model(asked.or(() -> Optional.of(precision)), kernels);
        }
        throw new IllegalArgumentException(stored.file() + ": expected a transformer, got an mlp");
    }
}

package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.dataset.text.TextTokens;
import org.lemmata.dataset.text.TokenCorpus;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * The task that is learned: its examples are drawn or read from files, optionally with a start token.
 *
 * @param dataSet the files; null if examples are drawn
 * @param start whether {@link #START} precedes each sequence
 */
record TrainingTask(Task task, @Nullable DataSet dataSet, boolean start) {

    static final Section SECTION = Section.of(
            "task",
            Setting.table("""
                name | | a task that `lemmata tasks` lists; must be given unless `file` or `text` is. `data` stands for
                  the data set in `file`, whatever task its manifest names
                file | | instead of `name`: the directory of a data set, from `lemmata generate` or your own
                implied text | none | instead of `name`: the directory of token files from `lemmata tokenize`, or of
                  nanoGPT's `train.bin` and `val.bin` with GPT-2's tokens
                implied length | 1024 | tokens per window of `text`
                implied vocabulary | none | the tokens of `text`, `gpt2` or `bytes`; by default those of its manifest.
                  If you also set `data.validation` and `data.test`, the files are opened only when tokens are drawn
                implied own-vocabulary | false | whether the model has only the tokens that occur in the files of
                  `text`: a small text has only some of GPT-2's tokens. The files are then read at the start
                implied sha256 | none | the SHA-256 that the concatenated token files of `text` must have
                """),
            Section.open("settings", "settings of the task `name`, with the defaults that `lemmata tasks` lists"));

    static final String START = "<start>";

    private static final String LISTED = "a task that lemmata tasks lists";

    private static final ValueType<String> SHA_256 = new ValueType<>(
            "64 hexadecimal digits in lower case",
            true,
            text -> Optional.of(text).filter(digits -> digits.matches("[0-9a-f]{64}")));

    private static final int MOST_TOKENS = 1 << 24;

    static TrainingTask read(Configuration section, boolean start) throws IOException {
        Configuration settings = section.section("settings");
        if (section.isGiven("text")) {
            requireNone(section, List.of("name", "file", "settings"), "a text");
            TokenCorpus corpus =
                    section.flag("own-vocabulary") ? corpus(section).ofOccurring() : corpus(section);
            long tokens = corpus.isOpen()
                    ? corpus.split(TokenCorpus.Split.TRAIN).orElseThrow().size()
                    : Long.MAX_VALUE;
            section.refuseWhen(tokens < 2, "text", "at least 2 tokens of the split train", tokens);
            int length = section.integer("length", 1, (int) Math.min(MOST_TOKENS, tokens - 1));
            return new TrainingTask(new TextTask(corpus, length), null, start);
        }
        boolean own = section.isGiven("name") && section.text("name", LISTED).equals(DataSet.DataSetTask.NAME);
        if (own || section.isGiven("file")) {
            List<String> others = own ? List.of("settings") : List.of("name", "settings");
            requireNone(section, others, "a file, which names its task");
            DataSet dataSet = DataSet.open(RunDirectory.named(section, "file", "the directory of a data set"));
            return new TrainingTask(own ? new DataSet.DataSetTask(dataSet) : task(section, dataSet), dataSet, start);
        }
        String name = section.text("name", LISTED);
        Catalogue.Entry<Task> entry = section.checked("name", () -> Tasks.CATALOGUE.entry(name));
        SequencedMap<String, String> texts = settings.texts();
        Task task = settings.checked(() -> entry.create(texts));
        settings.keepTexts(entry.effective(texts));
        return new TrainingTask(task, null, start);
    }

    private static void requireNone(Configuration section, List<String> keys, String with) {
        for (String key : keys) {
            section.refuseWhen(section.isGiven(key), key, "none with " + with, "one");
        }
    }

    /** The corpus. With the key {@code vocabulary}, its files are opened only when tokens are drawn. */
    private static TokenCorpus corpus(Configuration section) throws IOException {
        Path directory = RunDirectory.named(section, "text", "a directory");
        Optional<TextTokens> kind =
                section.unless("none", "vocabulary", ValueType.choice(List.of(TextTokens.values())));
        Optional<String> hash = section.unless("none", "sha256", SHA_256);
        if (kind.isEmpty() && hash.isEmpty()) {
            return TokenCorpus.open(directory);
        }
        TextTokens tokens =
                kind.isPresent() ? kind.get() : TokenCorpus.open(directory).kind();
        return TokenCorpus.expected(directory, tokens, hash);
    }

    /**
     * The task that the manifest of {@code files} names. If it names none or an unknown one, a task that consists of
     * the examples.
     */
    private static Task task(Configuration section, DataSet files) throws IOException {
        Optional<String> name = files.task().filter(Tasks.CATALOGUE.names()::contains);
        if (name.isEmpty()) {
            return new DataSet.DataSetTask(files);
        }
        Task task;
        try {
            task = Tasks.CATALOGUE.entry(name.get()).create(files.settings());
        } catch (IllegalArgumentException e) {
            throw section.refusal("file", e.getMessage());
        }
        section.refuseWhen(
                !task.vocabulary().equals(files.vocabulary()),
                "file",
                "the " + task.vocabulary().size() + " symbols of the task " + name.get() + ", which the manifest names",
                files.vocabulary().size());
        return task;
    }

    /**
     * The property {@code offered}, which {@code key} requires and only some tasks have.
     *
     * @param expected the legal value of the key for a task without the property
     * @throws IllegalArgumentException if {@code offered} is empty
     */
    <T> T require(Optional<T> offered, Configuration section, String key, String expected) {
        return offered.orElseThrow(
                () -> section.refusal(key, "expected " + expected + ", got the task " + task.name()));
    }

    Optional<TextTask> text() {
        return task instanceof TextTask text ? Optional.of(text) : Optional.empty();
    }

    /** The symbols of the task. If {@code start}, {@link #START} is appended, which keeps the ids of the symbols. */
    Vocabulary vocabulary() {
        Vocabulary symbols = task.vocabulary();
        if (!start) {
            return symbols;
        }
        var more = new ArrayList<>(symbols.symbols());
        more.add(START);
        return new Vocabulary(more);
    }

    /** The number of tokens in a sequence of the task, with {@link #START} if there is one. */
    int length() {
        return task.defaultLength() + (start ? 1 : 0);
    }

    /** Another task, with the same start token. */
    TrainingTask of(Task other) {
        return new TrainingTask(other, dataSet, start);
    }

    Example sample(RandomGenerator random) {
        return prepared(task.sample(random, task.defaultLength()));
    }

    /**
     * An example of the task as the model reads it. If each token is predicted from its predecessors, the start token
     * makes the first token predictable, so the first token is also scored.
     */
    Example prepared(Example example) {
        if (!start) {
            return example;
        }
        int[] inputs = prefixed(example.inputs());
        if (example.equals(Example.nextToken(example.inputs()))) {
            return Example.nextToken(inputs);
        }
        int[] positions = IntStream.of(example.scoredPositions())
                .map(position -> position + 1)
                .toArray();
        return new Example(inputs, example.targets(), example.values(), positions);
    }

    int[] prefixed(int... ids) {
        return start
                ? IntStream.concat(IntStream.of(task.vocabulary().size()), IntStream.of(ids))
                        .toArray()
                : ids;
    }

    /** Whether a generated sequence is a word of any length. A word cannot contain {@link #START}. */
    boolean isWord(int... ids) {
        DyckWords words = task.words().orElseThrow();
        int[] word = bare(ids);
        return IntStream.of(word).allMatch(id -> id < words.vocabulary().size()) && DyckWords.isBalanced(word);
    }

    String text(int... ids) {
        return IntStream.of(bare(ids)).mapToObj(vocabulary()::symbol).collect(Collectors.joining());
    }

    int[] bare(int... ids) {
        return start ? IntStream.of(ids).skip(1).toArray() : ids;
    }
}

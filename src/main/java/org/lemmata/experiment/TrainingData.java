package org.lemmata.experiment;

import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.text.TextTask;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.ShuffledExamples;
import org.lemmata.train.Split;

/**
 * The examples of a run.
 *
 * @param training the endless stream of training examples
 * @param trainingSet all training examples if they are a finite set, otherwise empty
 * @param words the training set, if it consists of distinct words of brackets
 */
record TrainingData(
        ExampleStream training,
        List<Example> trainingSet,
        Optional<DistinctWords> words,
        List<Example> validation,
        List<Example> test) {

    static final Section SECTION = Section.of("data", Setting.table("""
        train | | `online` (every example is new) or the size of a training set; by default `online`, or the whole split
          train of a file
        distinct | false | whether all training examples differ from each other and from those of the validation and
          test sets
        validation | | examples of the validation set, 0 for none; by default 1024. For a file, the default is its split
          validation, or else the last tenth of the split train; for a text, at most 1024 windows at equal distances
        test | | examples of the test set, 0 for none; by default 1024. For a file, the default is its split test; for a
          text, at most 1024 windows at equal distances
        start | false | whether the token `<start>` is added to the vocabulary and placed before each sequence
        """));

    private static final int HELD_OUT = 1024;
    private static final int TENTH = 10;

    /**
     * Draws the examples of a run, which may take long.
     *
     * @param size the size of the training set; 0 if there is none
     * @param distinct whether the training set has distinct words of brackets
     * @param inEpochs whether no batch spans two epochs
     */
    record Draw(
            int validation, int test, int size, boolean distinct, boolean inEpochs, Supplier<TrainingData> examples) {

        boolean finite() {
            return size > 0;
        }

        Draw inEpochs(boolean epochs) {
            return new Draw(validation, test, size, distinct, epochs, examples);
        }

        /**
         * The examples; every call returns equal ones.
         *
         * @throws IllegalArgumentException if there are fewer examples than requested
         */
        TrainingData draw() {
            return inEpochs ? examples.get().inEpochs() : examples.get();
        }
    }

    /** Reads the section {@code data}, except {@code start}. Files are read, but nothing is drawn yet. */
    static Draw read(Configuration section, TrainingTask task, long seed) throws IOException {
        DataSet files = task.dataSet();
        if (files == null) {
            return task.text().isPresent() ? ofText(section, task, seed) : drawn(section, task, seed);
        }
        TrainingData data = ofFiles(section, task, files, seed);
        return new Draw(data.validation.size(), data.test.size(), data.trainingSet.size(), false, false, () -> data);
    }

    /** For a text, training windows are at random positions. Windows of the other splits are at equal distances. */
    private static Draw ofText(Configuration section, TrainingTask task, long seed) {
        if (section.unless("online", "train", ValueType.integer(1, Integer.MAX_VALUE))
                .isPresent()) {
            throw section.refusal("train", "expected online for a text, got a number");
        }
        section.refuseWhen(section.flag("distinct"), "distinct", "false for a text", "true");
        TextTask text = task.text().orElseThrow();
        TextTask validation = text.validation();
        TextTask test = text.test();
        int validated = windows(section, "validation", validation);
        int tested = windows(section, "test", test);
        return new Draw(validated, tested, 0, false, false, () -> {
            var training = new OnlineExamples(task::sample, seed, Split.TRAIN);
            // Opens the text, so that the numbers of windows are known and checked.
            training.next();
            training.seek(0);
            return new TrainingData(
                    training,
                    List.of(),
                    Optional.empty(),
                    prepared(validation.windows(windows(section, "validation", validation)), task),
                    prepared(test.windows(windows(section, "test", test)), task));
        });
    }

    /** The number of windows. If the text is not open, a given number is checked only when windows are drawn. */
    private static int windows(Configuration section, String key, TextTask split) {
        int most = split.isOpen() || !section.isGiven(key) ? split.windows() : Integer.MAX_VALUE;
        return section.get(key, ValueType.integer(0, most), () -> Math.min(HELD_OUT, most));
    }

    private static Draw drawn(Configuration section, TrainingTask task, long seed) {
        Optional<Integer> size = section.unless("online", "train", ValueType.integer(1, Integer.MAX_VALUE));
        boolean distinct = section.flag("distinct");
        section.refuseWhen(distinct && size.isEmpty(), "distinct", "false where examples are drawn online", "true");
        int validationSize = section.get("validation", ValueType.integer(0, Integer.MAX_VALUE), () -> HELD_OUT);
        int testSize = section.get("test", ValueType.integer(0, Integer.MAX_VALUE), () -> HELD_OUT);
        Optional<DyckWords> words = task.task().words().filter(any -> distinct);
        words.ifPresent(of -> requireEnough(section, of, size.orElseThrow(), Math.max(validationSize, testSize)));
        return new Draw(
                validationSize,
                testSize,
                size.orElse(0),
                words.isPresent(),
                false,
                () -> section.checked(() -> drawn(task, seed, size, distinct, validationSize, testSize)));
    }

    private static void requireEnough(Configuration section, DyckWords words, int size, int heldOut) {
        section.refuseWhen(
                BigInteger.valueOf((long) size + heldOut).compareTo(words.count()) > 0,
                "train",
                "at most " + words.count() + " distinct words together with the " + heldOut + " held out",
                size);
    }

    private static TrainingData drawn(
            TrainingTask task, long seed, Optional<Integer> size, boolean distinct, int validationSize, int testSize) {
        var train = new OnlineExamples(task::sample, seed, Split.TRAIN);
        var validation = new OnlineExamples(task.of(task.task().validation())::sample, seed, Split.VALIDATION);
        var test = new OnlineExamples(task.of(task.task().test())::sample, seed, Split.TEST);
        if (size.isEmpty()) {
            return new TrainingData(
                    train, List.of(), Optional.empty(), validation.take(validationSize), test.take(testSize));
        }
        if (!distinct) {
            return ofSet(train.take(size.get()), validation.take(validationSize), test.take(testSize), seed);
        }
        Optional<DyckWords> words = task.task().words();
        if (words.isPresent()) {
            DistinctWords drawn = new DistinctWords(words.get(), size.get(), train::generator);
            Predicate<Example> isSeen = example -> drawn.contains(task.bare(example.inputs()));
            List<Example> trainingSet =
                    ExampleStream.list(drawn.size(), i -> task.prepared(Example.nextToken(drawn.ids(i))));
            return new TrainingData(
                    new ShuffledExamples(trainingSet, seed, Split.TRAIN),
                    trainingSet,
                    Optional.of(drawn),
                    validation.takeDistinct(validationSize, isSeen),
                    test.takeDistinct(testSize, isSeen));
        }
        List<Example> trainingSet = train.takeDistinct(size.get(), example -> false);
        Set<Example> seen = Set.copyOf(trainingSet);
        return ofSet(
                trainingSet,
                validation.takeDistinct(validationSize, seen::contains),
                test.takeDistinct(testSize, seen::contains),
                seed);
    }

    private TrainingData inEpochs() {
        ExampleStream batches = training instanceof ShuffledExamples set ? set.inEpochs() : training;
        return new TrainingData(batches, trainingSet, words, validation, test);
    }

    private static TrainingData ofFiles(Configuration section, TrainingTask task, DataSet files, long seed)
            throws IOException {
        List<Example> tested = split(files, "test", task);
        List<Example> validated = split(files, "validation", task);
        if (!files.splits().contains("train") && section.isGiven("train")) {
            for (String key : List.of("train", "validation")) {
                section.get(key, ValueType.integer(0, 0), () -> 0);
            }
            // There is no training. Any split shows the form of the answers.
            List<Example> any = split(files, files.splits().iterator().next(), task);
            return new TrainingData(
                    new ShuffledExamples(any, seed, Split.TRAIN), List.of(), Optional.empty(), List.of(), tested);
        }
        List<Example> examples = prepared(files.examples("train"), task);
        int testSize = section.get("test", ValueType.integer(0, tested.size()), tested::size);
        if (!validated.isEmpty()) {
            int held = section.get("validation", ValueType.integer(0, validated.size()), validated::size);
            int size = section.get("train", ValueType.integer(1, examples.size()), examples::size);
            return ofSet(examples.subList(0, size), validated.subList(0, held), tested.subList(0, testSize), seed);
        }
        int held = section.get("validation", ValueType.integer(0, examples.size() - 1), () -> examples.size() / TENTH);
        int left = examples.size() - held;
        int size = section.get("train", ValueType.integer(1, left), () -> left);
        return ofSet(
                examples.subList(0, size), examples.subList(left, examples.size()), tested.subList(0, testSize), seed);
    }

    private static List<Example> split(DataSet files, String name, TrainingTask task) throws IOException {
        return files.splits().contains(name) ? prepared(files.examples(name), task) : List.of();
    }

    private static List<Example> prepared(List<Example> examples, TrainingTask task) {
        return examples.stream().map(task::prepared).toList();
    }

    private static TrainingData ofSet(
            List<Example> trainingSet, List<Example> validation, List<Example> test, long seed) {
        return new TrainingData(
                new ShuffledExamples(trainingSet, seed, Split.TRAIN), trainingSet, Optional.empty(), validation, test);
    }
}

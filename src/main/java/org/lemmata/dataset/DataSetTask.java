package org.lemmata.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/** A user's own data set as a task: only its examples are known. */
public final class DataSetTask extends Task {

    /** The name of this task in configurations. */
    public static final String NAME = "data";

    private final List<Example> examples = new ArrayList<>();

    /**
     * Reads all splits.
     *
     * @throws IOException as {@link DataSet#examples} does
     */
    public DataSetTask(DataSet files) throws IOException {
        super(
                files.task().orElse(NAME),
                new Source(new Paper(NAME, "the user's own files", 0, "none"), "manifest.json"),
                files.vocabulary());
        for (String split : files.splits()) {
            examples.addAll(files.examples(split));
        }
    }

    /** The number of tokens of the longest input. */
    @Override
    public int defaultLength() {
        return examples.stream().mapToInt(Example::length).max().orElseThrow();
    }

    /** Draws uniformly from the examples whose inputs have at most {@code length} tokens. */
    @Override
    public Example sample(RandomGenerator random, int length) {
        List<Example> some =
                examples.stream().filter(example -> example.length() <= length).toList();
        Refuse.when(some.isEmpty(), "length", "that of an example", length);
        return some.get(random.nextInt(some.size()));
    }

    /** Whether a sequence is the input of an example. */
    @Override
    public boolean accepts(int... ids) {
        return examples.stream().anyMatch(example -> Arrays.equals(example.inputs(), ids));
    }
}

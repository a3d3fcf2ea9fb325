package org.lemmata.task;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.lemmata.source.Source;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.hierarchy.GenerationTask;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/** A distribution of examples with answers, and a checker of sequences that does not use the sampler. */
public abstract class Task {

    private final String name;
    private final Source source;
    private final Vocabulary vocabulary;

    protected Task(String name, Source source, Vocabulary vocabulary) {
        this.name = name;
        this.source = source;
        this.vocabulary = vocabulary;
    }

    /** The name on the command line and in records. */
    public final String name() {
        return name;
    }

    /** The publication that defines the task. */
    public final Source source() {
        return source;
    }

    public final Vocabulary vocabulary() {
        return vocabulary;
    }

    /** The length for {@link #sample} if the user gives no length. */
    public abstract int defaultLength();

    /**
     * Draws an example whose input has {@code length} tokens, or at most {@code length} tokens if the task allows
     * shorter inputs. {@link #accepts} accepts the whole input.
     *
     * @throws IllegalArgumentException if the task has no example of that length
     */
    public abstract Example sample(RandomGenerator random, int length);

    /**
     * Whether a sequence belongs to the task, decided without the sampler.
     *
     * @throws IllegalArgumentException if the task checks ids, and an id is not legal
     */
    public abstract boolean accepts(int... ids);

    /** The nesting depth of a sequence, if the task defines one. */
    public OptionalInt nestingDepth(int... ids) {
        return OptionalInt.empty();
    }

    /** The task that draws the held-out examples, if this task has any. */
    public Optional<Task> outOfSample() {
        return Optional.empty();
    }

    /** This task with the symbols or texts of the validation split; this task itself if all splits share them. */
    public Task validation() {
        return this;
    }

    /** This task with the symbols or texts of the test split; this task itself if all splits share them. */
    public Task test() {
        return this;
    }

    /** The symbols that occur only in this split, if the splits have different symbols; otherwise empty. */
    public List<String> symbols() {
        return List.of();
    }

    /** This task with sequences of exactly {@code length} tokens; empty if it has none, or cannot fix the length. */
    public Optional<Task> ofLength(int length) {
        return Optional.empty();
    }

    /** This task if models complete prefixes of its words; otherwise empty. */
    public Optional<DyckWords> words() {
        return as(DyckWords.class);
    }

    /** This task if it has questions with gradable answers; otherwise empty. */
    public Optional<BooleanExpressions> questions() {
        return as(BooleanExpressions.class);
    }

    /** This task if its answers are numbers; otherwise empty. */
    public Optional<RegressionTask> regression() {
        return as(RegressionTask.class);
    }

    /** This task if its sequences are drawn with known probabilities; otherwise empty. */
    public Optional<GenerationTask> generative() {
        return as(GenerationTask.class);
    }

    private <T> Optional<T> as(Class<T> kind) {
        return Optional.of(this).filter(kind::isInstance).map(kind::cast);
    }
}

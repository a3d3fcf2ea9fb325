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

/** A distribution over examples that carry their own answers, with a checker that shares no code with the sampler. */
public abstract class Task {

    private final String name;
    private final Source source;
    private final Vocabulary vocabulary;

    protected Task(String name, Source source, Vocabulary vocabulary) {
        this.name = name;
        this.source = source;
        this.vocabulary = vocabulary;
    }

    /** The name by which the command line and the records know it. */
    public final String name() {
        return name;
    }

    /** Where it is defined. */
    public final Source source() {
        return source;
    }

    public final Vocabulary vocabulary() {
        return vocabulary;
    }

    /** The length that {@link #sample} is asked for where the user names none. */
    public abstract int defaultLength();

    /**
     * Draws an example whose input has {@code length} tokens, or at most so many where sequences have lengths of their
     * own. {@link #accepts} takes such an input whole.
     *
     * @throws IllegalArgumentException if the task has no example of that length
     */
    public abstract Example sample(RandomGenerator random, int length);

    /**
     * Whether a sequence belongs to the task, decided without the sampler.
     *
     * @throws IllegalArgumentException if an id is not in the vocabulary
     */
    public abstract boolean accepts(int... ids);

    /** How deeply a sequence is nested, where that means something for the task. */
    public OptionalInt nestingDepth(int... ids) {
        return OptionalInt.empty();
    }

    /** The task of what this one never draws, where something is held out. */
    public Optional<Task> outOfSample() {
        return Optional.empty();
    }

    /** This task with the symbols of the validation set, where those are none of training; else itself. */
    public Task validation() {
        return this;
    }

    /**
     * This task with the symbols of the test set, where those are neither of training nor of validation; else itself.
     */
    public Task test() {
        return this;
    }

    /** The symbols that no other split has, where validation and test have symbols of their own; else none. */
    public List<String> symbols() {
        return List.of();
    }

    /** This task with sequences of exactly {@code length} tokens; empty where it has none that are so long. */
    public Optional<Task> ofLength(int length) {
        return Optional.empty();
    }

    /** This task, where it is one of words with prefixes to complete. */
    public Optional<DyckWords> words() {
        return Optional.empty();
    }

    /** This task, where it is one of questions with answers to grade. */
    public Optional<BooleanExpressions> questions() {
        return Optional.empty();
    }

    /** This task, where its answers are numbers. */
    public Optional<RegressionTask> regression() {
        return Optional.empty();
    }

    /** This task, where its sequences are drawn by known probabilities. */
    public Optional<GenerationTask> generative() {
        return Optional.empty();
    }
}

package org.lemmata.task;

import java.util.List;
import java.util.random.RandomGenerator;

/** A task of questions with answers that can be right in more than one way. */
public interface QuestionTask extends Task {

    /** What an answer is worth. */
    interface Grade {

        /** Whether it counts as right. */
        boolean isCounted();

        /** Whether it means the same as the right answer. */
        boolean isEqual();
    }

    /** The questions of a sequence that stand there whole with their answers. */
    List<Exercise> exercises(int... ids);

    /** Draws a question with its answer. */
    Exercise sampleExercise(RandomGenerator random);

    /** The token that ends an answer. */
    int end();

    /**
     * What an answer is worth.
     *
     * @param question as an exercise has it
     * @param answer the tokens before {@link #end}
     * @throws IllegalArgumentException if the question is none
     */
    Grade grade(int[] question, int[] answer);

    /** The depth of the deepest questions. */
    int depth();

    /** The largest depth that {@link #withDepth} takes. */
    int maxDepth();

    /** The task of questions of another depth, with the same held out. */
    QuestionTask withDepth(int depth);

    /** Whether these are the questions that are held out. */
    boolean isOutOfSample();
}

package org.lemmata.task;

import java.util.Arrays;

/** A question with its answer, each in ids: a part of a sequence that stands for itself. */
public final class Exercise {

    private final int[] question;
    private final int[] answer;

    /**
     * @param question what a model reads before it answers
     * @param answer what it has to write then
     */
    public Exercise(int[] question, int[] answer) {
        this.question = question.clone();
        this.answer = answer.clone();
    }

    public int[] question() {
        return question.clone();
    }

    public int[] answer() {
        return answer.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Exercise that
                && Arrays.equals(question, that.question)
                && Arrays.equals(answer, that.answer);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(question) + Arrays.hashCode(answer);
    }

    @Override
    public String toString() {
        return "Exercise[question=" + Arrays.toString(question) + ", answer=" + Arrays.toString(answer) + "]";
    }
}

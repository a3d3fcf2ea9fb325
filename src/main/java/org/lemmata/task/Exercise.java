package org.lemmata.task;

/**
 * A question with its answer, as token ids. A sequence may contain several independent exercises.
 *
 * @param question the tokens that a model reads before it answers
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
public record Exercise(int[] question, int[] answer) {}

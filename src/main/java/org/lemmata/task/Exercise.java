package org.lemmata.task;

/**
 * A question with its answer, each in ids: a part of a sequence that stands for itself.
 *
 * @param question what a model reads before it answers
 * @param answer what it has to write then
 */
@SuppressWarnings("ArrayRecordComponent") // Made and read, never changed or compared.
public record Exercise(int[] question, int[] answer) {}

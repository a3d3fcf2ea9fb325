package org.lemmata.claim;

/**
 * What a model reaches that has learned nothing.
 *
 * @param name what it answers: "always the majority answer"
 */
public record TrivialAnswer(String name, double value) {}

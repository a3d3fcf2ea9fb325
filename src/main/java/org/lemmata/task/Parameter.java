package org.lemmata.task;

/**
 * A parameter of a task.
 *
 * @param name as it is written in {@code name=value}
 * @param defaultValue what holds when it is not given; may name another parameter, "N"
 * @param meaning a phrase for lists
 * @param value what holds in this task
 */
public record Parameter(String name, String defaultValue, String meaning, String value) {}

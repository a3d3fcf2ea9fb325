package org.lemmata.sweep;

import java.io.Serializable;

/**
 * What a cell may take.
 *
 * @param threads to compute on
 * @param retries further tries where a failure may pass
 * @param keep what is to stay in its directory
 */
public record CellLimits(int threads, int retries, Keep keep) implements Serializable {}

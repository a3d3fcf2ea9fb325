package org.lemmata.sweep;

import java.io.Serializable;

/**
 * Limits for a cell.
 *
 * @param retries the number of further attempts after failures that may be temporary
 * @param keep which files stay in its directory
 */
public record CellLimits(int threads, int retries, Keep keep) implements Serializable {}

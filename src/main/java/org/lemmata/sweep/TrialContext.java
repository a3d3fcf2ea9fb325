package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * What a cell is run with; none of it changes a bit of the result.
 *
 * @param directory of this cell alone, there already: what a trial keeps in it outlives the process
 * @param threads to compute on
 * @param keep what is to stay in the directory
 * @param stop whether the run is to stop as soon as it can go on from there
 */
public record TrialContext(Path directory, int threads, Keep keep, BooleanSupplier stop) {}

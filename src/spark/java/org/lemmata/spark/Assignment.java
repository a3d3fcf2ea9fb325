package org.lemmata.spark;

import java.io.Serializable;
import org.lemmata.sweep.Cell;

/**
 * What one task is to do.
 *
 * @param cell the cell
 * @param directory where it works if the executor sees the directory of the sweep; absolute
 */
record Assignment(Cell cell, String directory) implements Serializable {}

/** Runs the cells of a sweep as tasks of Apache Spark. */
@NullMarked
package org.lemmata.spark;

import org.jspecify.annotations.NullMarked;

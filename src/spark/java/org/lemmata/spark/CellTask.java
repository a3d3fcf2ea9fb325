package org.lemmata.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import org.apache.spark.TaskContext;
import org.lemmata.sweep.CellRun;
import scala.Function1;
import scala.collection.Iterator;

/**
 * Runs the one cell of a partition in an executor. What a cell does comes back as a result, so that Spark tries again
 * only what an executor took with it.
 *
 * @param sweep where the results go, if the executor sees it
 * @param limits of the cell
 */
record CellTask(SharedDirectory sweep, CellRun.Limits limits)
        implements Function1<Iterator<Assignment>, CellResult>, Serializable {

    @Override
    public CellResult apply(Iterator<Assignment> partition) {
        Assignment assignment = partition.next();
        TaskContext context = TaskContext.get();
        BooleanSupplier stop = context::isInterrupted;
        try (CellPlace place = CellPlace.of(sweep, assignment, stop)) {
            CellRun.Report report = CellRun.run(assignment.cell(), limits, place.directory(), stop);
            // A cell may leave its thread interrupted, and what an interrupted thread reads from is closed.
            Thread.interrupted();
            return CellResult.of(report, place.files());
        } catch (OutOfMemoryError e) {
            // Spark would end this JVM, which may be the driver's.
            return CellResult.STARVED;
        } catch (IOException e) {
            // There is no place to work at here: no result is lost, and Spark tries elsewhere.
            throw new UncheckedIOException(e);
        }
    }
}

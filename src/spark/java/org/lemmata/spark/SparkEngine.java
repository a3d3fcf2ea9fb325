package org.lemmata.spark;

import java.io.IOException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.lemmata.sweep.EngineJob;
import org.lemmata.sweep.SweepEngine;

/**
 * Runs cells as tasks of Apache Spark: in this JVM, or in executors on other machines.
 *
 * <p>Results are recorded as they come. A cell whose executor is lost runs again in another one; it goes on from its
 * last checkpoint if executors see the directory of the sweep.
 */
public final class SparkEngine implements SweepEngine {

    @Override
    public String name() {
        return "spark";
    }

    @Override
    public void run(EngineJob job, SweepEngine.Listener listener) throws IOException {
        SparkConf conf = SparkSettings.of(job);
        if (job.cells().isEmpty()) {
            return;
        }
        SharedDirectory shared = SharedDirectory.mark(job.directory());
        try {
            SparkContext context = SparkSettings.connect(conf);
            try {
                new SparkCells(context, job, shared, listener).run();
            } finally {
                context.stop();
            }
        } finally {
            shared.unmark();
        }
    }
}

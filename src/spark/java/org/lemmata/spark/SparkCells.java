package org.lemmata.spark;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.FutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.sweep.EngineJob;
import org.lemmata.sweep.SweepEngine;
import org.lemmata.track.CellRecord;
import org.lemmata.track.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function0;
import scala.Function2;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * The cells of a sweep as jobs of Spark: one job of all, in which each is a task. Cells that ran out of memory, and
 * those that were with every executor that was lost until Spark gave up, have a job each after it, one at a time: only
 * what a cell does alone is its own doing.
 */
final class SparkCells {

    private static final Logger LOG = LoggerFactory.getLogger(SparkCells.class);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** For cells that are told to stop: to end the step, and leave a checkpoint. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SparkContext context;
    private final EngineJob job;
    private final CellTask task;
    private final Ledger ledger;
    private final int mostLosses;
    private final Map<String, String> environment;

    private final List<Cell> alone = new ArrayList<>();

    SparkCells(SparkContext context, EngineJob job, SharedDirectory shared, SweepEngine.Listener listener) {
        this.context = context;
        this.job = job;
        task = new CellTask(shared, job.limits());
        ledger = new Ledger(listener);
        mostLosses = context.conf().getInt(SparkSettings.MOST_FAILURES, 1);
        environment = RunRecord.now("unknown").environment();
        context.addSparkListener(ledger);
    }

    /** A result as it comes, with the place of its cell in the job. */
    private record Arrival(int place, CellResult result) {}

    void run() throws IOException {
        List<Cell> together = job.cells();
        while (!together.isEmpty() && !job.stop().getAsBoolean()) {
            together = runTogether(together);
        }
        for (Cell cell : List.copyOf(alone)) {
            if (!job.stop().getAsBoolean()) {
                runAlone(cell);
            }
        }
        for (Cell cell : ledger.unfinished()) {
            ledger.end(cell, new CellRun.Report(Ending.INTERRUPTED, null, null));
        }
    }

    /** Runs cells beside each other; returns those that are to run so again, since Spark gave up on one of them. */
    private List<Cell> runTogether(List<Cell> cells) throws IOException {
        Set<String> left = new HashSet<>();
        cells.forEach(cell -> left.add(cell.id()));
        boolean whole = run(cells, (cell, report) -> {
            left.remove(cell.id());
            if (report.ending() == Ending.OUT_OF_MEMORY) {
                alone.add(cell);
            } else {
                ledger.end(cell, report);
            }
        });
        if (whole) {
            return List.of();
        }
        for (Cell cell : ledger.lostWith(mostLosses)) {
            if (left.remove(cell.id())) {
                alone.add(cell);
            }
        }
        return cells.stream().filter(cell -> left.contains(cell.id())).toList();
    }

    private void runAlone(Cell cell) throws IOException {
        boolean whole = run(List.of(cell), (_, report) -> {
            if (report.ending() == Ending.OUT_OF_MEMORY && report.record() == null) {
                CellRecord starved = failed(cell, "out of memory: expected enough to report how it ended", 1);
                ledger.end(cell, new CellRun.Report(Ending.OUT_OF_MEMORY, starved, null));
            } else {
                ledger.end(cell, report);
            }
        });
        if (!whole && !job.stop().getAsBoolean()) {
            String reason = "lost with its executor, " + mostLosses + " times: " + ledger.lastLoss();
            ledger.end(cell, new CellRun.Report(Ending.FAILED, failed(cell, reason, mostLosses), null));
        }
    }

    /** Of a cell that no executor could tell of. */
    private CellRecord failed(Cell cell, String reason, int attempts) {
        return new CellRecord(
                cell.id(),
                cell.trial(),
                cell.axes(),
                cell.seed(),
                cell.settings(),
                CellRecord.Status.FAILED,
                reason,
                List.of(),
                new CellRecord.Run(attempts, 0, environment));
    }

    /** Takes what became of a cell. */
    @FunctionalInterface
    private interface Recorder {
        void record(Cell cell, CellRun.Report report) throws IOException;
    }

    /**
     * Runs one job.
     *
     * @return whether it came to its end; if not, it was stopped, or a cell of it was lost too often
     * @throws IOException if a result cannot be recorded, or Spark broke down
     */
    private boolean run(List<Cell> cells, Recorder recorder) throws IOException {
        BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
        ledger.begin(cells);
        FutureAction<BoxedUnit> future = submit(cells, arrivals);
        boolean quiet = false;
        try {
            while (!job.stop().getAsBoolean()) {
                boolean over = future.isCompleted();
                Arrival arrival = arrivals.poll(over ? 0 : PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (arrival != null) {
                    take(cells.get(arrival.place()), arrival.result(), recorder);
                } else if (over) {
                    break;
                }
            }
            boolean stopped = !future.isCompleted();
            future.cancel();
            // What had come before the stop is not thrown away.
            for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
                take(cells.get(arrival.place()), arrival.result(), recorder);
            }
            boolean whole = !stopped && future.value().get().isSuccess();
            quiet = whole || ledger.awaitQuiet(PATIENCE);
            if (!whole && !stopped && ledger.lostWith(mostLosses).isEmpty()) {
                throw new IOException("spark: " + breakdown(future));
            }
            return whole;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("spark: interrupted").initCause(e);
        } finally {
            if (!quiet) {
                future.cancel();
            }
        }
    }

    private void take(Cell cell, CellResult result, Recorder recorder) throws IOException {
        Path directory = job.directory(cell);
        result.files().writeTo(directory);
        // One that is interrupted begins anew.
        if (result.ending() != Ending.INTERRUPTED && !result.files().leftOut().isEmpty()) {
            LOG.warn(
                    "cell {}: not brought back: {}; executors that see {} leave all files there",
                    cell.id(),
                    String.join(", ", result.files().leftOut()),
                    job.directory());
        }
        recorder.record(cell, result.report(environment.getOrDefault("commit", "unknown")));
    }

    private FutureAction<BoxedUnit> submit(List<Cell> cells, BlockingQueue<Arrival> arrivals) {
        List<Assignment> assignments = cells.stream()
                .map(cell -> new Assignment(
                        cell, job.directory(cell).toAbsolutePath().toString()))
                .toList();
        RDD<Assignment> rdd = JavaSparkContext.fromSparkContext(context)
                .parallelize(assignments, assignments.size())
                .rdd();
        List<Object> partitions = IntStream.range(0, cells.size())
                .<Object>mapToObj(partition -> partition)
                .toList();
        Function2<Object, CellResult, BoxedUnit> handler = (partition, result) -> {
            arrivals.add(new Arrival((int) partition, result));
            return BoxedUnit.UNIT;
        };
        Function0<BoxedUnit> end = () -> BoxedUnit.UNIT;
        return context.submitJob(
                rdd, task, CollectionConverters.asScala(partitions).toSeq(), handler, end);
    }

    private String breakdown(FutureAction<BoxedUnit> future) {
        String error = ledger.lastError();
        if (error != null) {
            return "a task failed " + mostLosses + " times: " + error;
        }
        return SparkSettings.oneLine(future.value().get().failed().get());
    }
}

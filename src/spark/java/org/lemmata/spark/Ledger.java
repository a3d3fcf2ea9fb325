package org.lemmata.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.TaskEndReason;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.jspecify.annotations.Nullable;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.SweepEngine;

/**
 * What Spark says of the tasks of one job at a time: which cells began, which run, and which took executors with them,
 * or were with those that did.
 */
final class Ledger extends SparkListener {

    private final SweepEngine.Listener listener;
    private final Map<String, Cell> begun = new LinkedHashMap<>();
    private final Set<String> over = new HashSet<>();

    private List<Cell> cells = List.of();
    private final Map<Integer, Integer> losses = new HashMap<>();
    private final Set<Integer> stages = new HashSet<>();
    private int running;
    private boolean ended;
    private String lastLoss = "";
    private @Nullable String lastError;

    Ledger(SweepEngine.Listener listener) {
        this.listener = listener;
    }

    /** A job is about to begin, of a partition a cell. */
    synchronized void begin(List<Cell> ofJob) {
        cells = List.copyOf(ofJob);
        losses.clear();
        stages.clear();
        ended = false;
        lastError = null;
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart event) {
        event.stageInfos().foreach(stage -> stages.add(stage.stageId()));
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart event) {
        running++;
        if (stages.contains(event.stageId())) {
            start(cells.get(event.taskInfo().partitionId()));
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
        running--;
        if (stages.contains(event.stageId())) {
            note(event.reason(), event.taskInfo().partitionId());
        }
        notifyAll();
    }

    private void note(TaskEndReason reason, int partition) {
        if (reason instanceof ExceptionFailure failure) {
            String error = failure.className() + ": " + failure.description();
            if (failure.className().equals(OutOfMemoryError.class.getName())) {
                // The executor had not the memory to say what became of the cell, and Spark ends it.
                lose(partition, error);
            } else {
                lastError = error;
            }
        } else if (reason instanceof TaskFailedReason loss && loss.countTowardsTaskFailures()) {
            lose(
                    partition,
                    loss instanceof ExecutorLostFailure executor
                                    && executor.reason().isDefined()
                            ? executor.reason().get()
                            : loss.toErrorString());
        }
    }

    private void lose(int partition, String reason) {
        losses.merge(partition, 1, Integer::sum);
        lastLoss = reason;
    }

    @Override
    public synchronized void onJobEnd(SparkListenerJobEnd event) {
        ended = true;
        notifyAll();
    }

    /** Spark has stopped: it says no more of tasks. */
    @Override
    public synchronized void onApplicationEnd(SparkListenerApplicationEnd event) {
        ended = true;
        running = 0;
        notifyAll();
    }

    /**
     * Waits until a job that failed has no task left that runs.
     *
     * @return whether it came to that in time
     */
    synchronized boolean awaitQuiet(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!ended || running > 0) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    /** The cells of the job that were with {@code most} executors when they were lost. */
    synchronized List<Cell> lostWith(int most) {
        var lost = new ArrayList<Cell>();
        losses.forEach((partition, count) -> {
            if (count >= most) {
                lost.add(cells.get(partition));
            }
        });
        return lost;
    }

    /** What Spark said of the last executor that was lost. */
    synchronized String lastLoss() {
        return lastLoss;
    }

    /** What a task of the job threw last, which is no fault of its cell; null if none did. */
    synchronized @Nullable String lastError() {
        return lastError;
    }

    private void start(Cell cell) {
        if (begun.putIfAbsent(cell.id(), cell) == null) {
            listener.started(cell);
        }
    }

    /** Passes on that a cell ended, and before that that it began, if Spark has not said so yet. */
    void end(Cell cell, CellRun.Report report) throws IOException {
        synchronized (this) {
            start(cell);
            over.add(cell.id());
        }
        listener.ended(cell, report);
    }

    /** The cells that began and did not end. */
    synchronized List<Cell> unfinished() {
        return begun.values().stream().filter(cell -> !over.contains(cell.id())).toList();
    }
}

package org.lemmata.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepEngine;
import org.lemmata.sweep.SweepRun;

/**
 * Measures cells a minute on a standalone cluster of this machine: {@code SparkScaling EXECUTORS...}, each of one core.
 * docs/notes/performance-log.md has the command, and what came of it.
 *
 * <p>Cells sleep, so that more executors than cores are as good as more machines, but for what Spark and the driver do,
 * which share the cores of this one. The first cells of each executor are left out: they load classes.
 */
final class SparkScaling {

    private static final int EMPTY = 1500;
    private static final int MILLIS = 500;
    private static final int SLEEPING = 50;

    /** Cells an executor before the clock starts. */
    private static final int WARM_UP = 10;

    private SparkScaling() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("spark-scaling");
        Path jar = TrialJar.write(directory);
        int[] counts = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        try (StandaloneCluster cluster =
                StandaloneCluster.start(Path.of("target", "spark").toAbsolutePath(), directory)) {
            for (int worker = 0; worker < IntStream.of(counts).max().orElseThrow(); worker++) {
                cluster.addWorker(1);
            }
            for (int executors : counts) {
                Map<String, String> options = new HashMap<>(cluster.options(jar));
                options.put("spark.cores.max", Integer.toString(executors));
                options.put("spark.executor.cores", "1");
                long before = driverNanos();
                double empty = cellsASecond(directory, executors, 0, EMPTY, options);
                double driverMillis = (driverNanos() - before) * 1e-6 / EMPTY;
                System.out.printf(
                        Locale.ROOT,
                        "empty cells, %d executors: %.0f a second, %.1f ms of the driver's processor a cell%n",
                        executors,
                        empty,
                        driverMillis);
                double sleeping = cellsASecond(directory, executors, MILLIS, SLEEPING * executors, options);
                System.out.printf(
                        Locale.ROOT,
                        "cells of %d ms, %d executors: %.1f a minute, executors %.1f%% busy%n",
                        MILLIS,
                        executors,
                        60 * sleeping,
                        0.1 * MILLIS * sleeping / executors);
            }
        }
    }

    private static long driverNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static double cellsASecond(
            Path directory, int executors, int millis, int cells, Map<String, String> options) throws IOException {
        Sweep sweep = Sweeps.read(directory, "trial: halting\nbase: {pause: " + millis + "}\nseeds: " + cells + "\n");
        Path out = Files.createTempDirectory(directory, "sweep-");
        long[] ends = new long[cells];
        try (SweepDirectory results = SweepDirectory.open(out)) {
            new SweepRun(sweep, SweepEngine.named("spark"), options).run(results, () -> false, (progress, ended) -> {
                if (ended.isPresent()) {
                    ends[progress.done() - 1] = System.nanoTime();
                }
            });
        }
        int first = WARM_UP * executors;
        return (cells - 1 - first) / ((ends[cells - 1] - ends[first]) * 1e-9);
    }
}

package org.lemmata.spark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.lemmata.sweep.EngineJob;

/**
 * How many cores of an executor a task takes: the threads of its cell, or more where the executor has not the memory
 * for so many cells at once, since Spark counts cores alone.
 */
final class TaskCores {

    private static final Pattern LOCAL = Pattern.compile("local(?:\\[(\\d+|\\*)(?:,.*)?])?");
    private static final Pattern LOCAL_CLUSTER =
            Pattern.compile("local-cluster\\[\\s*\\d+\\s*,\\s*(\\d+)\\s*,\\s*\\d+\\s*]");

    private static final String CORES = "spark.executor.cores";
    private static final String MEMORY = "spark.executor.memory";

    private static final int UNKNOWN = 0;

    private TaskCores() {}

    /**
     * The cores of a task.
     *
     * @throws IllegalArgumentException if an executor is too small for one cell, or its size is needed and not known
     */
    static int of(EngineJob job, SparkConf conf) {
        String master = conf.get("spark.master");
        boolean local = LOCAL.matcher(master).matches();
        int cores = cores(master, conf);
        int threads = job.limits().threads();
        if (local) {
            // A cell with more threads than there are cores runs nevertheless, alone.
            threads = Math.min(threads, cores);
        } else if (cores != UNKNOWN && cores < threads) {
            throw new IllegalArgumentException("--engine-option: " + CORES + ": expected at least " + threads
                    + ", the threads of a cell, got " + cores);
        }
        if (job.memoryBytes() == 0) {
            return threads;
        }
        if (cores == UNKNOWN) {
            throw new IllegalArgumentException("--engine-option: " + CORES
                    + ": expected a number, since the sweep states the memory of a cell, got none");
        }
        String remedy = local ? "LEMMATA_JAVA_OPTIONS=-Xmx..." : "--engine-option " + MEMORY + "=...";
        int atOnce = (int)
                Math.min(Math.max(1, cores), job.cellsWithin(heapBytes(local, conf), "an executor's heap", remedy));
        return Math.max(threads, Math.ceilDiv(cores, atOnce));
    }

    private static int cores(String master, SparkConf conf) {
        Matcher local = LOCAL.matcher(master);
        if (local.matches()) {
            String number = local.group(1);
            return number == null
                    ? 1
                    : number.equals("*") ? Runtime.getRuntime().availableProcessors() : Integer.parseInt(number);
        }
        Matcher cluster = LOCAL_CLUSTER.matcher(master);
        return cluster.matches() ? Integer.parseInt(cluster.group(1)) : conf.getInt(CORES, UNKNOWN);
    }

    private static long heapBytes(boolean local, SparkConf conf) {
        return local ? Runtime.getRuntime().maxMemory() : conf.getSizeAsBytes(MEMORY, "1g");
    }
}

package org.lemmata.spark;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.lemmata.setting.Plugin;
import org.lemmata.sweep.EngineJob;

/** What Spark is told: from the options of the engine, from spark-submit, and what Lemmata needs. */
final class SparkSettings {

    private static final String MASTER = "master";
    private static final String SPARK_MASTER = "spark.master";
    private static final String PREFIX = "spark.";
    private static final String JARS = "spark.jars";
    private static final String TASK_CPUS = "spark.task.cpus";
    private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";

    /** Tries of a cell that loses its executor, and of all cells beside it. */
    static final String MOST_FAILURES = "spark.task.maxFailures";

    private static final int MIN_TRIES = 4;

    /** Set by spark-submit. */
    private static final String DEPLOY_MODE = "spark.submit.deployMode";

    private static final String STANDALONE = "spark://";
    private static final int CONNECT_MILLIS = 5000;

    /** For kernels on lanes; without it they are scalar, and the bits others. */
    private static final String MODULES = "--add-modules jdk.incubator.vector";

    private SparkSettings() {}

    /**
     * The configuration for a job.
     *
     * @throws IllegalArgumentException if an option is not legal
     */
    static SparkConf of(EngineJob job) {
        // Begins with what spark-submit says.
        var conf = new SparkConf();
        job.options().forEach((key, value) -> set(conf, key, value));
        conf.setIfMissing(SPARK_MASTER, "local[*]");
        conf.setIfMissing("spark.app.name", "lemmata sweep " + job.directory());
        conf.set(TASK_CPUS, Integer.toString(TaskCores.of(job, conf)));
        conf.setIfMissing(
                MOST_FAILURES, Integer.toString(Math.max(MIN_TRIES, job.limits().retries() + 1)));
        // Results are many, and gone as soon as they are recorded.
        conf.setIfMissing("spark.driver.maxResultSize", "0");
        conf.setIfMissing("spark.ui.showConsoleProgress", "false");
        if (!conf.contains(DEPLOY_MODE)) {
            conf.setIfMissing("spark.ui.enabled", "false");
        }
        if (conf.get(SPARK_MASTER).startsWith("local")) {
            conf.setIfMissing("spark.driver.host", "localhost");
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
        }
        conf.set(EXECUTOR_OPTIONS, (MODULES + " " + conf.get(EXECUTOR_OPTIONS, "")).strip());
        addOwnJar(conf);
        Plugin.used().forEach(plugin -> addJar(conf, plugin.jar()));
        return conf;
    }

    private static void set(SparkConf conf, String key, String value) {
        if (key.equals(MASTER)) {
            conf.setMaster(value);
        } else if (key.equals(TASK_CPUS)) {
            throw new IllegalArgumentException("--engine-option: " + TASK_CPUS
                    + ": expected none, since the sweep's threads decide it, got " + value);
        } else if (key.startsWith(PREFIX)) {
            conf.set(key, value);
        } else {
            throw new IllegalArgumentException(
                    "--engine-option: expected master or a key that begins with spark., got '" + key + "'");
        }
    }

    /** Executors have Spark of their own, and everything else from here. */
    private static void addOwnJar(SparkConf conf) {
        Path jar;
        try {
            jar = Path.of(SparkSettings.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of the running code", e);
        }
        addJar(conf, jar);
    }

    private static void addJar(SparkConf conf, Path jar) {
        String name = String.valueOf(jar.getFileName());
        String jars = conf.get(JARS, "");
        // spark-submit names the jar that it was given.
        if (Files.isRegularFile(jar) && !jars.contains(name)) {
            conf.set(JARS, jars.isEmpty() ? jar.toString() : jars + "," + jar);
        }
    }

    /**
     * Starts Spark in this JVM, and finds its master.
     *
     * @throws IllegalArgumentException if there is none, or Spark refuses the configuration
     */
    static SparkContext connect(SparkConf conf) {
        String master = conf.get(SPARK_MASTER);
        if (master.startsWith(STANDALONE)) {
            requireListener(master);
        }
        try {
            return new SparkContext(conf);
        } catch (Exception e) {
            // Scala declares no checked exceptions, and throws them.
            throw new IllegalArgumentException("--engine spark: " + oneLine(e), e);
        }
    }

    /** Spark itself tries for a minute, and then says much, though not this. */
    private static void requireListener(String master) {
        String reason = "no address";
        for (String address : master.substring(STANDALONE.length()).split(",", -1)) {
            int colon = address.lastIndexOf(':');
            try (var socket = new Socket()) {
                int port = Integer.parseInt(address.substring(colon + 1));
                socket.connect(new InetSocketAddress(address.substring(0, Math.max(0, colon)), port), CONNECT_MILLIS);
                return;
            } catch (IOException | IllegalArgumentException e) {
                reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            }
        }
        throw new IllegalArgumentException(
                "--engine-option: master: expected a Spark master at " + master + ", got none: " + reason);
    }

    /** The first line of what was thrown; Spark's go on for pages. */
    static String oneLine(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank()
                ? e.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElse("");
    }
}

package org.lemmata.spark;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A master of Spark and workers of it, as processes on this machine that only this machine reaches. */
final class StandaloneCluster implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int WORKER_MEBIBYTES = 2048;

    private final Path home;
    private final Path directory;
    private final int port;
    private final List<Process> processes = new ArrayList<>();

    private StandaloneCluster(Path home, Path directory, int port) {
        this.home = home;
        this.directory = directory;
        this.port = port;
    }

    /**
     * Starts a master.
     *
     * @param home of Spark, with its jars
     * @param directory for logs, and for what workers and executors write
     */
    static StandaloneCluster start(Path home, Path directory) throws IOException, InterruptedException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var cluster = new StandaloneCluster(home, directory, port);
        cluster.launch(
                "master",
                "org.apache.spark.deploy.master.Master",
                "--host",
                HOST,
                "--port",
                Integer.toString(port),
                "--webui-port",
                "0");
        await("the master", cluster::isListening);
        return cluster;
    }

    /** Starts a worker of so many cores. */
    Process addWorker(int cores) throws IOException {
        String name = "worker-" + processes.size();
        return launch(
                name,
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                HOST,
                "--webui-port",
                "0",
                "--cores",
                Integer.toString(cores),
                "--memory",
                WORKER_MEBIBYTES + "m",
                "--work-dir",
                directory.resolve(name).toString(),
                url());
    }

    String url() {
        return "spark://" + HOST + ":" + port;
    }

    /** What a driver on this machine needs besides its own options. */
    Map<String, String> options(Path jar) {
        return Map.of(
                "master",
                url(),
                "spark.driver.host",
                HOST,
                "spark.driver.bindAddress",
                HOST,
                "spark.executor.memory",
                "512m",
                "spark.jars",
                jar.toString());
    }

    /** The executors that a worker has started, which are its only children. */
    static List<ProcessHandle> executors(Process worker) {
        return worker.toHandle().children().toList();
    }

    private Process launch(String log, String... command) throws IOException {
        var all = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx512m",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                home.resolve("jars") + "/*"));
        all.addAll(List.of(command));
        var builder = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(log + ".log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "SPARK_HOME",
                        home.toString(),
                        "SPARK_LOCAL_IP",
                        HOST,
                        "SPARK_SCALA_VERSION",
                        "2.13",
                        "JAVA_HOME",
                        System.getProperty("java.home")));
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private boolean isListening() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (ConnectException e) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until something holds, and fails if it does not in a minute. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + ": not there within " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        for (Process process : processes.reversed()) {
            List<ProcessHandle> below = process.descendants().toList();
            process.destroyForcibly().onExit().join();
            below.forEach(ProcessHandle::destroyForcibly);
        }
    }
}

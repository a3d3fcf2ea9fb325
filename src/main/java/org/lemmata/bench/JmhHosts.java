package org.lemmata.bench;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Processes with the main class {@code JmhHost}, one per jar and starting core, or per jar and side if forks are not
 * pinned. Each runs JMH repeatedly.
 */
final class JmhHosts implements AutoCloseable {

    /** The main class of these processes, in the jar of the barrier. */
    static final String MAIN = "org.lemmata.benchmark.duet.JmhHost";

    /** @param ended completes with the exit code of JMH */
    record Run(Process process, CompletableFuture<Integer> ended) {

        /** Runs JMH in a new process that ends when JMH ends. */
        static Run alone(List<String> command, Path text) throws IOException {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(text.toFile())
                    .start();
            return new Run(process, process.onExit().thenApply(Process::exitValue));
        }

        boolean hasEnded() {
            return ended.isDone();
        }

        boolean failed() {
            return hasEnded() && ended.join() != 0;
        }

        /** Kills the process and its fork if they are still running. */
        void end() {
            if (!hasEnded()) {
                // The fork is killed first, because it would survive the end of JMH.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().onExit().join();
            }
        }
    }

    /** The processes by command line, place and build of the jar. */
    private final Map<List<String>, Process> processes = new HashMap<>();

    /**
     * Runs JMH in the process that {@code command} starts. Starts the process if it is not running.
     *
     * @param place distinguishes two forks with the same command that run at the same time
     * @param stamp identifies the build of the jar
     * @param text the file for JMH's output
     */
    Run run(List<String> command, int place, String stamp, Path text, List<String> arguments) throws IOException {
        List<String> key = List.of(String.join("\0", command), Integer.toString(place), stamp);
        Process process = processes.get(key);
        if (process == null || !process.isAlive()) {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.to(text.toFile()))
                    .start();
            processes.put(key, process);
        }
        // The stream is left open, because later runs use it.
        var request = new DataOutputStream(process.getOutputStream());
        request.writeInt(1 + arguments.size());
        request.writeUTF(text.toString());
        for (String argument : arguments) {
            request.writeUTF(argument);
        }
        request.flush();
        Process host = process;
        return new Run(
                process,
                CompletableFuture.supplyAsync(
                        () -> answer(host),
                        waiting -> Thread.ofPlatform().daemon().start(waiting)));
    }

    private static int answer(Process process) {
        try {
            return process.getInputStream().read() == 0
                    ? 0
                    : process.onExit().join().exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroy);
    }
}

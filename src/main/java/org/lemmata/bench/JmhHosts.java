package org.lemmata.bench;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Processes that run JMH once and again, each for the forks of one jar on one core; {@code JmhHost} is theirs. */
final class JmhHosts implements AutoCloseable {

    /** What runs in them, from the jar of the barrier. */
    static final String MAIN = "org.lemmata.benchmark.duet.JmhHost";

    /**
     * A run of JMH.
     *
     * @param ended with its exit code
     */
    record Run(Process process, CompletableFuture<Integer> ended) {

        /** In a process of its own. */
        static Run alone(List<String> command, Path text) throws IOException {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(text.toFile())
                    .start();
            return new Run(process, process.onExit().thenApply(Process::exitValue));
        }

        boolean failed() {
            return ended.isDone() && ended.join() != 0;
        }

        /** Ends it, if it has not ended, with its fork. */
        void end() {
            if (!ended.isDone()) {
                // The fork first: JMH, once ended, leaves it alone.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().onExit().join();
            }
        }
    }

    /** By their command lines and what tells one build of a jar from the next. */
    private final Map<List<String>, Process> processes = new HashMap<>();

    /**
     * Runs JMH.
     *
     * @param command that starts a process, if there is none of it
     * @param stamp of its jar
     * @param text where JMH prints
     * @param arguments of JMH
     */
    Run run(List<String> command, String stamp, Path text, List<String> arguments) throws IOException {
        List<String> key = List.of(String.join("\0", command), stamp);
        Process process = processes.get(key);
        if (process == null || !process.isAlive()) {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.to(text.toFile()))
                    .start();
            processes.put(key, process);
        }
        // Not closed: the next fork's go there, too.
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

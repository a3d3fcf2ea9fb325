package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.lemmata.track.ProfileDirectory;

/** Runs one cell once, as a process of JMH that starts one fork. */
final class ForkProcess {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final long POLL_MILLIS = 100;

    /** JMH runs once at a time on a machine, which may be the process of a run that was killed. */
    private static final String LOCKED = "Unable to acquire the JMH lock";

    private static final long WAIT_MILLIS = 1000;

    /** A benchmark that threw, or whose process died; the message is one line. */
    static final class FailedBenchmarkException extends Exception {
        private static final long serialVersionUID = 1L;

        FailedBenchmarkException(String message) {
            super(message);
        }
    }

    /** The run was asked to end. */
    static final class StoppedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Path log;
    private final BooleanSupplier stop;
    private final Runnable waiting;
    private boolean waited;

    /**
     * @param log where the text of JMH is added
     * @param stop whether to end the process
     * @param waiting called where another run of JMH has to end first; once, however often
     */
    ForkProcess(Path log, BooleanSupplier stop, Runnable waiting) {
        this.log = log;
        this.stop = stop;
        this.waiting = waiting;
    }

    /**
     * Runs a cell, after any other run of JMH on the machine.
     *
     * @throws FailedBenchmarkException if JMH has no result
     * @throws StoppedException if it was ended
     */
    ForkResult run(BenchmarkJar jar, BenchmarkCell cell)
            throws IOException, FailedBenchmarkException, StoppedException {
        Optional<ForkResult> result = attempt(jar, cell);
        if (result.isEmpty() && !waited) {
            waited = true;
            waiting.run();
        }
        while (result.isEmpty()) {
            pause();
            // Looking costs the other run less than a JVM of JMH that looks.
            result = isLocked() ? Optional.empty() : attempt(jar, cell);
        }
        return result.get();
    }

    private static boolean isLocked() throws IOException {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");
        if (!Files.isWritable(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    private void pause() throws IOException, StoppedException {
        if (stop.getAsBoolean()) {
            throw new StoppedException();
        }
        try {
            Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Empty if another run of JMH was going on. */
    private Optional<ForkResult> attempt(BenchmarkJar jar, BenchmarkCell cell)
            throws IOException, FailedBenchmarkException, StoppedException {
        Path results = Files.createTempFile("lemmata-fork-", ".json");
        Path text = Files.createTempFile("lemmata-fork-", ".log");
        try {
            Instant start = Instant.now();
            ProcessorTime before = ProcessorTime.now();
            Process process = new ProcessBuilder(command(jar, cell, results))
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(text.toFile())
                    .start();
            int code = await(process);
            ProcessorTime after = ProcessorTime.now();
            Instant end = Instant.now();
            // Not readString: what a benchmark prints need not be UTF-8.
            String output = new String(Files.readAllBytes(text), StandardCharsets.UTF_8);
            if (code != 0 && output.contains(LOCKED)) {
                return Optional.empty();
            }
            Files.writeString(
                    log, output, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (code != 0) {
                throw new FailedBenchmarkException(reason(output, code));
            }
            ProfilerText.keep(ProfileDirectory.ROOT, cell, output);
            return Optional.of(new ForkResult(
                    rows(results, cell),
                    start,
                    Duration.between(start, end).toMillis() / 1e3,
                    after.busyShare(before),
                    after.stolenShare(before)));
        } finally {
            Files.deleteIfExists(results);
            Files.deleteIfExists(text);
        }
    }

    private static List<String> command(BenchmarkJar jar, BenchmarkCell cell, Path results) {
        List<String> command = jar.command("org.openjdk.jmh.Main");
        command.add("^\\Q" + cell.benchmark() + "\\E$");
        cell.params().forEach((name, value) -> command.addAll(List.of("-p", name + "=" + value)));
        command.addAll(cell.options());
        command.addAll(List.of("-f", "1", "-foe", "true", "-rf", "json", "-rff", results.toString()));
        return command;
    }

    private int await(Process process) throws IOException, StoppedException {
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    throw new StoppedException();
                }
            }
            // Ctrl-C reaches the process, too.
            if (stop.getAsBoolean() && process.exitValue() != 0) {
                throw new StoppedException();
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            if (process.isAlive()) {
                // The fork first: JMH, once ended, leaves it alone.
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /** JMH says first that it failed, then the exception. */
    private static String reason(String output, int code) {
        List<String> lines = output.lines().map(String::strip).toList();
        int failure = lines.indexOf("<failure>");
        return lines.stream()
                .skip(failure + 1L)
                .filter(line -> failure >= 0 ? !line.isEmpty() : line.startsWith("Error") || line.contains("Exception"))
                .findFirst()
                .orElse("JMH ended with exit code " + code);
    }

    private static List<JsonNode> rows(Path results, BenchmarkCell cell) throws IOException, FailedBenchmarkException {
        var rows = new ArrayList<JsonNode>();
        for (JsonNode row : MAPPER.readTree(results.toFile())) {
            var params = new LinkedHashMap<String, String>();
            for (Map.Entry<String, JsonNode> param : row.path("params").properties()) {
                params.put(param.getKey(), param.getValue().asText());
            }
            if (!row.path("benchmark").asText().equals(cell.benchmark()) || !params.equals(cell.params())) {
                throw new FailedBenchmarkException("expected a result of " + cell.key() + ", got one of "
                        + row.path("benchmark").asText() + " " + params);
            }
            rows.add(row);
        }
        if (rows.isEmpty()) {
            throw new FailedBenchmarkException("JMH wrote no result");
        }
        return rows;
    }
}

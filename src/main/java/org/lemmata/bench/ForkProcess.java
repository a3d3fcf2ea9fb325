package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ForkRun;
import org.lemmata.track.ProfileDirectory;

/** Runs one fork in a JMH process, or two forks simultaneously as a duet. */
final class ForkProcess implements AutoCloseable {

    private static final Pattern EXITED = Pattern.compile("VM prematurely exited before JMH had finished");

    private static final Pattern EXIT_CODE = Pattern.compile("<forked VM failed with exit code (-?\\d+)>");

    /** Patterns in order of priority. The groups of the first pattern that matches are the cause. */
    private static final List<Pattern> CAUSES = List.of(
            Pattern.compile("<failure>\\s+(\\S.*)"),
            Pattern.compile("#\\s+(SIG\\w+|Internal Error|Out of Memory Error|There is insufficient memory)[\\s\\S]*?"
                    + "(?:# Problematic frame:\\s+#( .*)|\\z)"),
            Pattern.compile("(Terminating due to .*)"),
            Pattern.compile("(Profilers failed to initialize).*\\s+(.+)"),
            Pattern.compile("<std(?:out|err) last='20 lines'>\\s+([^<\\s].*)"),
            Pattern.compile("Suppressed: (.*)"),
            Pattern.compile("(?m)^\\s*(Error.*|.*Exception.*)"));

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final long POLL_MILLIS = 10;

    /** The profiler that measures the processor time of the threads that a benchmark starts. */
    private static final String THREADS = "org.lemmata.benchmark.duet.ThreadProfile";

    /** JMH's message if another run has the lock. That run may have been killed while its fork continues. */
    private static final String LOCKED = "Unable to acquire the JMH lock";

    private static final long WAIT_MILLIS = 1000;
    private static final String ILLEGAL_INSTRUCTION = "SIGILL (0x4)";

    /** The line in which HotSpot names its error report. */
    private static final Pattern CRASH_LOG = Pattern.compile("(?m)^# (/.*hs_err_pid\\d+\\.log)\\s*$");

    /**
     * @param number the number of the fork, or {@link BenchmarkPlan#TRIAL}
     * @param processor the processor on which the fork begins; -1 if it is not pinned
     * @param other the processor of the other fork in the duet
     */
    record Launch(BenchmarkJar jar, BenchmarkCell cell, int number, int processor, int other) {

        boolean isTrial() {
            return number == BenchmarkPlan.TRIAL;
        }
    }

    /** @param rows one row for each mode, as JMH wrote it */
    record Result(List<JsonNode> rows, ForkRun run) {}

    private record Running(Launch launch, JmhHosts.Run run, Path results, Path text) {

        String output() throws IOException {
            // Files.readString would fail, because benchmarks may print text that is not UTF-8.
            return new String(Files.readAllBytes(text), StandardCharsets.UTF_8);
        }

        void end() throws IOException {
            run.end();
            Files.deleteIfExists(results);
            Files.deleteIfExists(text);
        }
    }

    /** A fork has no result, mostly because its benchmark failed or its process died. The message is one line. */
    static final class FailedBenchmarkException extends Exception {
        private static final long serialVersionUID = 1L;

        /** The index of the failed fork among the forks that ran together. */
        final int launch;

        final boolean unsupported;

        FailedBenchmarkException(int launch, String message, boolean unsupported) {
            super(message);
            this.launch = launch;
            this.unsupported = unsupported;
        }
    }

    /** The run was stopped, or its time was over before the fork began. */
    static final class StoppedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final Path log;
    private final BooleanSupplier stop;
    private final BooleanSupplier over;
    private final Runnable waiting;
    private final Path lock;
    private final Path barrier;
    private final JmhHosts hosts = new JmhHosts();
    private boolean waited;

    /**
     * @param log the file to which the output of JMH is appended
     * @param stop polled while forks run; when it returns true, they are stopped
     * @param over polled while another run of JMH continues; when it returns true, the time is over
     * @param waiting called the first time that this run must wait for another run of JMH
     * @param lock the lock file of JMH
     * @param barrier the jar with {@code DuetBarrier} and the profiler of trials
     */
    ForkProcess(Path log, BooleanSupplier stop, BooleanSupplier over, Runnable waiting, Path lock, Path barrier) {
        this.log = log;
        this.stop = stop;
        this.over = over;
        this.waiting = waiting;
        this.lock = lock;
        this.barrier = barrier;
    }

    /**
     * Runs one fork, or two forks as a duet. Waits until no other run of JMH is in progress.
     *
     * @param launches one or two forks, in the order in which they start
     * @return one result per fork, in the same order
     * @throws FailedBenchmarkException if a fork has no result
     * @throws StoppedException if the forks were stopped, or the time was over before they began
     */
    List<Result> run(List<Launch> launches) throws IOException, FailedBenchmarkException, StoppedException {
        Optional<List<Result>> result = attempt(launches);
        if (result.isEmpty() && !waited) {
            waited = true;
            waiting.run();
        }
        while (result.isEmpty()) {
            if (stop.getAsBoolean() || over.getAsBoolean()) {
                throw new StoppedException();
            }
            TreeBuild.pause(WAIT_MILLIS);
            // Checking the lock here disturbs the other run less than starting a JVM that checks it.
            result = DuetMeeting.isLocked(lock) ? Optional.empty() : attempt(launches);
        }
        return result.get();
    }

    /** Runs the forks; empty if another run of JMH was in progress. */
    private Optional<List<Result>> attempt(List<Launch> launches)
            throws IOException, FailedBenchmarkException, StoppedException {
        boolean duet = launches.size() > 1;
        try (DuetMeeting meeting = duet ? DuetMeeting.open(lock).orElse(null) : null) {
            return duet && meeting == null ? Optional.empty() : attempt(launches, meeting);
        }
    }

    private Optional<List<Result>> attempt(List<Launch> launches, @Nullable DuetMeeting meeting)
            throws IOException, FailedBenchmarkException, StoppedException {
        var running = new ArrayList<Running>();
        try {
            Instant start = Instant.now();
            // The clock of the machine may be set back.
            long nanos = System.nanoTime();
            ProcessorTime before = ProcessorTime.now();
            for (Launch launch : launches) {
                running.add(start(launch, meeting, running.size()));
            }
            await(running, meeting);
            ProcessorTime after = ProcessorTime.now();
            double seconds = Duration.ofNanos(System.nanoTime() - nanos).toMillis() / 1e3;
            var results = new ArrayList<Result>();
            for (Running each : running) {
                String output = each.output();
                if (each.run.failed() && output.contains(LOCKED)) {
                    return Optional.empty();
                }
                Files.writeString(
                        log, output, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                if (each.run.failed()) {
                    String reason = failureCause(output, each.run.ended().join());
                    Path directory = Objects.requireNonNull(log.toAbsolutePath().getParent());
                    List<Path> crashes = keepCrashLogs(output, directory);
                    throw new FailedBenchmarkException(
                            running.indexOf(each),
                            crashes.isEmpty() ? reason : reason + "; the JVM crashed: " + crashes.getFirst(),
                            output.contains(ILLEGAL_INSTRUCTION));
                }
            }
            for (Running each : running) {
                BenchmarkCell cell = each.launch.cell;
                Profiling.keepText(ProfileDirectory.ROOT, cell, each.output());
                List<ObjectNode> rows = rows(each.results, cell, running.indexOf(each));
                List<ForkRun.Span> iterations =
                        meeting == null ? List.of() : DuetMeeting.takeIterations(rows.getFirst());
                var run = new ForkRun(
                        cell.benchmark() + BenchmarkRow.parameters(params(rows.getFirst())),
                        each.launch.number,
                        start,
                        seconds,
                        after.busyShare(before),
                        after.stolenShare(before),
                        iterations);
                results.add(new Result(List.copyOf(rows), run));
            }
            return Optional.of(results);
        } finally {
            for (Running each : running) {
                each.end();
            }
        }
    }

    private Running start(Launch launch, @Nullable DuetMeeting meeting, int side) throws IOException {
        Path results = Files.createTempFile("lemmata-fork-", ".json");
        Path text = Files.createTempFile("lemmata-fork-", ".log");
        List<String> command = new ArrayList<>(Cores.pinned(launch.processor));
        List<String> arguments = arguments(launch, results);
        JmhHosts.Run run;
        if (meeting == null) {
            command.addAll(launch.jar.command(BenchmarkJar.JMH, launch.isTrial() ? List.of(barrier) : List.of()));
            command.addAll(arguments);
            run = JmhHosts.Run.alone(command, text);
        } else {
            command.addAll(launch.jar.command(JmhHosts.MAIN, List.of(barrier), DuetMeeting.NO_LOCK));
            arguments.addAll(meeting.options(side, launch.processor, launch.other));
            // Pinned forks differ in their command; others would share a process, which runs one fork at a time.
            run = hosts.run(command, launch.processor < 0 ? side : 0, launch.jar.stamp(), text, arguments);
        }
        return new Running(launch, run, results, text);
    }

    private static List<String> arguments(Launch launch, Path results) {
        List<String> arguments = new ArrayList<>();
        arguments.add("^\\Q" + launch.cell.benchmark() + "\\E$");
        arguments.addAll(launch.isTrial() ? List.of("-prof", THREADS) : List.of());
        launch.cell.params().forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
        arguments.addAll(launch.cell.options());
        arguments.addAll(List.of("-f", "1", "-foe", "true", "-rf", "json", "-rff", results.toString()));
        return arguments;
    }

    private void await(List<Running> running, @Nullable DuetMeeting meeting) throws IOException, StoppedException {
        List<JmhHosts.Run> runs = running.stream().map(Running::run).toList();
        boolean released = false;
        while (!runs.stream().allMatch(JmhHosts.Run::hasEnded)) {
            TreeBuild.pause(POLL_MILLIS);
            boolean failed = runs.stream().anyMatch(JmhHosts.Run::failed);
            if (stop.getAsBoolean() && (failed || !runs.stream().allMatch(JmhHosts.Run::hasEnded))) {
                throw new StoppedException();
            }
            if (failed) {
                return;
            }
            if (meeting != null && !released && runs.stream().anyMatch(JmhHosts.Run::hasEnded)) {
                meeting.release();
                released = true;
            }
        }
        // Ctrl-C also ends the child processes, which then look as if they had failed.
        if (stop.getAsBoolean() && runs.stream().anyMatch(JmhHosts.Run::failed)) {
            throw new StoppedException();
        }
    }

    /** Moves the error reports of crashed JVMs to {@code directory}. */
    static List<Path> keepCrashLogs(String output, Path directory) throws IOException {
        List<Path> kept = new ArrayList<>();
        for (MatchResult line : CRASH_LOG.matcher(output).results().toList()) {
            Path left = Path.of(line.group(1));
            if (Files.exists(left)) {
                Path name = Objects.requireNonNull(left.getFileName());
                kept.add(Files.move(left, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING));
            }
        }
        return kept;
    }

    /** The parameters in the order of JMH's results. JMH's lists of benchmarks have another order. */
    private static Map<String, String> params(JsonNode row) {
        var params = new LinkedHashMap<String, String>();
        row.path("params")
                .properties()
                .forEach(param -> params.put(param.getKey(), param.getValue().asText()));
        return params;
    }

    private static List<ObjectNode> rows(Path results, BenchmarkCell cell, int launch)
            throws IOException, FailedBenchmarkException {
        var rows = new ArrayList<ObjectNode>();
        for (JsonNode row : MAPPER.readTree(results.toFile())) {
            String benchmark = row.path("benchmark").asText();
            if (!benchmark.equals(cell.benchmark()) || !params(row).equals(cell.params())) {
                throw new FailedBenchmarkException(
                        launch,
                        "expected a result of " + cell.key() + ", got one of " + benchmark + " " + params(row),
                        false);
            }
            rows.add((ObjectNode) row);
        }
        if (rows.isEmpty()) {
            throw new FailedBenchmarkException(launch, "JMH wrote no result", false);
        }
        return rows;
    }

    @Override
    public void close() {
        hosts.close();
    }

    /**
     * Processes with the main class {@code JmhHost}, one per jar and starting core, or per jar and side if forks are
     * not pinned. Each runs JMH repeatedly.
     */
    static final class JmhHosts implements AutoCloseable {

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

    /** The cause of a missing result, from the output of JMH and a fork; not the exception that wraps it. */
    static String failureCause(String output, int code) {
        String text = output.lines()
                .filter(line -> !line.startsWith("WARNING: ")
                        && !BenchmarkJar.SAID_BY_JVM.matcher(line).lookingAt())
                .collect(Collectors.joining("\n"));
        if (EXITED.matcher(text).find()) {
            Matcher exit = EXIT_CODE.matcher(text);
            return "its JVM ended before JMH had finished" + (exit.find() ? ", with exit code " + exit.group(1) : "")
                    + ": was System.exit called?";
        }
        return CAUSES.stream()
                .map(cause -> cause.matcher(text))
                .filter(Matcher::find)
                .findFirst()
                .map(found -> IntStream.rangeClosed(1, found.groupCount())
                        .mapToObj(found::group)
                        .flatMap(Stream::ofNullable)
                        .map(String::strip)
                        .collect(Collectors.joining(": ")))
                .orElse("JMH ended with exit code " + code);
    }
}

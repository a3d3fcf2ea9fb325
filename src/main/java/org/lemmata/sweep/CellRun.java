package org.lemmata.sweep;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.setting.Plugin;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.StepHash;
import org.lemmata.track.RunRecord;

/**
 * Runs one cell in its own directory. Everything that the cell throws is caught, so that the sweep continues. An error
 * escapes only if there is not enough memory to report it. Every engine runs its cells with this class.
 */
public final class CellRun {

    /** The file with the complete configuration of a cell. */
    public static final String CONFIG = "config.yaml";

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Cached per trial, because reading the state of the Git checkout takes time. */
    private static final Map<String, Map<String, String>> ENVIRONMENTS = new HashMap<>();

    private CellRun() {}

    /**
     * Limits for a cell.
     *
     * @param retries the number of further attempts after failures that may be temporary
     * @param keep which files stay in its directory
     */
    public record Limits(int threads, int retries, Keep keep) implements Serializable {}

    /**
     * How the run of a cell ended.
     *
     * @param ending the kind of ending
     * @param record its record; null if it was interrupted
     * @param trace the stack trace of the failure; null if there was none
     * @param isOfFiles whether a file operation failed, so that the settings are not to blame
     */
    public record Report(
            Ending ending,
            @Nullable CellRecord record,
            @Nullable String trace,
            boolean isOfFiles) {

        /** A report without a failed file operation. */
        public Report(Ending ending, @Nullable CellRecord record, @Nullable String trace) {
            this(ending, record, trace, false);
        }

        public enum Ending {
            DONE,
            /** The cell failed; this run does not retry it. */
            FAILED,
            /** The cell ran out of memory, possibly because of other cells. */
            OUT_OF_MEMORY,
            /** The cell was stopped and can be resumed. */
            INTERRUPTED
        }

        /** The report of an interrupted cell: a constant, because memory may be exhausted. */
        static final Report INTERRUPTED = new Report(Ending.INTERRUPTED, null, null);
    }

    private static final class Steps implements TrialContext.StepListener {

        private final List<StepHash> hashes;
        private double secondsBefore;

        Steps(List<StepHash> hashes) {
            this.hashes = hashes;
        }

        @Override
        public void taken(long step, double loss, String weights) {
            hashes.add(new StepHash(step, loss, weights));
        }

        @Override
        public void resumed(double seconds) {
            secondsBefore = seconds;
        }
    }

    /**
     * Runs a cell, or resumes an interrupted one, and retries after failures that may be temporary.
     *
     * @param directory the directory of this cell only; it is created if it does not exist
     * @param stop whether to stop at the next point from which the cell can be resumed
     */
    public static Report run(Cell cell, Limits limits, Path directory, BooleanSupplier stop) {
        return run(cell, limits, directory, stop, new ArrayList<>());
    }

    /** Runs a cell; {@code hashes} then contains hashes of its weights after some steps of the last attempt. */
    public static Report run(Cell cell, Limits limits, Path directory, BooleanSupplier stop, List<StepHash> hashes) {
        for (int attempt = 1; ; attempt++) {
            long start = System.nanoTime();
            hashes.clear();
            var steps = new Steps(hashes);
            try {
                var context = new TrialContext(directory, limits.threads(), limits.keep(), stop, steps);
                List<Measurement> measurements = measurements(cell, context);
                return report(cell, Ending.DONE, measurements, null, attempt, start, steps);
            } catch (InterruptedTrialException e) {
                // A stop that nobody requested is a failure, so that the cell has a record.
                return stop.getAsBoolean()
                        ? Report.INTERRUPTED
                        : report(cell, Ending.FAILED, List.of(), e, attempt, start, steps);
            } catch (IOException | UncheckedIOException e) {
                if (attempt > limits.retries()) {
                    return report(cell, Ending.FAILED, List.of(), e, attempt, start, steps);
                }
                pause(attempt, stop);
                if (stop.getAsBoolean()) {
                    return Report.INTERRUPTED;
                }
            } catch (Exception | Error e) {
                Ending ending = isForMemory(e) ? Ending.OUT_OF_MEMORY : Ending.FAILED;
                return report(cell, ending, List.of(), e, attempt, start, steps);
            }
        }
    }

    /**
     * Makes a report of a failure, and its line, before cells run at the same time. Code that is linked, or a class
     * that is initialized, for the first time while memory is exhausted can stay unusable until the JVM ends.
     */
    static void rehearseFailure(Cell cell) {
        var failure = new OutOfMemoryError("rehearsal");
        var steps = new Steps(new ArrayList<>());
        Report report = report(cell, Ending.OUT_OF_MEMORY, List.of(), failure, 1, System.nanoTime(), steps);
        String _ = Objects.requireNonNull(report.record()).toJson();
    }

    /** Waits, longer after each attempt; a temporary failure may pass meanwhile. */
    private static void pause(int attempt, BooleanSupplier stop) {
        long end = System.nanoTime() + attempt * PAUSE.toNanos();
        try {
            while (!stop.getAsBoolean() && System.nanoTime() < end) {
                Thread.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether memory was exhausted. If memory is exhausted while a class is initialized, the error is the cause of
     * another error.
     */
    static boolean isForMemory(@Nullable Throwable failure) {
        return failure instanceof OutOfMemoryError || (failure != null && isForMemory(failure.getCause()));
    }

    private static List<Measurement> measurements(Cell cell, TrialContext context) throws IOException {
        Trial trial = Trial.named(cell.trial());
        Path directory = context.directory();
        // A killed process may have left partial files.
        if (Files.isDirectory(directory)) {
            AtomicFile.discardLeftovers(directory, name -> true);
        }
        // The file is not forced to disk and may be empty after a crash of the machine, so each attempt writes it.
        AtomicFile.writeUnforced(directory.resolve(CONFIG), cell.yaml());
        return trial.run(cell.configuration(trial), context);
    }

    private static Report report(
            Cell cell,
            Ending ending,
            List<Measurement> measurements,
            @Nullable Throwable failure,
            int attempts,
            long start,
            Steps steps) {
        double seconds = steps.secondsBefore + (System.nanoTime() - start) * 1e-9;
        var environment = environment(cell);
        environment.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        var run = new CellRecord.Run(attempts, seconds, environment, steps.hashes);
        var record = new CellRecord(
                cell.id(),
                cell.trial(),
                cell.axes(),
                cell.seed(),
                cell.settings(),
                ending == Ending.DONE ? CellRecord.Status.DONE : CellRecord.Status.FAILED,
                failure == null ? null : reason(failure),
                measurements,
                run);
        return new Report(
                ending,
                record,
                failure == null ? null : trace(failure),
                failure instanceof IOException || failure instanceof UncheckedIOException);
    }

    /**
     * The reason in one line. It contains the exception's class name unless the input was rejected, memory was
     * exhausted, or an I/O error has a message of its own.
     */
    private static String reason(Throwable failure) {
        String message =
                failure.getMessage() == null ? "" : failure.getMessage().strip().replaceAll("\\s*\\R\\s*", "; ");
        return switch (failure) {
            case OutOfMemoryError e ->
                "out of memory: expected more than " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB of heap"
                        + (message.isEmpty() ? "" : " (" + message + ")");
            case FileSystemException e ->
                e.getFile() + ": " + (e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
            case IllegalArgumentException e when !message.isEmpty() -> message;
            case IOException e when !message.isEmpty() -> message;
            case UncheckedIOException e when e.getCause() != null -> reason(e.getCause());
            default -> failure.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
        };
    }

    private static String trace(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** The environment that the record of {@code cell} would have if it ran now in this JVM. */
    public static SortedMap<String, String> environment(Cell cell) {
        var environment = new TreeMap<>(environment(cell.trial()));
        String numerics = orUnknown(
                () -> Integer.toString(Math.max(1, Trial.named(cell.trial()).numerics(cell.settings()))));
        if (!numerics.equals("1")) {
            environment.put("numerics", numerics);
        }
        return environment;
    }

    private static Map<String, String> environment(String trial) {
        synchronized (ENVIRONMENTS) {
            return ENVIRONMENTS.computeIfAbsent(trial, name -> {
                String simd;
                try {
                    simd = Trial.named(name).simd();
                } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
                    simd = "unknown";
                }
                return Plugin.recordedIn(RunRecord.now(simd).environment());
            });
        }
    }

    private static String orUnknown(Supplier<String> text) {
        try {
            return text.get();
        } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
            return "unknown";
        }
    }
}

package org.lemmata.sweep;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.file.AtomicFile;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/** A trial for tests of engines, which computes, does nothing, or fails, depending on its settings. */
public final class ProbeTrial implements Trial {

    /** The behaviour of a probe besides its rounds. */
    public enum Behaviour {
        /** Nothing else: the result is a number that depends only on seed and rounds. */
        WORK,
        /** Throws an unexpected exception. */
        THROW,
        /** Rejects its settings only when it runs. */
        REFUSE,
        /** Fails with an {@code IOException} in its first {@code failures} attempts. */
        STUMBLE,
        /** Fills the heap to its last kilobyte for a short time. */
        ALLOCATE,
        /** Calls itself without end. */
        RECURSE,
        /** Stops without being asked to. */
        QUIT,
        /** Fails with an unusual error. */
        BREAK,
        /** Returns its result and leaves its thread interrupted. */
        INTERRUPT
    }

    static final CellRun.Limits LIMITS = new CellRun.Limits(1, 2, Keep.RESULTS);

    /** The number of rounds after which it saves its state and checks whether to stop. */
    private static final int ROUNDS_OF_A_PART = 1000;

    /** How long the heap stays full. */
    private static final int HOLD_MILLIS = 50;

    private static final String STATE = "state.txt";
    private static final String TRIES = "tries.txt";

    /** A file with a line for each resume, with the number of saved parts. */
    static final String RESUMED = "resumed.txt";

    @Override
    public String name() {
        return "probe";
    }

    @Override
    public Section section() {
        return Section.of(
                "",
                List.of(
                        new Setting("seed", "1", "determines the result"),
                        new Setting("threads", "1", "free"),
                        new Setting("parts", "0", "thousands of rounds"),
                        new Setting("pause", "0", "milliseconds of sleep after each part"),
                        new Setting("size", "1", "has no effect but to tell cells apart"),
                        new Setting("failures", "1", "how often it stumbles"),
                        new Setting("behaviour", "work", "what else it does")));
    }

    @Override
    public Set<String> free() {
        return Set.of("threads");
    }

    @Override
    public void check(Configuration settings) {
        settings.seed("seed");
        settings.integer("parts", 0, Integer.MAX_VALUE);
        settings.integer("pause", 0, 60_000);
        settings.integer("size", 1, Integer.MAX_VALUE);
        settings.integer("failures", 0, Integer.MAX_VALUE);
        settings.choice("behaviour", Behaviour.class);
    }

    @Override
    public String simd() {
        return "none";
    }

    @Override
    public double cost(Configuration settings) {
        return 1.0 + settings.integer("parts", 0, Integer.MAX_VALUE);
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) throws IOException {
        switch (settings.choice("behaviour", Behaviour.class)) {
            case WORK -> {}
            case THROW -> throw new IllegalStateException("a fault\nof two lines");
            case REFUSE -> throw new IllegalArgumentException("size: expected another one");
            case STUMBLE -> stumble(settings.integer("failures", 0, Integer.MAX_VALUE), context.directory());
            case ALLOCATE -> allocate();
            case RECURSE -> recurse(1);
            case QUIT -> throw new InterruptedTrialException();
            case BREAK -> throw new InternalError("broken");
            case INTERRUPT -> {
                List<Measurement> measurements = work(settings, context);
                Thread.currentThread().interrupt();
                return measurements;
            }
        }
        return work(settings, context);
    }

    private static List<Measurement> work(Configuration settings, TrialContext context) throws IOException {
        int parts = settings.integer("parts", 0, Integer.MAX_VALUE);
        Path state = context.directory().resolve(STATE);
        int part = 0;
        long word = settings.seed("seed");
        if (Files.exists(state)) {
            String[] words =
                    Files.readString(state, StandardCharsets.UTF_8).strip().split(" ", -1);
            part = Integer.parseInt(words[0]);
            word = Long.parseLong(words[1]);
            Files.writeString(
                    context.directory().resolve(RESUMED),
                    part + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        for (; part < parts; part++) {
            if (context.stop().getAsBoolean()) {
                throw new InterruptedTrialException();
            }
            for (int i = 0; i < ROUNDS_OF_A_PART; i++) {
                word = new SplittableRandom(word).nextLong();
            }
            AtomicFile.write(state, (part + 1) + " " + word);
            pause(settings.integer("pause", 0, 60_000));
        }
        Files.deleteIfExists(state);
        double value = new SplittableRandom(word).nextDouble();
        return List.of(
                new Measurement("value", value, "", new Interval(value, value + 1), 1, null),
                new Measurement("notANumber", Double.NaN, "", Interval.exact(Double.NaN), 1, null));
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new InterruptedTrialException();
        }
    }

    private static void stumble(int failures, Path directory) throws IOException {
        Path file = directory.resolve(TRIES);
        int tries = Files.exists(file) ? Integer.parseInt(Files.readString(file, StandardCharsets.UTF_8)) : 0;
        AtomicFile.write(file, Integer.toString(tries + 1));
        if (tries < failures) {
            throw new IOException("stumbled " + (tries + 1) + " times");
        }
    }

    private static void allocate() {
        Object all = new Object[0];
        OutOfMemoryError last = null;
        for (int length = 1 << 17; length >= 1 << 7; length >>= 5) {
            try {
                while (true) {
                    all = new Object[] {all, new long[length]};
                }
            } catch (OutOfMemoryError e) {
                last = e;
            }
        }
        try {
            pause(HOLD_MILLIS);
        } finally {
            Reference.reachabilityFence(all);
        }
        throw Objects.requireNonNull(last);
    }

    private static int recurse(int depth) {
        return depth <= 0 ? depth : recurse(depth + 1) + 1;
    }

    /** A sweep of the trial {@code probe}: {@code keys} are those of a sweep file. */
    static Sweep sweep(Path directory, String keys) throws IOException {
        return Sweep.read(
                Files.writeString(directory.resolve("probe.yaml"), "trial: probe\n" + keys), List.of(), Sweep.FULL);
    }

    /** The single cell with these settings. */
    static Cell cell(Path directory, String settings) throws IOException {
        return sweep(directory, "base: {" + settings + "}").cells().getFirst();
    }

    /** Runs a sweep here, one cell at a time. */
    static SweepRun.Progress run(Sweep sweep, Path out) throws IOException {
        try (SweepDirectory directory = SweepDirectory.open(out)) {
            return run(sweep, new LocalEngine(1, 1L << 30), directory);
        }
    }

    static SweepRun.Progress run(Sweep sweep, SweepEngine engine, SweepDirectory directory) throws IOException {
        return new SweepRun(sweep, engine, Map.of()).run(directory, () -> false, (progress, ended) -> {});
    }

    /** The content of a record that does not depend on how and where the cell ran. */
    static String content(Optional<CellRecord> record) {
        return record.map(CellRecord::toJson).orElse("none").replaceFirst(",\"run\":\\{.*", "");
    }

    static String content(CellRecord record) {
        return content(Optional.of(record));
    }
}

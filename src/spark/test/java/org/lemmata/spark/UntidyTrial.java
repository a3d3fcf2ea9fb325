package org.lemmata.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Trial;
import org.lemmata.sweep.TrialContext;

/** A cell that has its result, and makes it hard to tell. */
public final class UntidyTrial implements Trial {

    /** What it does beside that. */
    public enum Deed {
        /** Removes the directory it was given. */
        FORGET,
        /** Leaves a file in a directory below. */
        NEST,
        /** Leaves a file, and its thread interrupted. */
        INTERRUPT,
        /** Has no memory left for a report, the first {@code times} times. */
        STARVE
    }

    @Override
    public String name() {
        return "untidy";
    }

    @Override
    public Section section() {
        return Section.of(
                "",
                List.of(
                        new Setting("seed", "1", "no effect"),
                        new Setting("does", "nest", "what it does"),
                        new Setting("times", "0", "how often it starves")));
    }

    @Override
    public Set<String> free() {
        return Set.of();
    }

    @Override
    public void check(Configuration settings) {
        settings.seed("seed");
        settings.choice("does", Deed.class);
        settings.integer("times", 0, Integer.MAX_VALUE);
    }

    @Override
    public String simd() {
        return "none";
    }

    @Override
    public double cost(Configuration settings) {
        return 1;
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) throws IOException {
        Path directory = context.directory();
        switch (settings.choice("does", Deed.class)) {
            case FORGET -> {
                try (Stream<Path> files = Files.list(directory)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(directory);
            }
            case NEST -> {
                Path below =
                        Files.createDirectories(directory.resolve("checkpoints").resolve("1"));
                Files.writeString(below.resolve("weights.bin"), "weights");
                Files.createDirectory(directory.resolve("empty"));
            }
            case INTERRUPT -> {
                Files.writeString(directory.resolve("notes.txt"), "notes");
                Thread.currentThread().interrupt();
            }
            case STARVE -> starve(directory.resolve("tries.txt"), settings.integer("times", 0, Integer.MAX_VALUE));
        }
        return List.of(new Measurement("one", 1, "", Interval.exact(1), 1, null));
    }

    private static void starve(Path tries, int times) throws IOException {
        Files.writeString(tries, "once\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.readAllLines(tries).size() <= times) {
            throw new Unreportable();
        }
    }

    /** What cannot be told of in the memory there is. */
    private static final class Unreportable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("planted");
        }
    }
}

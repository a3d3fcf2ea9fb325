package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.setting.Plugin;
import org.lemmata.statistic.Measurement;

/**
 * A kind of cell. It computes measurements from settings, with the same bits for any number of threads and
 * interruptions.
 *
 * <p>Implementations are found by {@link ServiceLoader}, also by executors on other machines.
 */
public interface Trial {

    /** The key of the seed, which every trial has. */
    String SEED = "seed";

    /** The name in sweep files, such as "train". */
    String name();

    /** The allowed keys. */
    Section section();

    /** The keys that do not affect any bit of the result; the settings of a cell do not contain them. */
    Set<String> free();

    /**
     * Reads every setting that a run reads, without computing anything. The settings that were read identify the cell.
     * If nothing reads {@link #SEED}, cells that differ only in the seed are therefore the same cell. Of cells that
     * differ only in the seed, a sweep checks one.
     *
     * @throws IllegalArgumentException if a setting is not legal; the message is one line that names the place
     * @throws IOException if a file that a setting names cannot be read
     */
    void check(Configuration settings) throws IOException;

    /** A description of the vector width that a run uses in this JVM. */
    String simd();

    /**
     * The numerics version for these settings, which are given by dotted path. Increment it if a change of the code
     * changes the last bits of results with these settings.
     */
    default int numerics(Map<String, String> settings) {
        return 1;
    }

    /**
     * The maximum cost of a run, in floating-point operations or in another unit ({@link #costUnit}). A cell with twice
     * the cost takes about twice the time. This method is fast and is called after {@link #check}.
     */
    double cost(Configuration settings) throws IOException;

    /** The unit of the cost, in the plural; the same for all cells of this trial. */
    default String costUnit() {
        return "FLOP";
    }

    /** The cost of one unit of work, such as a step. The speed depends mainly on this cost. */
    default double stepCost(Configuration settings) throws IOException {
        return cost(settings);
    }

    /**
     * Measures the speed of some steps of a cell without writing files; other cells may run at the same time.
     *
     * @param time approximate total time; longer if the smallest step that can be measured takes longer
     * @return empty if the trial cannot measure its speed
     * @throws IllegalArgumentException if the settings cannot be run
     */
    default Optional<TrialSpeed> speed(Configuration settings, int threads, Duration time) throws IOException {
        return Optional.empty();
    }

    /**
     * Runs a cell, or resumes an interrupted one.
     *
     * @throws InterruptedTrialException if the context requests a stop; the files in its directory allow it to be
     *     resumed
     * @throws IllegalArgumentException if the settings cannot be run
     * @throws IOException if a file operation fails; another attempt may succeed
     */
    List<Measurement> run(Configuration settings, TrialContext context) throws IOException;

    /**
     * Removes the files that are needed only to resume a cell; called after the cell's result is recorded.
     *
     * @param directory the directory of the cell, which may have no such files
     * @param keep which files stay
     */
    default void release(Path directory, Keep keep) throws IOException {}

    /**
     * The trial with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Trial named(String name) {
        List<Plugin.Found<Trial>> all = found(Plugin.used());
        return all.stream()
                .filter(trial -> trial.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    String names = all.stream().map(Plugin.Found::name).sorted().collect(Collectors.joining(", "));
                    return new IllegalArgumentException("expected one of " + names + ", got " + Refuse.quoted(name));
                })
                .value();
    }

    /**
     * The trials of Lemmata and of plugins.
     *
     * @throws IllegalArgumentException if a plugin cannot be used, or two trials have the same name
     */
    static List<Plugin.Found<Trial>> found(List<Plugin> plugins) {
        return Plugin.found("trial", Trial.class, List::of, Trial::name, plugins);
    }
}

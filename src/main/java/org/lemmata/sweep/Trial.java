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
 * A kind of cell: settings in, measurements out. The measurements follow from the settings alone, to the bit, for any
 * number of threads and however often the run was interrupted.
 *
 * <p>Implementations are found by {@link ServiceLoader}, so that executors on other machines find them, too.
 */
public interface Trial {

    /** The key of the seed, which every trial has. */
    String SEED = "seed";

    /** The name, as sweep files have it: "train". */
    String name();

    /** The legal keys. */
    Section section();

    /** The keys on which no bit of the result depends; a cell does not have them. */
    Set<String> free();

    /**
     * Reads every setting that a run would, and computes nothing: what was read tells the cell apart, so that cells of
     * two seeds are one if nothing reads {@link #SEED}.
     *
     * @throws IllegalArgumentException if a setting is not legal; the message is one line that names the place
     * @throws IOException if a file that a setting names cannot be read
     */
    void check(Configuration settings) throws IOException;

    /** The vector width that a run uses in this JVM, in words. */
    String simd();

    /** Counts up where a change of the code gives runs of such settings, by dotted path, other last bits. */
    default int numerics(Map<String, String> settings) {
        return 1;
    }

    /**
     * What a run takes at most, in floating-point operations by counting, or in another unit, which {@link #costUnit}
     * names: a cell of twice the cost takes about twice the time. Cheap, like {@link #check}, which comes before it.
     */
    double cost(Configuration settings) throws IOException;

    /** The unit of the cost, in the plural; the same for all cells of this trial. */
    default String costUnit() {
        return "FLOP";
    }

    /** The part of the cost that is done in one go, on which the speed depends most: that of one step, say. */
    default double stepCost(Configuration settings) throws IOException {
        return cost(settings);
    }

    /**
     * Runs some steps of a cell, writes nothing, and says how fast they were; other cells may run beside it.
     *
     * @param threads to compute on
     * @param time for all of it; more only if a single step, made smaller, takes more
     * @return empty if the trial cannot tell
     * @throws IllegalArgumentException if the settings cannot be run
     */
    default Optional<TrialSpeed> speed(Configuration settings, int threads, Duration time) throws IOException {
        return Optional.empty();
    }

    /**
     * Runs a cell, or goes on with one that was interrupted.
     *
     * @throws InterruptedTrialException if the context wants it to stop; what it left in its directory lets it go on
     * @throws IllegalArgumentException if the settings cannot be run
     * @throws IOException if files fail; another try may do better
     */
    List<Measurement> run(Configuration settings, TrialContext context) throws IOException;

    /**
     * Removes what a cell only needed to go on from, now that its result is recorded.
     *
     * @param directory of the cell; may hold none of it
     * @param keep what is to stay
     */
    default void release(Path directory, Keep keep) throws IOException {}

    /**
     * The trial of a name.
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
     * Lemmata's trials, and those of some plugins.
     *
     * @throws IllegalArgumentException if a plugin cannot be used, or two trials have one name
     */
    static List<Plugin.Found<Trial>> found(List<Plugin> plugins) {
        return Plugin.found("trial", Trial.class, List::of, Trial::name, plugins);
    }
}

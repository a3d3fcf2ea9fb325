package org.lemmata.sweep;

import java.io.IOException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
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
     * Reads every setting that a run would, and computes nothing: what is then effective tells the cell apart.
     *
     * @throws IllegalArgumentException if a setting is not legal; the message is one line that names the place
     * @throws IOException if a file that a setting names cannot be read
     */
    void check(Configuration settings) throws IOException;

    /** The vector width that a run uses in this JVM, in words. */
    String simd();

    /** What a run takes, in floating-point operations, or in any unit that all cells of this trial share. */
    double cost(Configuration settings) throws IOException;

    /**
     * Runs a cell, or goes on with one that was interrupted.
     *
     * @throws InterruptedTrialException if the context wants it to stop; what it left in its directory lets it go on
     * @throws IllegalArgumentException if the settings cannot be run
     * @throws IOException if files fail; another try may do better
     */
    List<Measurement> run(Configuration settings, TrialContext context) throws IOException;

    /**
     * The trial of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Trial named(String name) {
        return StreamSupport.stream(ServiceLoader.load(Trial.class, Trial.class.getClassLoader()).spliterator(), false)
                .filter(trial -> trial.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected one of " + names() + ", got '" + name + "'"));
    }

    private static String names() {
        return StreamSupport.stream(ServiceLoader.load(Trial.class, Trial.class.getClassLoader()).spliterator(), false)
                .map(Trial::name)
                .sorted()
                .collect(Collectors.joining(", "));
    }
}

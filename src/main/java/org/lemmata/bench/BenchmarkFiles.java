package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.RunRecord;

/**
 * The files of a run. {@code NAME.json} has the results of the first side and {@code NAME.against.json} those of the
 * second side, each with a run record next to it. If some benchmarks fail, the rows of the other benchmarks are in
 * {@code NAME.incomplete.json}.
 *
 * @param directory the directory of all runs
 */
public record BenchmarkFiles(Path directory, String name) {

    /** The directory of all runs of a checkout. */
    public static final Path DIRECTORY = Path.of("jmh-results");

    /** The stored baselines, one for each vector width. */
    public static final Path PORTABLE = DIRECTORY.resolve("portable");

    private static final String HISTORY_FILE = "history.jsonl";

    /** The history of a checkout: one line per row of each complete run without profilers; only the first side. */
    public static final Path HISTORY = DIRECTORY.resolve(HISTORY_FILE);

    /** The files of a run with a name that the user chose. */
    public static BenchmarkFiles named(Path directory, String name) {
        // NAME.run.json, NAME.against.json and NAME.incomplete.json are files of the run NAME.
        if (!name.matches("[\\p{Alnum}_-][\\p{Alnum}._-]*") || name.matches(".*\\.(run|against|incomplete)")) {
            throw new IllegalArgumentException("--name: expected letters, digits, '.', '_' and '-',"
                    + " without .run, .against or .incomplete at the end, got " + name);
        }
        return new BenchmarkFiles(directory, name);
    }

    public Path results(BenchmarkSide side) {
        return side.name().equals("A") ? firstSide() : secondSide();
    }

    public Comparison compared(ComparisonOptions options) throws IOException {
        return Comparison.ofSides(
                ComparisonSide.read(name + ".against", secondSide()), ComparisonSide.read(name, firstSide()), options);
    }

    /** The files for the forks so far, and for a run in which some benchmarks failed. */
    public BenchmarkFiles incomplete() {
        return new BenchmarkFiles(directory, name + ".incomplete");
    }

    private Path firstSide() {
        return directory.resolve(name + ".json");
    }

    private Path secondSide() {
        return directory.resolve(name + ".against.json");
    }

    /** Deletes the second side's results of an older run, which were not measured together with the new results. */
    void discardSecondSide() throws IOException {
        discard(secondSide());
    }

    void discard() throws IOException {
        discard(firstSide());
        discard(secondSide());
    }

    private static void discard(Path results) throws IOException {
        Files.deleteIfExists(results);
        Files.deleteIfExists(RunRecord.beside(results));
    }

    public Path history() {
        return directory.resolve(HISTORY_FILE);
    }

    /** The file with the forks of an unfinished run. */
    public Path journal() {
        return directory.resolve("." + name + ".journal");
    }
}

package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lemmata.track.RunRecord;

/**
 * Where the results of a run lie: {@code NAME.json} of its first side, {@code NAME.against.json} of its second, a
 * record beside each; {@code NAME.incomplete.json} has the rows that ran of one in which others failed.
 *
 * @param directory of all runs
 * @param name of this one, a file's name
 */
public record BenchmarkFiles(Path directory, String name) {

    /** Of all runs of a checkout. */
    public static final Path DIRECTORY = Path.of("jmh-results");

    /** Stored baselines, one for each width of vectors. */
    public static final Path PORTABLE = DIRECTORY.resolve("portable");

    private static final String HISTORY_FILE = "history.jsonl";

    /** One line a row of every run of a checkout. */
    public static final Path HISTORY = DIRECTORY.resolve(HISTORY_FILE);

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name is none of a file in the directory
     */
    public BenchmarkFiles {
        // NAME.run.json and NAME.against.json belong to the results NAME.
        if (!name.matches("[\\p{Alnum}_-][\\p{Alnum}._-]*") || name.endsWith(".run") || name.endsWith(".against")) {
            throw new IllegalArgumentException("--name: expected letters, digits, '.', '_' and '-',"
                    + " without .run or .against at the end, got " + name);
        }
    }

    /** The results of a side. */
    public Path results(BenchmarkSide side) {
        return side.name().equals("A") ? firstSide() : secondSide();
    }

    /** Those of the rows that ran, where others failed. */
    public BenchmarkFiles incomplete() {
        return new BenchmarkFiles(directory, name + ".incomplete");
    }

    private Path firstSide() {
        return directory.resolve(name + ".json");
    }

    private Path secondSide() {
        return directory.resolve(name + ".against.json");
    }

    /** Removes the second side that an older run left: it would stand beside results that it never ran beside. */
    void discardSecondSide() throws IOException {
        discard(secondSide());
    }

    /** Removes what an older run left of both sides. */
    void discard() throws IOException {
        discard(firstSide());
        discard(secondSide());
    }

    private static void discard(Path results) throws IOException {
        Files.deleteIfExists(results);
        Files.deleteIfExists(RunRecord.beside(results));
    }

    /** One line a row of every run of the directory. */
    public Path history() {
        return directory.resolve(HISTORY_FILE);
    }

    /** The forks of a run that has not ended. */
    public Path journal() {
        return directory.resolve("." + name + ".journal");
    }
}

package org.lemmata.bench;

import java.nio.file.Path;

/**
 * Where the results of a run lie: {@code NAME.json} of its first side, {@code NAME.against.json} of its second, a record
 * beside each.
 *
 * @param directory of all runs
 * @param name of this one, a file's name
 */
public record BenchmarkFiles(Path directory, String name) {

    /** Of all runs of a checkout. */
    public static final Path DIRECTORY = Path.of("jmh-results");

    /** One line a row of every run. */
    public static final Path HISTORY = DIRECTORY.resolve("history.jsonl");

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
        return directory.resolve(name + (side.name().equals("A") ? "" : ".against") + ".json");
    }

    /** The forks of a run that has not ended. */
    public Path journal() {
        return directory.resolve("." + name + ".journal");
    }
}

package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.track.Evidence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives recorded cells the form that the code has for them: checksums, and names of measurements. */
@Command(
        name = "migrate",
        description =
                "Renames measurements of the cells under evidence/; without a name it gives lines that were recorded"
                        + " before lines had checksums theirs. Ids, settings, values, runs and the order stay.")
final class MigrateCommand extends OutputCommand {

    @Parameters(index = "0", paramLabel = "PAPER", description = "The paper's key, such as depth.")
    private String paper;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "A regular expression of whole names: 'answers[.](.*)[.]commonest'.")
    private @Nullable String name;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "NEW",
            description = "The new name, with groups: 'answers.$1.majority'.")
    private @Nullable String replacement;

    @Option(
            names = "--evidence",
            paramLabel = "DIR",
            description = "Where the cells are; by default evidence in the checkout of this program, else in this"
                    + " directory.")
    private @Nullable Path directory;

    @Override
    public Integer call() throws IOException {
        Evidence evidence = directory == null ? Evidence.ofCheckout() : new Evidence(directory);
        Path file = evidence.file(paper);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("PAPER: expected one with recorded cells, got no file " + file);
        }
        if (name == null) {
            out().println(evidence.seal(paper) + " lines given their checksums in " + file);
            return ExitCode.CLEAN;
        }
        if (replacement == null) {
            throw new IllegalArgumentException("NEW: expected a new name beside NAME, got none");
        }
        int renamed;
        try {
            renamed = evidence.rename(paper, pattern(name), replacement);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "NEW: expected groups that NAME has, got '" + replacement + "': " + e.getMessage(), e);
        }
        out().println(renamed + " measurements renamed in " + file);
        return ExitCode.CLEAN;
    }

    private static Pattern pattern(String name) {
        try {
            return Pattern.compile(name);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "NAME: expected a regular expression, got '" + name + "': " + e.getDescription(), e);
        }
    }
}

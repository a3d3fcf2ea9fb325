package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Claims;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.track.Evidence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renames measurements of recorded cells to their names in the current code. */
@Command(
        name = "migrate",
        description = {
            "Rename measurements of the cells under evidence/.",
            "Keeps ids, settings, values, runs and the order."
        },
        footer = {"  lemmata migrate depth 'answers[.](.*)[.]mostFrequent' 'answers.$1.majority'"})
final class MigrateCommand extends OutputCommand {

    @Parameters(index = "0", paramLabel = "PAPER", description = "The key of the paper, such as depth.")
    private String paper;

    @Parameters(index = "1", paramLabel = "NAME", description = "A regular expression of whole names.")
    private String name;

    @Parameters(index = "2", paramLabel = "NEW", description = "The new name, in which $1 stands for the first group.")
    private String replacement;

    @Option(
            names = "--evidence",
            paramLabel = "DIR",
            description = "The recorded cells (default: evidence in the directory of this program; for plug-ins, in "
                    + "the current directory).")
    private @Nullable Path directory;

    @Override
    public Integer call() throws IOException {
        Evidence evidence = directory == null ? Claims.evidence() : new Evidence(directory);
        Path file = evidence.file(paper);
        Refuse.when(!Files.exists(file), "PAPER", "one with recorded cells", "no file " + file);
        int renamed;
        try {
            renamed = evidence.rename(paper, GateOptions.pattern("NAME", name), replacement);
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "NEW: expected groups that NAME has, got " + Refuse.quoted(replacement) + ": " + e.getMessage(), e);
        }
        out().println(renamed + " measurements renamed in " + file);
        return ExitCode.CLEAN;
    }
}

package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.Report;
import org.lemmata.report.ReportFiles;
import org.lemmata.report.ReportInput;
import org.lemmata.track.Evidence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the page. */
@Command(
        name = "report",
        description =
                "Writes the page of claims, experiments and benchmarks. Exit code 1: a verdict on it is contrary to the"
                        + " expected one; 3: no verdict where one was expected.")
final class ReportCommand implements Callable<Integer> {

    @Option(
            names = "--claims",
            paramLabel = "FILE",
            description = "What `verify --json` wrote; target/claims.json by default.")
    private @Nullable Path claims;

    @Option(names = "--jmh", paramLabel = "FILE", description = "JMH's results; jmh-results/latest.json by default.")
    private @Nullable Path benchmarks;

    @Option(
            names = "--sweep",
            paramLabel = "DIR",
            description = "The directory of a sweep, whose cells are plotted; may be repeated.")
    private List<Path> sweeps = List.of();

    @Option(
            names = "--comparison",
            paramLabel = "FILE",
            description = "What `compare --json` wrote; target/comparison.json by default, but with --jmh.")
    private @Nullable Path comparison;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/report",
            description = "Where index.html goes;" + " target/report by default.")
    private Path directory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ReportInput input = new ReportFiles(claims, benchmarks, sweeps, Evidence.ofCheckout(), comparison).read();
        Path page = Report.write(directory, input);
        spec.commandLine().getOut().println("page: " + page);
        return exitCode(input);
    }

    private int exitCode(ReportInput input) {
        if (input.claims() == null) {
            return ExitCode.CLEAN;
        }
        int code = ClaimVerdicts.exitCode(input.claims().results());
        if (code != ExitCode.CLEAN) {
            spec.commandLine()
                    .getErr()
                    .println("lemmata: "
                            + ClaimVerdicts.unexpected(input.claims().results()));
        }
        return code;
    }
}

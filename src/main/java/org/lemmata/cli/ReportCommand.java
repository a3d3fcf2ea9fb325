package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.cli.text.ComparisonText;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.AtomicFile;
import org.lemmata.report.BencherExport;
import org.lemmata.report.MarkdownSummary;
import org.lemmata.report.OtavaExport;
import org.lemmata.report.Report;
import org.lemmata.report.ReportInput;
import org.lemmata.report.ReportInput.ReportFiles;
import org.lemmata.report.TrendPicture;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.Evidence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "report",
        description = "Write a web page of claims, experiments and benchmarks.",
        exitCodeList = {
            "0:No alarm. Comparisons of two versions are shown, not judged.",
            "1:A verdict contradicts the pinned one, or a ratio within the latest run is slower than its baseline.",
            "2:Bad input or a failure; one line on standard error names it.",
            "3:A claim with a pinned verdict has none now."
        },
        footer = {"  lemmata report", "  lemmata report --sweep my-sweep --out page"})
final class ReportCommand extends OutputCommand {

    @Option(
            names = "--claims",
            paramLabel = "FILE",
            description = "Verdicts written by `verify --json=FILE` (default: target/claims.json).")
    private @Nullable Path claims;

    @Option(names = "--jmh", paramLabel = "FILE", description = "Results of JMH (default: jmh-results/latest.json).")
    private @Nullable Path benchmarks;

    @Option(
            names = "--sweep",
            paramLabel = "DIR",
            description = "Plot the cells of a sweep. You can repeat this option.")
    private List<Path> sweeps = List.of();

    @Option(
            names = "--evidence",
            paramLabel = "DIR",
            description = "Also plot recorded cells: every measurement against every axis.")
    private @Nullable Path evidence;

    @Option(
            names = "--comparison",
            paramLabel = "FILE",
            description = "A comparison written by `compare --json=FILE` (default without --jmh: "
                    + "target/comparison.json).")
    private @Nullable Path comparison;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/report",
            description = "The directory of index.html (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(names = "--bmf", paramLabel = "FILE", description = "Also write the benchmarks in Bencher Metric Format.")
    private @Nullable Path bencher;

    @Option(
            names = "--otava",
            paramLabel = "DIR",
            description =
                    "Also write the history for Apache Otava, which finds slow drift: one CSV file per benchmark.")
    private @Nullable Path otava;

    @Option(
            names = "--trend",
            paramLabel = "FILE",
            description = "Also draw the history as SVG: the speed of each run relative to the first.")
    private @Nullable Path trend;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also write a summary for a pull request.")
    private @Nullable Path markdown;

    private @Nullable Exception failure;

    @FunctionalInterface
    private interface Export {
        void write(Path place) throws IOException;
    }

    @Override
    public Integer call() throws Exception {
        OutDirectory.requireDirectory("--evidence", evidence);
        Evidence cells = evidence == null ? null : new Evidence(evidence);
        ReportInput input = new ReportFiles(claims, benchmarks, sweeps, cells, comparison).read(directory);
        Path page = Report.write(directory, input);
        out().println("page: " + page);
        if (!sweeps.isEmpty()) {
            out().println("plots: " + Report.writePlots(directory, input) + " as SVG and CSV in " + directory);
        }
        if (input.benchmarks() != null) {
            export("bmf", bencher, file -> AtomicFile.write(file, BencherExport.of(input)));
            export("otava", otava, place -> OtavaExport.write(place, input));
        } else if (bencher != null || otava != null) {
            say("no benchmarks, and so neither --bmf nor --otava");
        }
        export("trend", trend, file -> AtomicFile.write(file, TrendPicture.of(input)));
        export("markdown", markdown, file -> AtomicFile.write(file, MarkdownSummary.of(input)));
        if (failure != null) {
            throw failure;
        }
        return exitCode(input);
    }

    /** Writes an export, if it has a place. The first failure is kept until the other exports are written. */
    private void export(String name, @Nullable Path place, Export export) {
        if (place != null) {
            try {
                export.write(place);
                out().println(name + ": " + place);
            } catch (IOException | IllegalArgumentException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    say(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private int exitCode(ReportInput input) {
        int code = input.claims() == null
                ? ExitCode.CLEAN
                : VerdictOutput.exitCode(input.claims().results());
        if (input.claims() != null && code != ExitCode.CLEAN) {
            say(VerdictOutput.changed(input.claims().results()));
        }
        Comparison ratios = input.tracking().comparison();
        if (ratios != null
                && ratios.ofRatios()
                && !ratios.with(ComparisonRow.Change.SLOWER).isEmpty()) {
            say(ComparisonText.slower(ratios));
            return ExitCode.CONTRARY;
        }
        return code;
    }

    private void say(String line) {
        err().println("lemmata: " + line);
    }
}

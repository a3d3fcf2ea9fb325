package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.bench.BenchmarkFiles;
import org.lemmata.cli.text.ComparisonText;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;
import org.lemmata.setting.ValueType;
import org.lemmata.statistic.Center;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonOptions.Allowed;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.History;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.HistoryComparison;
import org.lemmata.track.RatioComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        description = {
            "Compare JMH results with a baseline.",
            "Each benchmark is slower, faster, the same within a margin, or inconclusive; the table then "
                    + "gives the number of forks needed. Without a baseline, ratios within the run are "
                    + "compared with those of jmh-results/portable and of the last run on this machine."
        },
        exitCodeList = {
            "0:No benchmark is slower.",
            "1:A benchmark is slower; in an A/A run, one differs.",
            "2:Bad input or a failure; one line on standard error names it.",
            "3:No benchmark is slower, but one has no verdict, or there is no baseline."
        },
        footer = {"  lemmata compare before.json after.json --margin 5%%", "  lemmata compare --history"})
final class CompareCommand extends JsonCommand {

    private static final String HISTORY_LINE = "%-8s  %-6s  %-18s  %-4s  %s%n";

    private static final String LATEST = "latest";
    private static final String JSON = ".json";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "BASELINE",
            description = "The baseline: a .json file of JMH, or the name of a run under jmh-results. The name of a "
                    + "run with two sides (bench --against, --aa), without CURRENT, compares its sides.")
    private @Nullable String baseline;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "CURRENT",
            description = "The results to judge: a file or a name (default: latest).")
    private @Nullable String current;

    @Option(
            names = "--center",
            paramLabel = "CENTER",
            description = "The center of each side: mean_of_medians (of the forks), median or mean (default: "
                    + "mean_of_medians).")
    private Center center = ComparisonOptions.DEFAULT.center();

    @Option(
            names = "--alpha",
            paramLabel = "SHARE",
            description = "The chance that any interval misses the true ratio (default: 0.05).")
    private double alpha = ComparisonOptions.DEFAULT.alpha();

    @Mixin
    private final GateOptions gate = new GateOptions();

    @Option(
            names = "--allow",
            split = ",",
            paramLabel = "WHAT",
            description = "Differences to accept: machine, settings, jvm-arguments, forks.")
    private List<String> allowed = List.of();

    @Option(names = "--include", paramLabel = "REGEX", description = "Compare only rows that match REGEX.")
    private String include = "";

    @Option(
            names = "--history",
            description = "Compare the latest run in jmh-results/history.jsonl with the median of up to 20 earlier "
                    + "runs on this machine. Every run adds itself to the history.")
    private boolean history;

    @Override
    public Integer call() throws IOException {
        ComparisonOptions options = options();
        gate.refuseOthers();
        String first = baseline;
        if (history) {
            if (first != null) {
                throw new IllegalArgumentException("--history: expected no baseline with it, got " + first);
            }
            refuseOptions("--history");
            Path file = BenchmarkFiles.HISTORY;
            var compared = HistoryComparison.of(Files.exists(file) ? History.read(file) : List.of());
            printHistory(text(), compared);
            printJson(historyJson(compared));
            return historyExitCode(compared);
        }
        if (first == null) {
            refuseOptions("without a baseline");
            return withoutBaseline();
        }
        return compare(first, options);
    }

    /** Rejects options that need two runs. */
    private void refuseOptions(String where) {
        GateOptions.refuse(
                commandLine(),
                List.of("--center", "--alpha", "--allow", "--include"),
                "two runs to compare",
                "none (" + where + ")");
    }

    /** Compares ratios within the latest run with the baseline of its vector width and the last run here. */
    private int withoutBaseline() throws IOException {
        if (!Files.exists(file(LATEST))) {
            String why = "no baseline named, and no run in " + file(LATEST) + "; mvn -P jmh verify measures one";
            err().println("lemmata: compare: " + why);
            printJson(Comparison.refused("a baseline", LATEST, why));
            return ExitCode.INCONCLUSIVE;
        }
        return print(RatioComparison.of(
                ComparisonSide.read(LATEST, file(LATEST)), BenchmarkFiles.PORTABLE, BenchmarkFiles.HISTORY));
    }

    private int compare(String first, ComparisonOptions options) throws IOException {
        String before = first;
        String now = current == null ? LATEST : current;
        boolean sides = current == null && Files.exists(file(against(first)));
        if (sides) {
            before = against(first);
            now = first;
        }
        boolean exist = Files.exists(file(before)) && Files.exists(file(now));
        boolean same =
                exist ? Files.isSameFile(file(before), file(now)) : file(before).equals(file(now));
        Refuse.when(same, "CURRENT", "other results than the baseline's", now);
        Comparison comparison;
        ComparisonSide sideBefore = ComparisonSide.read(before, file(before));
        ComparisonSide sideNow = ComparisonSide.read(now, file(now));
        try {
            comparison = sides
                    ? Comparison.ofSides(sideBefore, sideNow, options)
                    : Comparison.of(sideBefore, sideNow, options);
            boolean none = !include.isEmpty() && comparison.rows().isEmpty();
            Refuse.when(none, "--include", "a regular expression that matches a row", include);
        } catch (IllegalArgumentException e) {
            // The rejection is written, so that the page does not show an older comparison.
            printJson(Comparison.refused(before, now, String.valueOf(e.getMessage())));
            throw e;
        }
        return print(gate.accepted(comparison, err()));
    }

    private int print(Comparison comparison) throws IOException {
        printJson(comparison);
        text().print(ComparisonText.of(comparison));
        return ComparisonText.exitCode(comparison, gate.failures());
    }

    /** A run's results. An existing file may have any extension; the reader checks its content. */
    private static Path file(String name) {
        Path run = BenchmarkFiles.DIRECTORY.resolve(name + JSON);
        Path given = Path.of(name);
        return name.endsWith(JSON) || (!Files.exists(run) && Files.exists(given)) ? given : run;
    }

    private static String against(String name) {
        return name.endsWith(JSON)
                ? name.substring(0, name.length() - JSON.length()) + ".against" + JSON
                : name + ".against";
    }

    private ComparisonOptions options() {
        return gate.in(new ComparisonOptions(
                center,
                alpha,
                ComparisonOptions.DEFAULT.margin(),
                List.of(),
                allowed(),
                GateOptions.pattern("--include", include),
                List.of()));
    }

    private Set<Allowed> allowed() {
        Set<Allowed> kinds = EnumSet.noneOf(Allowed.class);
        for (String text : allowed) {
            kinds.add(ValueType.choice(List.of(Allowed.values()))
                    .read(text)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--allow: expected machine, settings, jvm-arguments or forks, got " + text)));
        }
        return kinds;
    }

    /** The exit code; 3 if no row has enough earlier runs. */
    static int historyExitCode(HistoryComparison history) {
        if (history.regression()) {
            return ExitCode.CONTRARY;
        }
        return history.conclusive() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
    }

    static void printHistory(PrintWriter out, HistoryComparison history) {
        if (history.rows().isEmpty()) {
            out.println("no runs in the history");
            return;
        }
        HistoryEntry latest = history.rows().getFirst().run();
        out.printf(
                Locale.ROOT,
                """
                The latest run (%s, commit %s) against the median of up to %d earlier runs on %s
                ratio: how many times as fast; expected: the range of unchanged rows; runs: earlier runs, at least %d

                """,
                latest.time(),
                Refuse.printable(latest.commit()),
                HistoryComparison.MOST_RUNS,
                Refuse.printable(latest.row().machine().cpu()),
                HistoryComparison.FEWEST_RUNS);
        out.printf(HISTORY_LINE, "verdict", "ratio", "expected", "runs", "benchmark");
        history.rows().stream()
                .sorted(Comparator.comparing((HistoryComparison.Row row) -> !row.slower())
                        .thenComparing(row -> !row.faster())
                        .thenComparingDouble(HistoryComparison.Row::ratio))
                .forEach(row -> out.printf(
                        HISTORY_LINE,
                        historyVerdict(row),
                        ComparisonText.ratio(row.ratio()),
                        expected(row),
                        row.earlier(),
                        name(row.run().row())));
    }

    private static String historyVerdict(HistoryComparison.Row row) {
        return row.earlier() < HistoryComparison.FEWEST_RUNS
                ? "too few"
                : row.slower() ? "slower" : row.faster() ? "faster" : "as usual";
    }

    private static String expected(HistoryComparison.Row row) {
        double low = row.expected().low();
        return Double.isNaN(low)
                ? "-"
                : "[" + ComparisonText.ratio(low) + ", "
                        + ComparisonText.ratio(row.expected().high()) + "]";
    }

    private static String name(HistoryEntry.Row row) {
        return Refuse.printable(row.benchmark().replaceFirst("^org\\.lemmata\\.", "")
                + BenchmarkRow.parameters(row.params()) + " (" + row.mode() + (row.duet() ? ", duet)" : ")"));
    }

    static Map<String, Object> historyJson(HistoryComparison history) {
        return Json.object(
                "exitCode", historyExitCode(history),
                "rows",
                        history.rows().stream()
                                .map(row -> Json.object(
                                        "benchmark", row.run().row().benchmark(),
                                        "mode", row.run().row().mode(),
                                        "params", row.run().row().params(),
                                        "duet", row.run().row().duet(),
                                        "verdict", historyVerdict(row),
                                        "ratio", row.ratio(),
                                        "low", row.expected().low(),
                                        "high", row.expected().high(),
                                        "earlier", row.earlier()))
                                .toList());
    }
}

package org.lemmata.cli.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.PortableBaseline;
import org.lemmata.track.PortableComparison;

/** A comparison with the portable baseline as text, as JSON and as an exit code. */
public final class PortableText {

    private static final String TABLE = "%-13s %8s %17s %9s %9s  %s%n";

    private PortableText() {}

    /**
     * Compares results with the portable baseline of their vector width.
     *
     * @param results of JMH, with their run record beside them
     * @param directory of the portable baselines, {@code jmh-results/portable}
     * @param json where the comparison is written as JSON; null for nowhere
     * @return the exit code
     */
    public static int compare(PrintWriter out, Path results, Path directory, @Nullable Path json) throws IOException {
        PortableComparison comparison = PortableBaseline.compare(results, directory);
        print(out, comparison);
        if (json != null) {
            AtomicFile.write(json, Json.indented(json(comparison)) + "\n");
        }
        return exitCode(comparison);
    }

    /** What {@code compare} ends with: a regression before a verdict that was not reached. */
    static int exitCode(PortableComparison comparison) {
        if (comparison.regression()) {
            return ExitCode.CONTRARY;
        }
        return comparison.conclusive() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
    }

    /** The ratios that fell, in one line. */
    public static String regressions(PortableComparison comparison) {
        return comparison.rows().stream()
                .filter(row -> row.verdict() == ComparisonRow.Verdict.SLOWER)
                .map(row -> row.name().replace("org.lemmata.", "") + " " + number(row.change()))
                .collect(Collectors.joining("; ", "slower than in " + comparison.baseline() + ": ", ""));
    }

    static void print(PrintWriter out, PortableComparison comparison) {
        comparison.differences().forEach(out::println);
        if (!comparison.rows().isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "ratios within one run beside those of %s, on %s processor: a regression lies below %.3g of it,"
                            + " whole intervals at %.4g%% each, 95%% together%s%n",
                    comparison.baseline(),
                    comparison.sameProcessor() ? "the same" : "another",
                    1 / (1 + comparison.margin()),
                    100 * comparison.level(),
                    ComparisonText.shared(comparison.sharedFreedom()));
            out.printf(Locale.ROOT, TABLE, "verdict", "change", "interval", "baseline", "now", "ratio");
        }
        for (PortableComparison.Row row : comparison.rows()) {
            out.printf(
                    Locale.ROOT,
                    TABLE,
                    row.verdict().word(),
                    number(row.change()),
                    Double.isNaN(row.change())
                            ? "-"
                            : number(row.interval().low()) + " to "
                                    + number(row.interval().high()),
                    number(row.baseline()),
                    number(row.current()),
                    row.name().replace("org.lemmata.", "") + note(row));
        }
        if (!comparison.refused().isEmpty()) {
            out.println("not compared: " + comparison.refused());
        }
    }

    private static String note(PortableComparison.Row row) {
        if (row.forks().isPresent()) {
            return " [a verdict would take " + row.forks().getAsInt() + " forks, of the baseline too]";
        }
        return row.reason().isEmpty() ? "" : " [" + row.reason() + "]";
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3g", value);
    }

    /** What was not compared has no numbers. */
    static Map<String, Object> json(PortableComparison comparison) {
        return Json.object(
                "baseline", comparison.baseline(),
                "refused", comparison.refused(),
                "differences", comparison.differences(),
                "margin", comparison.margin(),
                "level", comparison.level(),
                "sharedFreedom", comparison.sharedFreedom(),
                "exitCode", exitCode(comparison),
                "rows", comparison.rows().stream().map(PortableText::json).toList());
    }

    private static Map<String, Object> json(PortableComparison.Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", row.name());
        json.put("verdict", row.verdict().word());
        json.put("reason", row.reason());
        if (!Double.isNaN(row.change())) {
            json.put("ratio", row.change());
            json.put("interval", List.of(row.interval().low(), row.interval().high()));
            json.put("baseline", row.baseline());
            json.put("current", row.current());
        }
        row.forks().ifPresent(forks -> json.put("forks", forks));
        return json;
    }
}

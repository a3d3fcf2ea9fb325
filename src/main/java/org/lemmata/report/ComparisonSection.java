package org.lemmata.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/** The page's section that compares the current run with the baseline. */
public final class ComparisonSection {

    private static final String NO_BREAK = "\u00a0";

    record Compared(Comparison with, List<Badge.Tally> tally, List<Row> rows) {}

    /** A row of the table. The texts of its ratio are empty if it was not compared. */
    public record Row(ComparisonRow row, Tracking.Profile profile) {

        public Badge badge() {
            return Badge.of(row.verdict());
        }

        public String benchmark() {
            return shortName(row.benchmark());
        }

        public String parameters() {
            return ComparisonSection.parameters(row.params());
        }

        /** The speed, or ratio within the run, of the current run divided by the baseline's, as text. */
        public String ratio() {
            return ComparisonSection.ratio(row.ratio());
        }

        public String range() {
            return !isKnown()
                    ? ""
                    : row.isInformative() ? NumberText.range(row.interval()) : ComparisonRow.NO_INFORMATION;
        }

        public String margin() {
            return isKnown() ? NumberText.ratio(100 * row.margin()) + "%" : "";
        }

        private boolean isKnown() {
            return Double.isFinite(row.ratio());
        }

        /** The number of forks that a verdict would need; empty if the row has a verdict, or too many are needed. */
        public String forks() {
            return row.forksNeeded() == null ? "" : NumberText.of(row.forksNeeded());
        }

        KernelSection.Quantity change() {
            return quantity(row.ratio());
        }

        KernelSection.Quantity baseline() {
            return quantity(Objects.requireNonNull(row.within()).before());
        }

        KernelSection.Quantity current() {
            return quantity(Objects.requireNonNull(row.within()).now());
        }
    }

    private ComparisonSection() {}

    static @Nullable Compared of(Tracking tracking) {
        Comparison comparison = tracking.comparison();
        return comparison == null
                ? null
                : new Compared(comparison, Badge.tally(comparison.rows()), rows(comparison.rows(), tracking));
    }

    /** The rows, with the most important ones first. */
    public static List<Row> rows(List<ComparisonRow> rows, Tracking tracking) {
        return rows.stream()
                .map(row -> new Row(row, tracking.profile(row.id())))
                .sorted(Comparator.comparingInt((Row row) -> row.badge().rank())
                        .thenComparingDouble(row -> row.row.ratio()))
                .toList();
    }

    private static KernelSection.Quantity quantity(double ratio) {
        return KernelSection.Quantity.of(ratio(ratio), ratio);
    }

    public static String ratio(double ratio) {
        return Double.isFinite(ratio) ? NumberText.ratio(ratio) + "×" : "";
    }

    /** Class and method of a benchmark without their packages. */
    public static String shortName(String benchmark) {
        return benchmark.replaceFirst("^[^:]*\\.(?=[^.:]*\\.[^.:]*(:.*)?$)", "");
    }

    public static String parameters(Map<String, String> params) {
        return params.entrySet().stream()
                .map(entry -> Refuse.printable(entry.getKey() + NO_BREAK + entry.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}

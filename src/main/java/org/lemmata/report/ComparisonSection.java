package org.lemmata.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.report.Tracking.Badge;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/** Today's run beside the baseline. */
public final class ComparisonSection {

    private static final String NO_BREAK = "\u00a0";

    /**
     * The comparison.
     *
     * @param baseline its name
     * @param ratios whether rows are ratios within one run
     */
    record Compared(
            String baseline,
            String refused,
            boolean ratios,
            List<String> changes,
            List<Page.Tally> tally,
            List<Row> rows) {}

    /** Of a row that is a ratio within one run, what it was in the baseline, and is now. */
    record Within(String over, String beside, KernelSection.Quantity before, KernelSection.Quantity now) {}

    /** How a row compares: its change with the interval, both empty where it was not compared. */
    record Ratio(
            KernelSection.Quantity change,
            String range,
            String margin,
            @Nullable Within within) {}

    /** A row with its verdict. */
    record Row(
            String benchmark,
            String parameters,
            Badge badge,
            Ratio ratio,
            String forks,
            String note,
            Tracking.Profile profile) {}

    private ComparisonSection() {}

    /** Null without a baseline. */
    static @Nullable Compared of(Tracking tracking) {
        Comparison comparison = tracking.comparison();
        if (comparison == null) {
            return null;
        }
        return new Compared(
                comparison.baseline(),
                comparison.refused(),
                comparison.ofRatios(),
                comparison.differences(),
                tally(comparison.rows()),
                comparison.rows().stream()
                        .sorted(Comparator.comparing((ComparisonRow row) -> Badge.of(row.verdict()))
                                .thenComparingDouble(ComparisonRow::ratio))
                        .map(row -> row(row, tracking))
                        .toList());
    }

    /** How many rows have each verdict; what was not compared is left out where everything was. */
    private static List<Page.Tally> tally(List<ComparisonRow> rows) {
        List<Badge> verdicts = rows.stream().map(row -> Badge.of(row.verdict())).toList();
        return Arrays.stream(Badge.values())
                .map(verdict -> new Page.Tally(
                        verdict.word(), verdict.style(), verdict.mark(), Collections.frequency(verdicts, verdict)))
                .filter(entry -> entry.count() > 0 || !entry.verdict().equals(Badge.NOT_COMPARED.word()))
                .toList();
    }

    private static Row row(ComparisonRow row, Tracking tracking) {
        Tracking.RowKey key = Tracking.RowKey.of(row);
        boolean compared = Double.isFinite(row.ratio());
        return new Row(
                shortName(key),
                parameters(key),
                Badge.of(row.verdict()),
                new Ratio(
                        quantity(row.ratio()),
                        compared ? NumberText.range(row.interval()) : "",
                        compared ? NumberText.ratio(100 * row.margin()) + "%" : "",
                        within(row.within())),
                forks(row.forksNeeded()),
                row.note(),
                tracking.profile(key));
    }

    private static @Nullable Within within(ComparisonRow.@Nullable Within ratio) {
        return ratio == null
                ? null
                : new Within(ratio.over(), ratio.beside(), quantity(ratio.before()), quantity(ratio.now()));
    }

    private static KernelSection.Quantity quantity(double ratio) {
        return Double.isFinite(ratio)
                ? KernelSection.Quantity.of(NumberText.ratio(ratio) + "×", ratio)
                : KernelSection.Quantity.NONE;
    }

    /** Empty for none. */
    public static String forks(@Nullable Integer forks) {
        return forks == null ? "" : NumberText.of(forks);
    }

    /** Class and method without their packages. */
    public static String shortName(Tracking.RowKey key) {
        return key.benchmark().replaceFirst("^.*\\.(?=[^.]*\\.[^.]*$)", "");
    }

    public static String parameters(Tracking.RowKey key) {
        return key.params().entrySet().stream()
                .map(entry -> Refuse.printable(entry.getKey() + NO_BREAK + entry.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}

package org.lemmata.report;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.Tracking.Verdict;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.PortableComparison;

/** The ratios within the run beside those of the portable baseline. */
public final class PortableSection {

    /**
     * The comparison.
     *
     * @param baseline empty where there is none; {@code refused} says why
     * @param minimum the part of the baseline's ratio below which a ratio is slower
     * @param maximum that above which it is faster
     * @param level of each interval, in percent
     */
    record Portable(
            String baseline,
            String refused,
            boolean sameProcessor,
            String minimum,
            String maximum,
            String level,
            List<String> changes,
            List<Page.Tally> tally,
            List<Row> rows) {}

    /**
     * A ratio.
     *
     * @param change the present ratio over the baseline's; {@code range} is its interval
     */
    record Ratio(KernelSection.Figure change, String range, KernelSection.Figure before, KernelSection.Figure now) {}

    /**
     * A row with its verdict.
     *
     * @param over what it is held against in its run
     */
    record Row(
            String benchmark,
            String parameters,
            String over,
            Verdict badge,
            Ratio ratio,
            String forks,
            String note,
            Tracking.Profile profile) {}

    private PortableSection() {}

    /** Null where nobody asked for it. */
    static @Nullable Portable of(Tracking tracking) {
        PortableComparison comparison = tracking.portable();
        if (comparison == null) {
            return null;
        }
        return new Portable(
                comparison.baseline(),
                comparison.refused(),
                comparison.sameProcessor(),
                minimum(comparison),
                maximum(comparison),
                NumberText.ratio(100 * comparison.level()),
                comparison.differences(),
                ComparisonSection.tally(comparison.rows().stream().map(PortableComparison.Row::verdict)),
                inOrder(comparison).stream().map(row -> row(row, tracking)).toList());
    }

    public static String minimum(PortableComparison comparison) {
        return NumberText.ratio(1 / (1 + comparison.margin()));
    }

    public static String maximum(PortableComparison comparison) {
        return NumberText.ratio(1 + comparison.margin());
    }

    /** What is to be looked at first comes first. */
    public static List<PortableComparison.Row> inOrder(PortableComparison comparison) {
        return comparison.rows().stream()
                .sorted(Comparator.comparing((PortableComparison.Row row) -> Verdict.of(row.verdict()))
                        .thenComparingDouble(PortableComparison.Row::change))
                .toList();
    }

    private static Row row(PortableComparison.Row row, Tracking tracking) {
        Tracking.RowKey key = Tracking.RowKey.of(row.row());
        return new Row(
                ComparisonSection.shortName(key),
                ComparisonSection.parameters(key),
                row.over(),
                Verdict.of(row.verdict()),
                new Ratio(figure(row.change()), range(row), figure(row.baseline()), figure(row.current())),
                ComparisonSection.forks(row.forks()),
                row.reason(),
                tracking.profile(key));
    }

    private static KernelSection.Figure figure(double value) {
        return Double.isFinite(value)
                ? KernelSection.Figure.of(NumberText.ratio(value), value)
                : KernelSection.Figure.NONE;
    }

    /** Empty of a ratio that was not compared. */
    public static String range(PortableComparison.Row row) {
        return Double.isFinite(row.change()) ? NumberText.range(row.interval()) : "";
    }
}

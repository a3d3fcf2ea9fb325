package org.lemmata.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.PortableComparison;

/** What is not as it was recorded: verdicts beside the pinned ones, rows that are slower or faster than a baseline. */
final class ChangeSection {

    /** What changed, and in words what did not. */
    record Changes(List<Decided> verdicts, List<Row> rows, List<String> same) {}

    /** A claim whose verdict was another one. */
    record Decided(String anchor, String id, Page.Badge badge, String pinned) {}

    /**
     * A row that is slower or faster.
     *
     * @param section where all rows stand
     */
    record Row(
            Tracking.Verdict badge, String benchmark, String parameters, String ratio, String beside, String section) {}

    private ChangeSection() {}

    static Changes of(List<ClaimResult> results, Tracking tracking) {
        var verdicts = new ArrayList<Decided>();
        var same = new ArrayList<String>();
        long pinned = 0;
        for (ClaimResult result : results) {
            Outcome before = result.pinned();
            if (before != null && before != result.outcome()) {
                verdicts.add(new Decided(
                        ClaimSection.anchor(result.id()),
                        result.id(),
                        ClaimSection.badge(result.outcome()),
                        before.label()));
            } else if (before != null) {
                pinned++;
            }
        }
        if (pinned > 0) {
            same.add(pinned + " verdicts are the pinned ones");
        }
        var rows = new ArrayList<Row>();
        Comparison comparison = tracking.comparison();
        if (comparison != null) {
            for (ComparisonRow row : comparison.rows()) {
                add(rows, Tracking.RowKey.of(row), row.verdict(), row.ratio(), comparison.baseline(), "comparison");
            }
            same.add(unchanged(comparison.rows().size() - rows.size(), comparison.baseline()));
        }
        PortableComparison portable = tracking.portable();
        if (portable != null && !portable.refused().isEmpty()) {
            same.add("Benchmarks are not compared: " + portable.refused());
        } else if (portable != null) {
            int before = rows.size();
            for (PortableComparison.Row row : portable.rows()) {
                add(rows, Tracking.RowKey.of(row.row()), row.verdict(), row.change(), "over " + row.over(), "portable");
            }
            same.add(unchanged(portable.rows().size() - (rows.size() - before), portable.baseline()));
        }
        return new Changes(verdicts, rows, same);
    }

    private static String unchanged(int rows, String baseline) {
        return rows + " rows are neither slower nor faster than in " + baseline + ", as far as can be told";
    }

    private static void add(
            List<Row> rows,
            Tracking.RowKey key,
            ComparisonRow.Verdict verdict,
            double ratio,
            @Nullable String beside,
            String section) {
        if (verdict == ComparisonRow.Verdict.SLOWER || verdict == ComparisonRow.Verdict.FASTER) {
            rows.add(new Row(
                    Tracking.Verdict.of(verdict),
                    ComparisonSection.shortName(key),
                    ComparisonSection.parameters(key),
                    NumberText.ratio(ratio) + "×",
                    String.valueOf(beside),
                    section));
        }
    }
}

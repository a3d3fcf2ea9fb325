package org.lemmata.report;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

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
            Tracking.Badge badge, String benchmark, String parameters, String ratio, String beside, String section) {}

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
        if (comparison != null && !comparison.refused().isEmpty()) {
            same.add("Benchmarks are not compared: " + comparison.refused());
        } else if (comparison != null) {
            for (ComparisonRow row : comparison.rows()) {
                add(rows, row, comparison.baseline());
            }
            same.add(comparison.rows().size() - rows.size() + " rows are neither slower nor faster than in "
                    + comparison.baseline() + ", as far as can be told");
        }
        return new Changes(verdicts, rows, same);
    }

    private static void add(List<Row> rows, ComparisonRow row, String baseline) {
        if (row.verdict() == ComparisonRow.Change.SLOWER || row.verdict() == ComparisonRow.Change.FASTER) {
            Tracking.RowKey key = Tracking.RowKey.of(row);
            ComparisonRow.Within within = row.within();
            rows.add(new Row(
                    Tracking.Badge.of(row.verdict()),
                    ComparisonSection.shortName(key),
                    ComparisonSection.parameters(key),
                    NumberText.ratio(row.ratio()) + "×",
                    within == null ? baseline : "over " + within.over() + ", beside " + within.beside(),
                    "comparison"));
        }
    }
}

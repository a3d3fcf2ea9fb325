package org.lemmata.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.lemmata.claim.Outcome;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;

/**
 * The mark of a verdict on the page.
 *
 * @param rank the position in lists of badges of this kind, in ascending order
 * @param style the CSS class of the mark
 * @param mark a distinct sign, so that badges never differ only in colour
 */
public record Badge(int rank, String word, String style, String mark) {

    /** The verdicts whose number is displayed even if it is 0. */
    private static final Set<String> USUAL = Set.of("slower", "inconclusive", "faster", "same");

    public record Tally(Badge badge, int count) {}

    /** The badge of a comparison row; a row that exists on only one side is "not compared". */
    public static Badge of(Change verdict) {
        return switch (verdict) {
            case SLOWER -> new Badge(1, verdict.word(), "refuted", "▼");
            case PROBABLY_SLOWER -> new Badge(2, verdict.word(), "inconclusive", "▽");
            case LEFT_OUT -> new Badge(3, verdict.word(), "inconclusive", "⁇");
            case INCONCLUSIVE -> new Badge(4, verdict.word(), "inconclusive", "?");
            case FASTER -> new Badge(5, verdict.word(), "supported", "▲");
            case PROBABLY_FASTER -> new Badge(6, verdict.word(), "inconclusive", "△");
            case ACCEPTED -> new Badge(7, verdict.word(), "same", "▾");
            case SAME -> new Badge(8, verdict.word(), "same", "=");
            case GONE, NEW, NOT_COMPARED -> new Badge(9, Change.NOT_COMPARED.word(), "same", "–");
        };
    }

    /** The number of rows with each verdict, by rank. Rare verdicts are omitted if no row has them. */
    public static List<Tally> tally(List<ComparisonRow> rows) {
        var counts = new TreeMap<Badge, Integer>(Comparator.comparingInt(Badge::rank));
        Arrays.stream(Change.values()).forEach(verdict -> counts.put(of(verdict), 0));
        rows.forEach(row -> counts.merge(of(row.verdict()), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(count -> new Tally(count.getKey(), count.getValue()))
                .filter(tally -> tally.count > 0 || USUAL.contains(tally.badge.word))
                .toList();
    }

    static Badge of(Outcome outcome) {
        return switch (outcome) {
            case SUPPORTED -> new Badge(0, outcome.label(), "supported", "✓");
            case REFUTED -> new Badge(1, outcome.label(), "refuted", "✕");
            case INCONCLUSIVE -> new Badge(2, outcome.label(), "inconclusive", "?");
            case NOT_LEARNED -> new Badge(3, "Not learned", "inconclusive", "–");
            case NOT_TESTED -> new Badge(4, "Not tested", "untested", "○");
        };
    }
}

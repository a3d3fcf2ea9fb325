package org.lemmata.report;

import java.util.List;
import java.util.Set;
import org.lemmata.claim.Outcome;
import org.lemmata.track.ComparisonRow;

/**
 * The mark of a verdict on the page.
 *
 * @param rank the position in lists; the most important verdict has the lowest rank
 * @param style the CSS class of the mark
 * @param mark a distinct sign, so that badges never differ only in colour
 */
public record Badge(int rank, String word, String style, String mark) {

    /** The badges of comparison rows, by rank. */
    public static final List<Badge> OF_ROWS = List.of(
            new Badge(1, "slower", "refuted", "▼"),
            new Badge(2, "probably slower", "inconclusive", "▽"),
            new Badge(3, "mostly left out", "inconclusive", "⁇"),
            new Badge(4, "inconclusive", "inconclusive", "?"),
            new Badge(5, "faster", "supported", "▲"),
            new Badge(6, "probably faster", "inconclusive", "△"),
            new Badge(7, "slower, accepted", "same", "▾"),
            new Badge(8, "same", "same", "="),
            new Badge(9, "not compared", "same", "–"));

    /** The verdicts whose number is displayed even if it is 0. */
    private static final Set<String> USUAL = Set.of("slower", "inconclusive", "faster", "same");

    record Tally(Badge badge, int count) {}

    /** The badge of a comparison row; a row that exists on only one side is "not compared". */
    public static Badge of(ComparisonRow.Change verdict) {
        return OF_ROWS.get(
                switch (verdict) {
                    case SLOWER -> 0;
                    case PROBABLY_SLOWER -> 1;
                    case LEFT_OUT -> 2;
                    case INCONCLUSIVE -> 3;
                    case FASTER -> 4;
                    case PROBABLY_FASTER -> 5;
                    case ACCEPTED -> 6;
                    case SAME -> 7;
                    case GONE, NEW, NOT_COMPARED -> 8;
                });
    }

    /** Whether the number of rows with this verdict is shown. */
    public boolean isCounted(int rows) {
        return rows > 0 || USUAL.contains(word);
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

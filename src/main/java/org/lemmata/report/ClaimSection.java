package org.lemmata.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.plot.Lines;
import org.lemmata.source.Paper;

/** The claims as the page shows them. */
final class ClaimSection {

    private ClaimSection() {}

    static Page.Claims of(ReportInput.Claims input) {
        List<ClaimResult> results = input.results();
        long alarms = results.stream().filter(ClaimResult::isChanged).count();
        List<Page.Tally> tally = Arrays.stream(Outcome.values())
                .map(outcome -> tally(outcome, results))
                .toList();
        String change = alarms == 0
                ? "No verdict differs from the pinned one."
                : alarms + " of " + results.size() + (alarms == 1 ? " verdict is" : " verdicts are")
                        + " not the pinned one.";
        return new Page.Claims(input.file(), results.size(), tally, change, alarms > 0, papers(results));
    }

    private static Page.Tally tally(Outcome outcome, List<ClaimResult> results) {
        long count =
                results.stream().filter(result -> result.outcome() == outcome).count();
        Page.Badge badge = badge(outcome);
        return new Page.Tally(badge.name(), badge.style(), badge.mark(), (int) count);
    }

    private static List<Page.Paper> papers(List<ClaimResult> results) {
        var byKey = new LinkedHashMap<String, List<Page.Claim>>();
        for (Paper paper : Paper.ALL) {
            byKey.put(paper.key(), new ArrayList<>());
        }
        var anchors = new HashSet<String>();
        for (ClaimResult result : results) {
            String key = result.paperKey();
            byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(claim(result, anchor(result.id(), anchors)));
        }
        var papers = new ArrayList<Page.Paper>();
        byKey.forEach((key, claims) -> {
            if (!claims.isEmpty()) {
                papers.add(paper(key, claims));
            }
        });
        return papers;
    }

    private static Page.Paper paper(String key, List<Page.Claim> claims) {
        for (Paper paper : Paper.ALL) {
            if (paper.key().equals(key)) {
                return new Page.Paper(paper.title(), paper.authors() + ", " + paper.year(), claims);
            }
        }
        return new Page.Paper(key, "", claims);
    }

    private static Page.Claim claim(ClaimResult result, String anchor) {
        return new Page.Claim(
                anchor,
                result,
                badge(result.outcome()),
                reasonTitle(result.outcome()),
                result.figures().stream().map(figure -> Lines.of(figure).plot()).toList());
    }

    private static String reasonTitle(Outcome outcome) {
        return switch (outcome) {
            case SUPPORTED -> "What held";
            case REFUTED -> "The counterexample";
            case INCONCLUSIVE -> "What is missing";
            case NOT_LEARNED -> "What was not learned";
            case NOT_TESTED -> "Why it is not tested";
        };
    }

    /** With a sign of its own for each verdict: its colour is never the only difference. */
    static Page.Badge badge(Outcome outcome) {
        return switch (outcome) {
            case SUPPORTED -> new Page.Badge(outcome.label(), "supported", "✓");
            case REFUTED -> new Page.Badge(outcome.label(), "refuted", "✕");
            case INCONCLUSIVE -> new Page.Badge(outcome.label(), "inconclusive", "?");
            case NOT_LEARNED -> new Page.Badge("Not learned", "inconclusive", "–");
            case NOT_TESTED -> new Page.Badge("Not tested", "untested", "○");
        };
    }

    /** Of the first claim of an id. */
    static String anchor(String id) {
        return "claim-" + id.replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private static String anchor(String id, Set<String> taken) {
        String base = anchor(id);
        String anchor = base;
        for (int i = 2; !taken.add(anchor); i++) {
            anchor = base + "-" + i;
        }
        return anchor;
    }
}

package org.lemmata.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.plot.Lines;
import org.lemmata.source.Paper;

/** The page's section of claims. */
final class ClaimSection {

    private ClaimSection() {}

    static Page.Claims of(ReportInput.Claims input) {
        List<ClaimResult> results = input.results();
        long alarms = results.stream().filter(ClaimResult::isChanged).count();
        List<Outcome> outcomes = results.stream().map(ClaimResult::outcome).toList();
        List<Badge.Tally> tally = Arrays.stream(Outcome.values())
                .map(outcome -> new Badge.Tally(Badge.of(outcome), Collections.frequency(outcomes, outcome)))
                .toList();
        String change = alarms == 0
                ? "No verdict differs from the pinned one."
                : alarms + " of " + results.size() + (alarms == 1 ? " verdict is" : " verdicts are")
                        + " not the pinned one.";
        return new Page.Claims(input.file(), tally, change, alarms > 0, papers(results));
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
        return byKey.entrySet().stream()
                .filter(paper -> !paper.getValue().isEmpty())
                .map(paper -> paper(paper.getKey(), paper.getValue()))
                .toList();
    }

    private static Page.Paper paper(String key, List<Page.Claim> claims) {
        return Paper.ALL.stream()
                .filter(paper -> paper.key().equals(key))
                .map(paper ->
                        new Page.Paper(paper.title(), paper.authors() + ", " + paper.year(), paper.notation(), claims))
                .findFirst()
                .orElseGet(() -> new Page.Paper(key, "", "", claims));
    }

    private static Page.Claim claim(ClaimResult result, String anchor) {
        return new Page.Claim(
                anchor,
                result,
                Badge.of(result.outcome()),
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

    private static String anchor(String id, Set<String> taken) {
        String base = "claim-" + id.replaceAll("[^A-Za-z0-9._-]", "-");
        String anchor = base;
        for (int i = 2; !taken.add(anchor); i++) {
            anchor = base + "-" + i;
        }
        return anchor;
    }
}

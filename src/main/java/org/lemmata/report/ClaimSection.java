package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Computation;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.source.Paper;

/** The claims as the page shows them. */
final class ClaimSection {

    private static final int SEEDS_SHOWN = 8;

    /** The order of the tally. */
    private static final List<String> VERDICTS = List.of("Supported", "Refuted", "Inconclusive");

    private ClaimSection() {}

    static Page.Claims of(ReportInput.Claims input) {
        List<ClaimResult> results = input.results();
        long surprising =
                results.stream().filter(result -> !result.asExpected()).count();
        List<Page.Tally> tally = VERDICTS.stream()
                .map(verdict -> new Page.Tally(verdict, style(verdict), mark(verdict), (int) results.stream()
                        .filter(result -> result.verdict().equals(verdict))
                        .count()))
                .toList();
        String expectation = surprising == 0
                ? "Every verdict is the expected one."
                : surprising + " of " + results.size() + (surprising == 1 ? " verdict is" : " verdicts are")
                        + " not the expected one.";
        return new Page.Claims(input.file(), results.size(), tally, expectation, surprising > 0, papers(results));
    }

    private static List<Page.Paper> papers(List<ClaimResult> results) {
        var byKey = new LinkedHashMap<String, List<Page.Claim>>();
        for (Paper paper : Paper.values()) {
            byKey.put(paper.key(), new ArrayList<>());
        }
        var anchors = new HashSet<String>();
        for (ClaimResult result : results) {
            String key = result.id().split("\\.", 2)[0];
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
        for (Paper paper : Paper.values()) {
            if (paper.key().equals(key)) {
                return new Page.Paper(paper.title(), paper.authors() + ", " + paper.year(), claims);
            }
        }
        return new Page.Paper(key, "", claims);
    }

    private static Page.Claim claim(ClaimResult result, String anchor) {
        List<Long> seeds = result.seeds();
        List<Long> hidden = seeds.size() > SEEDS_SHOWN ? seeds.subList(SEEDS_SHOWN, seeds.size()) : List.of();
        return new Page.Claim(
                anchor,
                result.id(),
                result.source(),
                result.statement(),
                result.form(),
                result.verdict(),
                style(result.verdict()),
                mark(result.verdict()),
                result.expected(),
                !result.asExpected(),
                result.measured().stream().map(ClaimSection::measured).toList(),
                result.range(),
                result.budget(),
                result.precision().equals(Computation.UNROUNDED) ? "" : result.precision(),
                seeds.isEmpty() ? "none: nothing was drawn" : joined(seeds.subList(0, seeds.size() - hidden.size())),
                joined(hidden),
                NumberText.seconds(result.seconds()),
                reasonTitle(result.verdict()),
                result.reason(),
                !result.asExpected() || !result.verdict().equals("Supported"),
                result.figures().stream().map(figure -> Lines.of(figure).plot()).toList());
    }

    private static Page.Measured measured(ClaimResult.Measured figure) {
        Double paper = figure.paper();
        String relation = figure.relation();
        return new Page.Measured(
                figure.name(),
                NumberText.of(figure.value()),
                figure.unit(),
                interval(figure),
                NumberText.of(figure.n()),
                paper == null ? "" : (relation == null ? "" : relation + "\u00a0") + NumberText.of(paper));
    }

    private static String interval(ClaimResult.Measured figure) {
        if (Double.isNaN(figure.low()) || Double.isNaN(figure.high())) {
            return "none";
        }
        return figure.low() == figure.high()
                ? "exact"
                : "[" + NumberText.of(figure.low()) + ", " + NumberText.of(figure.high()) + "]";
    }

    private static String reasonTitle(String verdict) {
        return switch (verdict) {
            case "Supported" -> "What held";
            case "Refuted" -> "The counterexample";
            default -> "What is missing";
        };
    }

    static String style(String verdict) {
        return switch (verdict) {
            case "Supported" -> "supported";
            case "Refuted" -> "refuted";
            default -> "inconclusive";
        };
    }

    /** A sign of its own for each verdict: its colour is never the only difference. */
    static String mark(String verdict) {
        return switch (verdict) {
            case "Supported" -> "✓";
            case "Refuted" -> "✕";
            default -> "?";
        };
    }

    private static String joined(List<Long> seeds) {
        return seeds.stream().map(String::valueOf).collect(Collectors.joining(", "));
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

package org.lemmata.claim;

import java.util.List;
import java.util.stream.Collectors;
import org.lemmata.source.Paper;

/** The file of {@code verify --markdown}: one table per paper, with one line per claim. */
public final class VerdictTable {

    private static final String HEAD = """
        # Verdicts

        Written by `bin/lemmata verify --budget BUDGET --markdown docs/verdicts.md`. A finite test can support or refute a statement, but never
        prove it. If a size is reduced, the verdict does not judge the paper's models ([figures.md](figures.md), [errata.md](errata.md)).

        - "Read as" begins the finite statement that we test. "Our threshold" is a number that the paper does not give.
        - "Columns" and "width" are the dimensions of a hidden vector.
        - An id that ends in `.printed` has a wording of the paper. Where it fails or is unclear, another id has our wording.
        """;

    /** The maximum length of a size or a measured text, without " ...". The JSON and the page have the whole text. */
    private static final int MAX_LENGTH = 200;

    private VerdictTable() {}

    /** The tables of results at one budget; the text ends with a line break. */
    public static String markdown(Budget budget, List<ClaimResult> results) {
        var text = new StringBuilder(HEAD.replace("BUDGET", budget.label()));
        String last = "";
        for (ClaimResult result : results) {
            String paper = result.paperKey();
            if (!paper.equals(last)) {
                text.append("\n## `")
                        .append(paper)
                        .append("`\n")
                        .append(notation(paper))
                        .append("\n| claim | statement | size | measured | verdict |\n|---|---|---|---|---|\n");
                last = paper;
            }
            text.append(row(result)).append('\n');
        }
        return text.toString();
    }

    private static String notation(String key) {
        return Paper.ALL.stream()
                .filter(paper -> paper.key().equals(key))
                .map(paper -> "\n" + escaped(paper.notation()) + "\n")
                .collect(Collectors.joining());
    }

    private static String row(ClaimResult result) {
        String plugin = result.said().plugin();
        return "| `" + result.id() + "`" + (plugin.isEmpty() ? "" : " [" + escaped(plugin) + "]") + " | "
                + escaped(result.said().text()) + " | "
                + escaped(shortened(result.tested().size())) + " | "
                + escaped(shortened(result.bounded().orElse(result.verdict().reason()))) + " | "
                + result.outcome().label() + " |";
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, text.lastIndexOf(' ', MAX_LENGTH)) + " ...";
    }

    static String escaped(String text) {
        return text.replaceAll("[\\\\`*_|<>]", "\\\\$0");
    }
}

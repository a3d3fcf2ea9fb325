package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lemmata.file.JsonValue;
import org.lemmata.source.Paper;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.Evidence;

/**
 * docs/verdicts.md has the statement and the pinned verdict of each claim, and README.md the same numbers of verdicts.
 * After a change, run {@code bin/lemmata verify --markdown docs/verdicts.md}.
 */
class VerdictTableTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (.*) \\| (\\w+) \\|$");

    private static final Pattern ERRATUM =
            Pattern.compile("(?m)^\\| `([^`]+)` \\| .* \\| .* \\| .* \\| \\**(\\w+)[^|]* \\|$");

    private static final Pattern PAPER = Pattern.compile("(?m)^\\| [^|]*`(\\w+)` \\| ((?:\\d+ \\| ){4}\\d+) \\|");

    /** The pinned outcomes at the quick budget, by claim. */
    static Map<String, String> pins() throws IOException {
        Map<String, String> pins = new HashMap<>();
        for (String paper : Claims.papers()) {
            Path file = Evidence.ofCheckout().directory().resolve(paper).resolve("verdicts.json");
            for (JsonValue pin :
                    JsonValue.read(file, "pinned verdicts").field("verdicts").elements()) {
                if (pin.field("budget").text().equals(Budget.QUICK.label())) {
                    pins.put(pin.field("id").text(), pin.field("verdict").text());
                }
            }
        }
        return pins;
    }

    /** Figures without recorded cells have no pin. */
    @Test
    void everyClaimHasItsRowAsStatedAndPinned() throws IOException {
        Map<String, String> pins = pins();
        var expected = new ArrayList<String>();
        for (Claim claim : Claims.all()) {
            String text = VerdictTable.escaped(claim.statement().text());
            expected.add(claim.id() + " " + pins.getOrDefault(claim.id(), Outcome.NOT_TESTED.label()) + " " + text);
        }
        String table = Files.readString(Path.of("docs/verdicts.md"));
        List<String> rows = ROW.matcher(table)
                .results()
                .map(row ->
                        row.group(1) + " " + row.group(3) + " " + row.group(2).split(" \\| ", 2)[0])
                .toList();
        assertThat(rows).containsExactlyElementsOf(expected);
        assertThat(Paper.ALL)
                .allSatisfy(paper -> assertThat(table).contains("\n" + VerdictTable.escaped(paper.notation()) + "\n"));
    }

    /** The note has the paper's words, their quantifier, and the counterexample or the reason why there is none. */
    @Test
    void aNoteQuotesEachPrintedSentenceWithItsVerdict() throws IOException {
        Map<String, String> pins = pins();
        Map<String, String> rows = new HashMap<>();
        ERRATUM.matcher(Files.readString(Path.of("docs/notes/printed-sentences.md")))
                .results()
                .forEach(row -> rows.put(row.group(1), row.group(2)));
        assertThat(rows)
                .hasSizeGreaterThanOrEqualTo(41)
                .allSatisfy((id, verdict) -> assertThat(verdict).as(id).isEqualTo(pins.get(id)));
        assertThat(rows.keySet())
                .containsAll(Claims.all().stream()
                        .filter(claim -> claim.statement().form() == Form.PRINTED)
                        .map(Claim::id)
                        .toList());
    }

    @Test
    void theFrontPageCountsTheSame() throws IOException {
        Map<String, String> counted = new HashMap<>();
        for (MatchResult row :
                PAPER.matcher(Files.readString(Path.of("README.md"))).results().toList()) {
            counted.put(row.group(1), row.group(2));
        }
        Map<String, String> pins = pins();
        Map<String, String> expected = new HashMap<>();
        for (String paper : Claims.papers()) {
            List<String> counts = Arrays.stream(Outcome.values())
                    .map(outcome -> Claims.all().stream()
                            .map(Claim::id)
                            .filter(id -> id.startsWith(paper + "."))
                            .filter(id -> pins.getOrDefault(id, Outcome.NOT_TESTED.label())
                                    .equals(outcome.label()))
                            .count())
                    .map(String::valueOf)
                    .toList();
            expected.put(paper, String.join(" | ", counts));
        }
        assertThat(counted).isEqualTo(expected);
    }

    /** A bar in a statement must not end its cell. */
    @Test
    void barsOfAStatementAreEscaped() throws IOException {
        assertThat(Files.readString(Path.of("docs/verdicts.md"))).contains("\\|f - g\\| \\<= delta");
    }

    /** With two papers: supported claims show their bound, others their reason, which is cut at a space. */
    @Test
    void oneTablePerPaperAndOneRowPerClaim() {
        String longest = "a".repeat(190) + " " + "b".repeat(9);
        String table = VerdictTable.markdown(
                Budget.STANDARD,
                List.of(
                        result("one.a", "", Outcome.SUPPORTED, "held"),
                        result("one.b", "own.jar", Outcome.REFUTED, longest),
                        result("two.c", "", Outcome.INCONCLUSIVE, longest + "b")));
        assertThat(table).contains("--budget standard");
        assertThat(table.substring(table.indexOf("\n## "))).isEqualTo("""

            ## `one`

            | claim | statement | size | measured | verdict |
            |---|---|---|---|---|
            | `one.a` | x \\| y | paper | loss: 1.000 ≤ 2.000 | Supported |
            | `one.b` [own.jar] | x \\| y | paper | %s | Refuted |

            ## `two`

            | claim | statement | size | measured | verdict |
            |---|---|---|---|---|
            | `two.c` | x \\| y | paper | %s ... | Inconclusive |
            """.formatted(longest, "a".repeat(190)));
    }

    private static ClaimResult result(String id, String plugin, Outcome outcome, String reason) {
        return new ClaimResult(
                new ClaimResult.Said(id, "x | y", "source", Form.PRINTED, "states it", plugin),
                new ClaimResult.Tested("range", "paper", Budget.STANDARD, Computation.UNROUNDED, new TreeMap<>()),
                new Verdict(outcome, reason),
                null,
                List.of(),
                List.of(Measurement.exact("words", 5, "", 5), Measurement.exactAtMost("loss", 1, "", 5, 2)),
                new ClaimResult.Run(List.of(), 1, Map.of()),
                List.of());
    }
}

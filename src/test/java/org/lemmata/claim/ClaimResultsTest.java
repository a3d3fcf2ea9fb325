package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.ClaimResult.Run;
import org.lemmata.claim.ClaimResult.Said;
import org.lemmata.claim.ClaimResult.Tested;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

class ClaimResultsTest {

    private static final ClaimResult LOSS = new ClaimResult(
            new Said(
                    "depth.theorem-4.1.loss",
                    "The loss is at most \"1 - ε\"\nfor every N.",
                    "Richard (2024), theorem 4.1",
                    Form.PRINTED,
                    "states it",
                    "own.jar"),
            new Tested("every word, N ≤ 6", "paper", Budget.QUICK, "bfloat16", new TreeMap<>(Map.of("N", "6"))),
            new Verdict(Outcome.REFUTED, "<script>alert('(()')</script>"),
            Outcome.REFUTED,
            List.of(new TrivialAnswer("always '('", 0.5)),
            List.of(
                    Measurement.exactAtMost("loss, N = 6", 6.0e-9, "nats", 72_147, 3.4e-10),
                    Measurement.exact("words", 132, "", 132)),
            new Run(List.of(1L, -2L, Long.MAX_VALUE), 0.25, Map.of("jdk", "25", "commit", "abc")),
            List.of(
                    new Figure(
                            "Stack",
                            "Beside figure 2",
                            "position",
                            "stack size",
                            List.of(new Figure.Series("training word", List.of(0.0, 1.0), List.of(0.0, 1.0)))),
                    new Figure(
                            "Plane",
                            "",
                            "real part",
                            "imaginary part",
                            List.of(new Figure.Series("eigenvalues", List.of(1.0, 1.0), List.of(2.0, -2.0))),
                            false)));

    @TempDir
    private Path directory;

    @Test
    void readsBackWhatItWrote() throws Exception {
        Path file = directory.resolve("made/claims.json");
        AtomicFile.write(file, ClaimResults.toJson(List.of(LOSS)));
        assertThat(ClaimResults.read(file)).containsExactly(LOSS);
        AtomicFile.write(file, ClaimResults.toJson(List.of()));
        assertThat(ClaimResults.read(file)).isEmpty();
    }

    @Test
    void aChangeFromOrToADecisionIsAnAlarm() {
        for (Outcome pinned : Outcome.values()) {
            for (Outcome outcome : Outcome.values()) {
                ClaimResult result = result(outcome, pinned);
                assertThat(result.isContrary())
                        .isEqualTo(outcome != pinned && (outcome == Outcome.SUPPORTED || outcome == Outcome.REFUTED));
                assertThat(result.isLost())
                        .isEqualTo((pinned == Outcome.SUPPORTED || pinned == Outcome.REFUTED)
                                && outcome != Outcome.SUPPORTED
                                && outcome != Outcome.REFUTED);
            }
        }
        assertThat(result(Outcome.REFUTED, null).isChanged()).isFalse();
        assertThat(result(Outcome.SUPPORTED, Outcome.SUPPORTED)
                        .undecided("not reproduced")
                        .isLost())
                .isTrue();
    }

    private static ClaimResult result(Outcome outcome, @Nullable Outcome pinned) {
        return result(outcome, pinned, List.of(), List.of());
    }

    private static ClaimResult result(
            Outcome outcome, @Nullable Outcome pinned, List<Measurement> measured, List<Figure> figures) {
        return new ClaimResult(
                new Said("a.b", "s", "p", Form.CORRECTED, "states it", ""),
                new Tested("r", "paper", Budget.FULL, "none", new TreeMap<>()),
                new Verdict(outcome, ""),
                pinned,
                List.of(),
                measured,
                new Run(List.of(), 1, Map.of()),
                figures);
    }

    @Test
    void usesTheFieldNamesOfTheCommandLine() throws Exception {
        JsonNode node =
                new JsonMapper().readTree(ClaimResults.toJson(List.of(LOSS))).get(0);
        assertThat(node.propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder(
                        "id",
                        "statement",
                        "source",
                        "form",
                        "range",
                        "paper",
                        "plugin",
                        "size",
                        "verdict",
                        "pinned",
                        "trivial",
                        "reason",
                        "measured",
                        "seeds",
                        "budget",
                        "precision",
                        "settings",
                        "beyond",
                        "seconds",
                        "environment",
                        "figures");
        assertThat(node.get("measured").get(0).propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("name", "value", "unit", "low", "high", "n", "relation", "paper");
        assertThat(node.get("measured").get(1).get("paper").isNull()).isTrue();
    }

    @Test
    void writesFiguresThatAreNotFiniteAsStrings() throws Exception {
        ClaimResult result = withFigure(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        String json = ClaimResults.toJson(List.of(result));
        assertThat(json).contains("\"NaN\"", "\"-Infinity\"", "\"Infinity\"");
        Path file = directory.resolve("claims.json");
        AtomicFile.write(file, ClaimResults.toJson(List.of(result)));
        assertThat(ClaimResults.read(file)).containsExactly(result);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20261121})
    void everyDoubleReadsBackAsTheSameBits(long seed) throws Exception {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var results = new ArrayList<ClaimResult>();
        for (int i = 0; i < 200; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            results.add(withFigure(Double.isNaN(value) ? Double.NaN : value, -0.0, Double.MIN_VALUE));
        }
        Path file = directory.resolve("claims.json");
        AtomicFile.write(file, ClaimResults.toJson(results));
        assertThat(ClaimResults.read(file)).as("seed %d, 200 values", seed).isEqualTo(results);
    }

    /** The correct text, its replacement (null: nothing), the place, and the expected error. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "verdict" : "Refuted" | "verdict" : "Proved" | .verdict | one of Supported, Refuted, Inconclusive, NotLearned, NotTested, got the string "Proved"
        "seconds" : 0.25      | "seconds" : "soon"   | .seconds | a number, got the string "soon"
        "value" : 132.0       | "value" : null       | .measured[1].value | a number, got null
        "n" : 72147           | "n" : 1.5            | .measured[0].n | an integer of at most 64 bits, got the number 1.5
        "form" : "printed",   |                      | .form    | a string, got nothing: the field is absent
        "relation" : "≤"      | "relation" : "<"     | .measured[0].relation | one of ≤, ≥, ≈, got the string "<"
        "y" : [ 0.0, 1.0 ]    | "y" : [ 0.0 ]        | .figures[0].series[0].y | as many numbers as x has, 2, got an array of 1
        """)
    void namesThePlaceOfAFault(String right, @Nullable String wrong, String place, String problem) throws Exception {
        String json = ClaimResults.toJson(List.of(LOSS));
        assertThat(json).contains(right);
        Path file = directory.resolve("claims.json");
        Files.writeString(file, json.replace(right, wrong == null ? "" : wrong));
        assertThatThrownBy(() -> ClaimResults.read(file))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage(file + ": [0]" + place + ": expected " + problem);
    }

    @Test
    void saysThatAFileIsMissingTornOrOfAnotherKind() throws Exception {
        Path missing = directory.resolve("missing.json");
        assertThatThrownBy(() -> ClaimResults.read(missing))
                .hasMessage(missing + ": no such file; expected the results of claims (verify --json)");
        Path torn = directory.resolve("torn.json");
        String json = ClaimResults.toJson(List.of(LOSS));
        Files.writeString(torn, json.substring(0, json.length() / 2));
        assertThatThrownBy(() -> ClaimResults.read(torn))
                .hasMessageMatching("(?s)\\Q" + torn + "\\E: line \\d+, column \\d+: expected the results of claims.*")
                .message()
                .doesNotContain("\n");
        Path empty = Files.writeString(directory.resolve("empty.json"), "");
        assertThatThrownBy(() -> ClaimResults.read(empty)).hasMessageContaining("got an empty file");
        Path object = Files.writeString(directory.resolve("object.json"), "{}");
        assertThatThrownBy(() -> ClaimResults.read(object)).hasMessage(object + ": expected an array, got an object");
        assertThatThrownBy(() -> ClaimResults.read(directory))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(directory + ": ");
    }

    private static ClaimResult withFigure(double value, double low, double high) {
        var measured =
                new Measurement("m", value, "", new Interval(low, high), 1, new Reference(Relation.ABOUT, value));
        var series = new Figure.Series(
                "s", List.of(0.0, low), List.of(value, high), List.of(low, low), List.of(high, value));
        var figure = new Figure("t", "c", "x", "y", List.of(series));
        return result(Outcome.INCONCLUSIVE, null, List.of(measured), List.of(figure));
    }
}

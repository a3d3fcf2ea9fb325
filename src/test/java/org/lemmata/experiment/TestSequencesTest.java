package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.model.part.FlopCount;
import org.lemmata.statistic.Measurement;

/** Losses and attention at given lengths, from the configuration to the measurements. */
class TestSequencesTest extends MeasuredRunFixture {

    private static final String REGRESSION = """
        seed: 3
        steps: 3
        batch: 8
        task: {name: mod-p-task, settings: {period: 3, index: 1, length: 8}}
        model: {width: 4, layers: 1, positions: {kind: periodic, period: 3}, output: {kind: regression}}
        data: {validation: 0, test: 0}
        """;

    private static final String BRACKETS = """
        seed: 3
        steps: 3
        batch: 8
        task: {name: dyck-words, settings: {N: 4}}
        model: {width: 4, layers: 2, positions: {kind: none}}
        data: {validation: 0, test: 0}
        """;

    private static String with(String yaml, String... lines) {
        return yaml + String.join(System.lineSeparator(), lines);
    }

    /** If m bits share a uniformly distributed probability, the number of ones is uniform from 0 to m. */
    private static double meanSquareOfMean(int m) {
        return (2 * m + 1) / (6.0 * m);
    }

    /** The model always answers 0, so its loss is the mean square of the values, also far beyond training lengths. */
    @Tag("long")
    @Test
    void lossesAreThoseOfEachLength() throws IOException {
        Map<String, Measurement> measured = run("zero", 2, REGRESSION + """
            initialization: {kind: mu-p, zero-readout: true}
            optimizer.learning-rate: 0
            evaluation: {every: 0, lengths: [6, 900, 20000], sequences: 500}
            """);
        for (int length : new int[] {6, 900, 20000}) {
            Measurement loss = of(measured, "lengths." + length);
            double exact = meanSquareOfMean(Math.ceilDiv(length, 3));
            // The square of a uniform number has standard deviation 0.3, and that of 0, 1/2 or 1 has 0.42.
            double deviation = length == 6 ? 0.42 : 0.3;
            assertThat(loss.value()).as("length %d", length).isCloseTo(exact, within(5 * deviation / Math.sqrt(500)));
            assertThat(loss.unit()).isEqualTo("squared error");
            assertThat(loss.n()).isEqualTo(500);
            assertThat(loss.interval().high() - loss.interval().low())
                    .isCloseTo(2 * 1.96 * deviation / Math.sqrt(500), within(0.01));
        }
    }

    /**
     * If 2 bits share a uniformly distributed probability, the mean is 0, 1/2 or 1, each in a third of all cases. The
     * model answers 0.
     */
    @ParameterizedTest
    @CsvSource({"0.1, 1", "0.4999, 1", "0.5, 2", "1, 3"})
    void answersAreRightWithinTheTolerance(String tolerance, int thirds) throws IOException {
        Map<String, Measurement> measured = run("right" + tolerance, 1, REGRESSION + """
            initialization: {kind: mu-p, zero-readout: true}
            optimizer.learning-rate: 0
            evaluation: {every: 0, lengths: [6, 7], sequences: 900, tolerance: %s}
            """.formatted(tolerance));
        Measurement right = of(measured, "right.6");
        assertThat(right.value()).isCloseTo(thirds / 3.0, within(5 * Math.sqrt(2 / 9.0 / 900)));
        assertThat(right.unit()).isEqualTo("probability");
        assertThat(right.n()).isEqualTo(900);
        assertThat(right.interval().high() - right.interval().low()).isBetween(0.001, 0.07);
        assertThat(measured).containsKey("right.7");
    }

    /** If all logits are equal, each token of a word of 8 brackets has a loss of log 2 nats. */
    @ParameterizedTest
    @CsvSource({"4.8, 0", "5.6, 1"})
    void tokensAreRightWithinTheToleranceTogether(String tolerance, double share) throws IOException {
        Map<String, Measurement> measured = run("tokens" + tolerance, 1, BRACKETS + """
            initialization.standard-deviation: 1e-30
            optimizer.learning-rate: 0
            evaluation: {every: 0, lengths: [8], sequences: 20, tolerance: %s}
            """.formatted(tolerance));
        assertThat(of(measured, "right.8").value()).isEqualTo(share);
    }

    @Test
    void nextTokensHaveLossesInNats() throws IOException {
        Map<String, Measurement> measured = run("nats", 1, BRACKETS + """
            initialization.standard-deviation: 1e-30
            optimizer.learning-rate: 0
            evaluation: {every: 0, lengths: [2, 300], sequences: 20}
            """);
        for (int length : new int[] {2, 300}) {
            assertThat(of(measured, "lengths." + length).value()).isCloseTo(Math.log(2), within(1e-6));
            assertThat(of(measured, "lengths." + length).unit()).isEqualTo("nats");
        }
    }

    @Test
    void windowsOfEqualitiesGrow() throws IOException {
        String windows = """
            steps: 1
            task: {name: boolean-expressions, settings: {variables: 2, k: 1, q: 1, window: 16}}
            model: {width: 4, layers: 1, positions: {kind: none}}
            data: {validation: 0, test: 0}
            optimizer.learning-rate: 0
            initialization.standard-deviation: 1e-30
            evaluation: {every: 0, lengths: [64], sequences: 2}
            """;
        Measurement loss = of(run("windows", 1, windows), "lengths.64");
        int symbols = plan(windows).task().vocabulary().size();
        assertThat(loss.value()).isCloseTo(Math.log(symbols), within(1e-6));
    }

    @Test
    void bitsAreThoseOfAnyNumberOfThreads() throws IOException {
        String regression =
                with(REGRESSION, "evaluation: {every: 0, lengths: [5, 700], attention: 80, sequences: 200}");
        assertThat(run("three", 3, regression)).isEqualTo(run("one", 1, regression));
        assertThat(run("words three", 3, with(BRACKETS, "evaluation.lengths: [60]")))
                .isEqualTo(run("words one", 1, with(BRACKETS, "evaluation.lengths: [60]")));
    }

    /** The measured lengths do not affect training. */
    @Test
    void trainingIsNotTouched() throws IOException {
        Map<String, Measurement> without = run("without", 1, REGRESSION);
        Map<String, Measurement> with = run("with", 1, with(REGRESSION, "evaluation: {lengths: [9], attention: 5}"));
        without.forEach((name, measurement) -> assertThat(of(with, name)).isEqualTo(measurement));
        assertThat(with).hasSize(without.size() + 5);
    }

    /** Uniform weights reveal how positions are counted. */
    @ParameterizedTest
    @CsvSource({"false, 81", "true, 82"})
    void attentionIsThatOfTheRelevantPositions(boolean start, int tokens) throws IOException {
        Map<String, Measurement> measured =
                run("uniform" + start, 1, REGRESSION.replace("layers: 1", "layers: 2") + """
                    data.start: %s
                    model.attention: {weighting: uniform, heads: 2}
                    evaluation: {every: 0, attention: 81, sequences: 7}
                    """.formatted(start));
        for (String name : List.of("attention.0.0.", "attention.0.1.", "attention.1.0.", "attention.1.1.")) {
            Measurement relevant = of(measured, name + "relevant");
            assertThat(relevant.value()).isCloseTo(1.0 / tokens, within(1e-15));
            assertThat(relevant.n()).isEqualTo(7);
            // Positions 1, 4, ..., 79 of the sequence, not counted from a token before it.
            assertThat(of(measured, name + "relevantDeviation").n()).isEqualTo(7 * 27);
            assertThat(of(measured, name + "othersDeviation").n()).isEqualTo(7L * (tokens - 27));
            assertThat(value(measured, name + "others")).isCloseTo(1.0 / tokens, within(1e-15));
            assertThat(value(measured, name + "relevantDeviation")).isLessThan(1e-15);
        }
    }

    @Test
    void lengthsAreCounted() throws IOException {
        TrainingPlan without = plan(REGRESSION);
        TrainingPlan with = plan(with(REGRESSION, "evaluation: {lengths: [20, 50], attention: 80, sequences: 9}"));
        var count = new FlopCount(architecture(with));
        double expected = 0;
        for (int length : new int[] {20, 50, 80}) {
            // One layer, and one query.
            expected += 9 * count.forward(length, length, 1);
        }
        assertThat(TrainingCost.of(with).total() - TrainingCost.of(without).total())
                .isCloseTo(expected, within(1e-6 * expected));
    }

    @Test
    void modelsWithoutATableOfPositionsReadAnyLength() throws IOException {
        assertThat(maxLength(REGRESSION)).isEqualTo(8);
        assertThat(maxLength(with(REGRESSION, "evaluation: {lengths: [5, 300], attention: 80}")))
                .isEqualTo(300);
        assertThat(maxLength(with(REGRESSION, "evaluation: {attention: 80}", "data.start: true")))
                .isEqualTo(81);
        assertThat(maxLength(with(REGRESSION, "evaluation: {lengths: [5]}"))).isEqualTo(8);
        String table = REGRESSION.replace("kind: periodic, period: 3", "kind: table");
        assertThat(maxLength(with(table, "evaluation: {lengths: [300]}", "model.max-length: 300")))
                .isEqualTo(300);
    }

    private static int maxLength(String yaml) throws IOException {
        return architecture(plan(yaml)).maxLength();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        model.positions: {kind: table}; evaluation: {lengths: [8, 9]}| evaluation.lengths: expected at most the 8 positions of the model (model.max-length), got 9
        model.max-length: 40; evaluation: {lengths: [8], attention: 41}| evaluation.attention: expected at most the 40 positions of the model (model.max-length), got 41
        task: {name: dyck-words}; evaluation: {lengths: [8, 7]}| evaluation.lengths: expected lengths that sequences of the task dyck-words have, got 7
        task: {name: boolean-expressions, settings: {window: 0}}; evaluation: {lengths: [8]}| evaluation.lengths: expected lengths that sequences of the task boolean-expressions have, got 8
        task: {name: dyck-words}; evaluation: {attention: 8}| evaluation.attention: expected 0 except for a task whose answers depend on some positions, got the task dyck-words
        precision: {format: bfloat16}; evaluation: {attention: 8}| evaluation.attention: expected 0 for a rounded model, because attention weights are measured unrounded, got 8
        evaluation: {lengths: [8], tolerance: 0}| evaluation.tolerance: expected a number above 0 or none, got 0
        evaluation: {attention: 8, tolerance: 0.1}| evaluation.tolerance: expected no such key, since it has no effect here
        task: {name: dyck-words}; evaluation: {completions: 2, completion-lengths: [8, 7]}| evaluation.completion-lengths: expected even lengths that words of the task have, got 7
        task: {name: dyck-words, settings: {N: 2}}; evaluation: {completions: 2, completion-lengths: [8]}| evaluation.completion-lengths: expected at most the 4 positions of the model (model.max-length), got 8
        task: {name: dyck-words}; evaluation: {completion-lengths: [8]}| evaluation.completion-lengths: expected no such key, since it has no effect here
        evaluation: {sequences: 5}| evaluation.sequences: expected no such key, since it has no effect here
        evaluation: {lengths: [5], sequences: 1}| evaluation.sequences: expected an integer from 2, got 1
        evaluation: {lengths: [5, 5]}| evaluation.lengths: expected a list of different integers
        evaluation: {lengths: 5}| evaluation.lengths: expected a list of different integers, got 5
        evaluation: {lengths: [0]}| evaluation.lengths: expected an integer from 1 to 16777215, got 0
        """)
    void whatCannotBeMeasuredIsRefused(String more, String problem) {
        String base = more.contains("task:")
                ? with("steps: 1", "", "model: {width: 4, layers: 1}", "")
                : REGRESSION.replace(
                        ", positions: {kind: periodic, period: 3}",
                        more.contains("positions") ? "" : ", positions: {kind: none}");
        assertRefused(with(base, more.split("; ")), problem);
    }
}

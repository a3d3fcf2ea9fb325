package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.statistic.Measurement;

/** Compares next-token probabilities with the process, from the configuration to the measurements. */
class LawMeasuresTest extends MeasuredRunFixture {

    private static final String BRACKETS = """
        seed: 3
        steps: 2
        batch: 8
        task: {name: dyck-generation, settings: {k: 2, q: 0.5, r: 0.9, maxLength: 12, start: %s}}
        model: {width: 4, layers: 1, positions: {kind: none}}
        data: {validation: 0, test: 0}
        """;

    private static final String UNIFORM = """
        initialization: {kind: mu-p, zero-readout: true}
        optimizer.learning-rate: 0
        evaluation: {every: 0, law-lengths: [12, 16], sequences: 400}
        """;

    /**
     * Each of 6 tokens has probability 1/6. The variation is 1/2 from 1/4, 1/4, 1/2 if a bracket is open, and 17/30
     * from 0.45, 0.45, 0.1 otherwise.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aModelThatGivesAllTokensAlikeIsAsFarOffAsThatIs(boolean start) throws IOException {
        Map<String, Measurement> measured = run("uniform", 2, BRACKETS.formatted(start) + UNIFORM);
        for (String range : List.of("12", "16")) {
            assertThat(value(measured, "law.closing." + range)).isCloseTo(0.5, within(1e-6));
            assertThat(value(measured, "law.variation." + range)).isBetween(0.5, 17 / 30.0);
            assertThat(value(measured, "law.closing." + range + ".close")).isCloseTo(0.5, within(1e-12));
            assertThat(value(measured, "law.closing." + range + ".coin")).isEqualTo(1);
            // By symmetry, no position tells which bracket closes; the mean over 400 words is close to this.
            assertThat(value(measured, "law.closing." + range + ".position")).isBetween(0.49, 0.6);
            // The variation of 1/3, 1/3, 1/3 is 1/6 from 1/4, 1/4, 1/2, and 7/30 from 0.45, 0.45, 0.1.
            assertThat(value(measured, "law.variation." + range + ".coin")).isBetween(1 / 6.0, 7 / 30.0);
            assertThat(value(measured, "law.variation." + range + ".close")).isBetween(0.5, 1.0);
        }
    }

    /** From the position alone, both closing brackets are equally probable: the variation is 1/4 if one is open. */
    @Test
    void thePlaceSaysHowOftenSomethingIsOpen() throws IOException {
        Map<String, Measurement> measured = run("place", 1, BRACKETS.formatted(true) + UNIFORM);
        assertThat(value(measured, "law.variation.12.position")).isBetween(0.15, 0.4);
        assertThat(of(measured, "law.variation.12").n()).isEqualTo(400);
    }

    /** The law is conditioned on the end within 12 tokens, even if only the first 4 are measured. */
    @Test
    void wholeWordsAreMeasuredUpToAShorterLength() throws IOException {
        String yaml = (BRACKETS.formatted(true) + UNIFORM).replace("maxLength: 12", "maxLength: 12, whole: true");
        Map<String, Measurement> all = run("all", 1, yaml.replace("[12, 16]", "[4, 12]"));
        Map<String, Measurement> few = run("few", 1, yaml.replace("[12, 16]", "[4]"));
        assertThat(of(few, "law.variation.4")).isEqualTo(of(all, "law.variation.4"));
    }

    @Test
    void bitsDoNotHangOnThreads() throws IOException {
        String yaml = BRACKETS.formatted(true) + "evaluation: {every: 0, law-lengths: [8, 20], sequences: 700}";
        assertThat(run("one", 1, yaml)).isEqualTo(run("three", 3, yaml));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        dyck-generation; dyck-words; got the task dyck-words
        [12, 16]; [16, 12]; expected ascending lengths
        data: {; data: {start: true, ; with data.start
        layers: 1; layers: 1, max-length: 13; at most the 13 positions of the model
        """)
    void whatCannotBeMeasuredIsRefused(String there, String instead, String message) {
        String yaml = (BRACKETS.formatted(true) + UNIFORM).replace(there, instead);
        String fitting = instead.equals("dyck-words")
                ? yaml.replace("{k: 2, q: 0.5, r: 0.9, maxLength: 12, start: true}", "{N: 4}")
                : yaml;
        assertRefused(fitting, "law-lengths");
        assertRefused(fitting, message);
    }
}

package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lemmata.statistic.Measurement;

class LawDistanceTest {

    /** Tokens (1 (2 )1 )2. */
    private static final int COLUMNS = 4;

    private static Map<String, Measurement> measured(LawDistance distance) {
        return distance.measurements().stream().collect(Collectors.toMap(Measurement::name, each -> each));
    }

    private static Measurement of(Map<String, Measurement> measured, String name) {
        return Objects.requireNonNull(measured.get(name), name);
    }

    /** Positions 1 and 2 of each sequence are in the range to 2, the third is beyond. */
    @Test
    void sumsAreOverThePlacesOfARange() {
        var distance = new LawDistance(List.of(2, 3), COLUMNS, 2, 3);
        double[] law = {0.5, 0.5, 0, 0, /**/ 0.25, 0.25, 0.5, 0, /**/ 0.25, 0.25, 0, 0.5};
        double[] answers = {9, 9, 0.5, 0.5, 0, 0, /**/ 0.25, 0.25, 0.3, 0.2, /**/ 0, 0, 1, 0};
        distance.add(1, law, answers, 2);
        distance.add(1, law, answers, 2);

        Map<String, Measurement> measured = measured(distance);

        assertThat(of(measured, "variation.2").value()).isCloseTo((0 + 0.2) / 2, within(1e-12));
        assertThat(of(measured, "variation.3").value()).isCloseTo(1, within(1e-12));
        // No bracket can close at the first position.
        assertThat(of(measured, "closing.2").value()).isCloseTo(0.6, within(1e-12));
        assertThat(of(measured, "right.2").value()).isEqualTo(1);
        assertThat(of(measured, "closing.3").value()).isZero();
        assertThat(of(measured, "right.3").value()).isZero();
        assertThat(of(measured, "closing.2").n()).isEqualTo(2);
    }

    /** A sequence with three positions has three times the weight of one with one position; the first may be 2. */
    @Test
    void sequencesCountByTheirPlacesAndTheirSpreadIsTheInterval() {
        var distance = new LawDistance(List.of(9), COLUMNS, 2, 3);
        double[] right = {0, 0, 1, 0};
        double[] rows = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
        distance.add(2, rows, rows, 0);
        distance.add(2, right, new double[] {0, 0, 0, 1}, 0);

        Measurement closing = of(measured(distance), "closing.9");

        assertThat(closing.value()).isCloseTo(0.75, within(1e-12));
        // The linear parts are 0.75 +- 0.375, so the standard error is 0.375; Student's factor for two values is 12.7.
        assertThat(closing.interval().high() - closing.interval().low()).isCloseTo(2 * 12.706 * 0.375, within(1e-3));
    }

    @Test
    void rangesThatOneSequenceReachesAreLeftOut() {
        var distance = new LawDistance(List.of(1, 2), COLUMNS, 2, 3);
        distance.add(1, new double[] {1, 0, 0, 0}, new double[] {1, 0, 0, 0}, 0);
        distance.add(1, new double[] {1, 0, 0, 0, 1, 0, 0, 0}, new double[] {1, 0, 0, 0, 1, 0, 0, 0}, 0);

        assertThat(measured(distance)).containsOnlyKeys("variation.1");
    }

    /** With equal probabilities of all closing brackets, the answer is correct like a coin toss. */
    @Test
    void tiesAreRightInTheirShare() {
        var distance = new LawDistance(List.of(1), COLUMNS, 2, 3);
        distance.add(1, new double[] {0, 0, 0, 1}, new double[] {0, 0, 0.5, 0.5}, 0);
        distance.add(1, new double[] {0, 0, 0, 1}, new double[] {0, 0, 0.5, 0.5}, 0);

        assertThat(of(measured(distance), "right.1").value()).isEqualTo(0.5);
    }

    @Test
    void softmaxIsOfEachRow() {
        double[] rows = {0, Math.log(3), 1000, 1000};
        LawDistance.softmaxRows(rows, 2);
        assertThat(rows).containsExactly(new double[] {0.25, 0.75, 0.5, 0.5}, within(1e-12));
    }
}

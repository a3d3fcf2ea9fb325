package org.lemmata.claim.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertOutcome;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Tally;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.oracle.ReferenceValues.Each;

/** Each claim is refuted where it does not hold, and printed statements are supported where they would hold. */
class ParityRefutationTest {

    private static final ParitySize SMALL = new ParitySize(16, 8, 10_000);

    @Test
    void boundsThatAreTooSmallAreRefuted() {
        assertOutcome(Hardness.check(List.of(6), 0.001), Outcome.REFUTED);
        assertOutcome(Hardness.checkVariance(List.of(6), 3), Outcome.REFUTED);
        assertOutcome(Hardness.checkOnSamples(List.of(6), 0.3), Outcome.REFUTED);
        assertOutcome(new GradientNorms(false).check(List.of(4, 8), 40, 0.1), Outcome.REFUTED);
        assertOutcome(new GradientNorms(true).check(List.of(4, 8), 40, 0.05), Outcome.REFUTED);
        assertOutcome(MeanParity.check(List.of(16), 0.01), Outcome.REFUTED);
        assertOutcome(Concentration.check(List.of(8), 20, 0.5), Outcome.REFUTED);
        assertOutcome(Concentration.checkMeans(List.of(64), 10, 0.1), Outcome.REFUTED);
    }

    private static Finding learn(Learning.Variant variant, Workers workers) {
        return Learning.measure(new Tally(), List.of(variant), List.of(SMALL), 500, workers, size -> new long[] {1});
    }

    @Test
    void trainingThatFailsRefutes() {
        Workers workers = Workers.caller();
        assertOutcome(GradientNorms.checkLeading(List.of(16), 0.1, workers), Outcome.REFUTED);
        Learning.Training training = Learning.SELF_CONSISTENCY.training();
        for (Learning.Expected expected : List.of(Learning.Expected.EACH, Learning.Expected.LEARNS)) {
            assertOutcome(learn(new Learning.Variant("far", expected, 1e-9, training), workers), Outcome.REFUTED);
        }
        assertOutcome(learn(Learning.SELF_CONSISTENCY, workers), Outcome.SUPPORTED);
        assertOutcome(SampleEffects.check(List.of(), 1, List.of(1.0), workers), Outcome.REFUTED);
        Finding samples = SampleComplexity.check(List.of(16, 32), 5, -0.1, workers);
        assertOutcome(samples, Outcome.REFUTED);
        assertThat(samples.measured().getFirst().name()).startsWith("geometric mean over seeds of each one's least n");
        assertThat(samples.measured().getFirst().interval().high())
                .isGreaterThan(1.5 * samples.measured().getFirst().interval().low());
        assertOutcome(SampleComplexity.check(List.of(16, 32), 5, 0.1, workers), Outcome.INCONCLUSIVE);
        var brief = new Separation.FinalAnswerTraining(1, 0.1, new ParityLink.Polynomial());
        assertThat(Separation.check(List.of(SMALL), 1, brief, workers).verdict().reason())
                .contains("the positive control does not learn");
    }

    @Test
    void whatWasPrintedIsSupportedWhereItHolds() {
        assertOutcome(MeanParity.checkPrinted(List.of(16, 64, 256), d -> d / 2), Outcome.SUPPORTED);
    }

    @Each(file = "parity-lemma-8", count = 13)
    void meanParitiesAreThoseOfTheReference(JsonNode reference) {
        assertThat(ParityClass.mean(
                        integer(reference, "d"), integer(reference, "k"), integer(reference, "num_minus_ones")))
                .isCloseTo(number(reference, "mean_parity_over_P"), within(1e-14));
    }

    /** Computes the advantage of theorem 1's counterexample from all x and targets. */
    @Test
    void theSignOfTheSumIsAsOftenRightForEveryTarget() {
        var targets = new ParityClass(8, 4);
        for (int p = 0; p < targets.count(); p++) {
            int right = 0;
            for (int x = 0; x < 256; x++) {
                int sum = 0;
                for (int q = 0; q < targets.count(); q++) {
                    sum += ParityClass.parity(targets.mask(q), x);
                }
                // A tie counts as half correct.
                right += 1 + Integer.signum(sum) * ParityClass.parity(targets.mask(p), x);
            }
            assertThat(right / 512.0 - 0.5).isCloseTo(Hardness.advantage(8), within(1e-14));
        }
    }

    @Test
    void thePlaceOfTheOracleHasTheGradientsOfItsLosses() {
        var random = new Random(11);
        int d = 5;
        var targets = new ParityClass(d, 3);
        var model = new OracleTraining.HiddenUnits(d, 3);
        double[] weights = OracleTraining.samples(d, 60, random);
        var training = new OracleTraining(targets, model, weights);
        double[] theta = model.random(random);
        OracleTraining.Place place = training.at(theta);
        double step = 1e-6;
        for (int p = 0; p < targets.count(); p++) {
            double[] gradient = place.gradient(p);
            for (int i = 0; i < theta.length; i++) {
                double[] above = theta.clone();
                double[] below = theta.clone();
                above[i] += step;
                below[i] -= step;
                double difference =
                        (loss(model, targets.mask(p), weights, above) - loss(model, targets.mask(p), weights, below))
                                / (2 * step);
                assertThat(gradient[i]).isCloseTo(difference, within(1e-8));
            }
        }
    }

    private static double loss(OracleTraining.HiddenUnits model, int mask, double[] weights, double[] theta) {
        double loss = 0;
        for (int x = 0; x < weights.length; x++) {
            double error = ParityClass.parity(mask, x) - model.value(theta, x, new double[model.size()]);
            loss += weights[x] * error * error / 2;
        }
        return loss;
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        d=4; k: expected at most d = 4, got 8
        d=16,k=6,n=10; k: expected 2, 4, 8, 16, 32, 64, 128, 256, 512, got '6'
        d=16,k=32,n=10; k: expected at most d = 16, got 32
        d=16,k=8,n=0; n: expected integers from 1 to 1000000, got '0'
        d=5000; d: expected integers from 2 to 4096, got '5000'
        """)
    void sizesThatAreNoneAreRefused(String given, String message) {
        var claim = Learning.ONE_STEP;
        Map<String, String> settings = Stream.of(given.split(","))
                .map(setting -> setting.split("="))
                .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        assertRefused(() -> claim.range(claim.scope(Budget.QUICK, settings)), message);
    }
}

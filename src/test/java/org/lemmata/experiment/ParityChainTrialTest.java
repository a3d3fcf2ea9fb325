package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.config.Configuration;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;

class ParityChainTrialTest {

    private final ParityChainTrial trial = new ParityChainTrial();

    private final List<String> hashes = new ArrayList<>();

    private Configuration settings(String yaml) {
        return Configuration.of(Configuration.document("a test", yaml, trial.section()), trial.section());
    }

    private List<Measurement> run(String yaml, int threads, BooleanSupplier stop) {
        var context = new TrialContext(
                Path.of("unused"),
                threads,
                Keep.RESULTS,
                stop,
                (step, loss, weights) -> hashes.add(step + " " + loss + " " + weights));
        return trial.run(settings(yaml), context);
    }

    private static double value(List<Measurement> measured, String name) {
        return measured.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** With so few bits, every method learns except learning only from final answers. */
    @ParameterizedTest
    @CsvSource({"direct, 0.05, false", "chain, 5, true", "teacher-forcing, 5, true", "self-consistency, 5, true"})
    void whatLearnsAnswersFreshInputs(String method, double rate, boolean learns) {
        List<Measurement> measured = run(
                "{bits: 12, size: 4, samples: 3000, tests: 500, epochs: 150, method: %s, learning-rate: %s}"
                        .formatted(method, rate),
                1,
                () -> false);
        assertThat(value(measured, "right") == 1).isEqualTo(learns);
        assertThat(value(measured, "predictionLoss.150") < 0.05).isEqualTo(learns);
    }

    /** At W = 0 all scores of a node are equal: for two bits, phi(0) = -1 or phi(+-1) = 1 is the parity. */
    @Test
    void theFirstLossIsThatOfUniformAttention() {
        run("{bits: 2, size: 2, samples: 1000, tests: 10, epochs: 1, learning-rate: 1}", 1, () -> false);
        assertThat(hashes).hasSize(1);
        assertThat(Double.parseDouble(hashes.getFirst().split(" ", -1)[1])).isCloseTo(0, within(1e-30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chain", "teacher-forcing", "self-consistency", "direct"})
    void theBitsAreTheSameForAnyNumberOfThreads(String method) {
        String yaml = "{bits: 16, size: 8, samples: 2500, tests: 100, epochs: 5, method: %s, learning-rate: 9}"
                .formatted(method);
        List<Measurement> one = run(yaml, 1, () -> false);
        List<String> ofOne = List.copyOf(hashes);
        hashes.clear();
        assertThat(run(yaml, 3, () -> false)).isEqualTo(one);
        assertThat(hashes).isEqualTo(ofOne).hasSize(3);
    }

    @Test
    void aRunStopsWhereItIsToldTo() {
        assertThatThrownBy(() -> run("{bits: 8, samples: 50, learning-rate: 1}", 1, () -> hashes.size() > 1))
                .isInstanceOf(InterruptedTrialException.class);
        assertThat(hashes).hasSize(2);
    }

    @Test
    void aSizeThatIsNoPowerOfTwoIsRefused() {
        assertThatThrownBy(() -> trial.check(settings("{size: 6, learning-rate: 1}")))
                .hasMessageContaining("size: expected a power of two, got 6");
    }
}

package org.lemmata.kernel.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateRuleTest {

    @Test
    void momentsThatACheckpointHolds() {
        assertThat(new Sgd(1, 0, false, 0).moments()).isZero();
        assertThat(new Sgd(1, 0.5, false, 0).moments()).isEqualTo(1);
        assertThat(new Adam(1, 0, 0, 0, 0).moments()).isEqualTo(2);
        assertThat(new AdamW(1, 0, 0, 0, 0).moments()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1e-9, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesBadSizes(double bad) {
        assertRefused(
                () -> new Sgd(bad, 0, false, 0), "learningRate: expected a finite number of at least 0, got " + bad);
        assertThatThrownBy(() -> new Sgd(1, 0, false, bad)).hasMessageStartingWith("weightDecay: ");
        assertThatThrownBy(() -> new Adam(bad, 0, 0, 0, 0)).hasMessageStartingWith("learningRate: ");
        assertThatThrownBy(() -> new Adam(1, 0, 0, bad, 0)).hasMessageStartingWith("epsilon: ");
        assertThatThrownBy(() -> new Adam(1, 0, 0, 0, bad)).hasMessageStartingWith("weightDecay: ");
        assertThatThrownBy(() -> new AdamW(bad, 0, 0, 0, 0)).hasMessageStartingWith("learningRate: ");
        assertThatThrownBy(() -> new AdamW(1, 0, 0, bad, 0)).hasMessageStartingWith("epsilon: ");
        assertThatThrownBy(() -> new AdamW(1, 0, 0, 0, bad)).hasMessageStartingWith("weightDecay: ");
    }

    /** The last number is below 1, but 1 in binary32. */
    @ParameterizedTest
    @ValueSource(doubles = {-1e-9, Double.NaN, 1, 0.99999999})
    void refusesBadRates(double bad) {
        assertRefused(() -> new Sgd(1, bad, false, 0), "momentum: expected a binary32 number in [0, 1), got " + bad);
        assertThatThrownBy(() -> new Adam(1, bad, 0, 0, 0)).hasMessageStartingWith("beta1: ");
        assertThatThrownBy(() -> new Adam(1, 0, bad, 0, 0)).hasMessageStartingWith("beta2: ");
        assertThatThrownBy(() -> new AdamW(1, bad, 0, 0, 0)).hasMessageStartingWith("beta1: ");
        assertThatThrownBy(() -> new AdamW(1, 0, bad, 0, 0)).hasMessageStartingWith("beta2: ");
    }

    @Test
    void nesterovNeedsMomentum() {
        assertRefused(() -> new Sgd(1, 0, true, 0), "nesterov: expected a momentum above 0 with it, got 0");
    }
}

package org.lemmata.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;

class PositionSumsTest {

    @Test
    void sumsEachColumnFromTheFirstRowOn() {
        // Two tokens of two columns, then three positions of two columns, then V.
        var architecture = Architecture.uniformHead(2, 3, 2, true);
        float[] values = {9, 9, 9, 9, 1, -1, 2, -2, 3, 0.5f, 9, 9, 9, 9};
        var sums = new PositionSums(new Parameters(architecture, values));
        assertThat(sums.curves()).hasSize(2);
        assertThat(sums.curves().get(0)).containsExactly(1, 3, 6);
        assertThat(sums.curves().get(1)).containsExactly(-1, -3, -2.5);
        assertThat(sums.endSpread()).isCloseTo(Math.sqrt((36 + 6.25) / 2), within(1e-12));
        assertThat(sums.spread()).isCloseTo(Math.sqrt((1 + 9 + 36 + 1 + 9 + 6.25) / 6), within(1e-12));
    }

    @Test
    void aModelWithoutPositionsHasNone() {
        var architecture = Architecture.uniformHead(2, 3, 1, false);
        var parameters = new Parameters(architecture, new float[architecture.parameterCount()]);
        assertThatThrownBy(() -> new PositionSums(parameters)).isInstanceOf(IllegalArgumentException.class);
    }
}

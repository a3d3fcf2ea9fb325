package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void aSeriesHasIntervalsIfAnEndDiffersFromItsValues() {
        List<Double> x = List.of(1.0, 2.0);
        List<Double> y = List.of(3.0, 4.0);
        assertThat(new Figure.Series("a", x, y).hasIntervals()).isFalse();
        assertThat(new Figure.Series("a", x, y, List.of(2.0, 4.0), y).hasIntervals())
                .isTrue();
        assertThat(new Figure.Series("a", x, y, y, List.of(3.0, 5.0)).hasIntervals())
                .isTrue();
    }
}

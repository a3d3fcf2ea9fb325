package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;

/** Tests of the scalar {@link SquaredError}, which those of other implementations inherit. */
class ScalarSquaredErrorTest {

    private static final int LANES = Species.FLOAT.length();

    SquaredError squaredError() {
        return new ScalarSquaredError();
    }

    /** The tolerance: each lane sums 1024 / lanes squares; differences and squares are rounded once each. */
    private void check(int count) {
        SplittableRandom random = new SplittableRandom(count);
        float[] y = Guarded.uniform(count, 2, random);
        float[] targets = Guarded.uniform(count, 2, random);
        double exact = 0;
        for (int i = 0; i < count; i++) {
            exact += Math.pow((double) y[i] - targets[i], 2);
        }
        double factor = 1.0 / 3;
        Matrix ofY = Guarded.operand(y);
        Matrix ofTargets = Guarded.operand(targets);
        double loss = squaredError().forward(ofY, ofTargets, factor);
        double bound = (1024.0 / LANES + 8) * 0x1p-24 * exact;
        assertThat(loss).as("count %d", count).isCloseTo(factor * exact, within(bound));
        Matrix dy = Guarded.result(1, count);
        assertThat(squaredError().backward(dy, ofY, ofTargets, factor)).isEqualTo(loss);
        float[] actual = Guarded.numbers(dy);
        for (int i = 0; i < count; i++) {
            double slope = 2 * factor * ((double) y[i] - targets[i]);
            assertThat((double) actual[i])
                    .as("count %d, dy[%d]", count, i)
                    .isCloseTo(slope, within(Math.abs(slope) * 0x1p-22));
        }
    }

    @Test
    void everyLengthUpToTwiceTheLanesAndBeyondABlock() {
        for (int count = 0; count <= 2 * LANES + 1; count++) {
            check(count);
        }
        for (int count : new int[] {97, 1023, 1024, 1025, 5003}) {
            check(count);
        }
    }

    @Test
    void infinitiesAndNan() {
        float[] dy = new float[3];
        float[] y = {Float.POSITIVE_INFINITY, 1, 1};
        Matrix ofY = Matrix.row(y, 0, 3);
        assertThat(squaredError().backward(Matrix.row(dy, 0, 3), ofY, Matrix.row(new float[3], 0, 3), 0.5))
                .isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(dy).containsExactly(Float.POSITIVE_INFINITY, 1, 1);
        assertThat(squaredError().forward(ofY, ofY, 1)).isNaN();
    }

    @Test
    void refusesWhatDoesNotFit() {
        Matrix three = Matrix.row(new float[3], 0, 3);
        Matrix two = Matrix.row(new float[3], 0, 2);
        assertRefused(() -> squaredError().forward(three, two, 1), "targets: expected 1 x 3, got 1 x 2");
        assertRefused(() -> squaredError().backward(two, three, three, 1), "dy: expected 1 x 3, got 1 x 2");
    }
}

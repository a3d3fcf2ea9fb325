package org.lemmata.kernel.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;

/** What every {@link SquaredError} must do. */
abstract class SquaredErrorContract {

    private static final int LANES = Species.FLOAT.length();
    private static final float SENTINEL = -12345;

    abstract SquaredError squaredError();

    /** Of 1024 elements, 1024 / lanes squares fall on a lane; differences and squares round once each. */
    private void check(int count) {
        SplittableRandom random = new SplittableRandom(count);
        float[] y = new float[count + 5];
        float[] targets = new float[count + 3];
        Arrays.fill(y, Float.NaN);
        Arrays.fill(targets, Float.NaN);
        double exact = 0;
        for (int i = 0; i < count; i++) {
            y[2 + i] = (float) random.nextDouble(-2, 2);
            targets[1 + i] = (float) random.nextDouble(-2, 2);
            exact += Math.pow((double) y[2 + i] - targets[1 + i], 2);
        }
        double factor = 1.0 / 3;
        double loss = squaredError().forward(Matrix.row(y, 2, count), Matrix.row(targets, 1, count), factor);
        double bound = (1024.0 / LANES + 8) * 0x1p-24 * exact;
        assertThat(loss).as("count %d", count).isCloseTo(factor * exact, within(bound));
        float[] dy = new float[count + 6];
        Arrays.fill(dy, SENTINEL);
        assertThat(squaredError()
                        .backward(
                                Matrix.row(dy, 3, count),
                                Matrix.row(y, 2, count),
                                Matrix.row(targets, 1, count),
                                factor))
                .isEqualTo(loss);
        for (int i = 0; i < count; i++) {
            double slope = 2 * factor * ((double) y[2 + i] - targets[1 + i]);
            assertThat((double) dy[3 + i])
                    .as("count %d, dy[%d]", count, i)
                    .isCloseTo(slope, within(Math.abs(slope) * 0x1p-22));
        }
        Arrays.fill(dy, 3, 3 + count, SENTINEL);
        assertThat(dy).as("count %d: around dy", count).containsOnly(SENTINEL);
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
        assertThatThrownBy(() -> squaredError().forward(three, two, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("targets: expected 1 x 3, got 1 x 2");
        assertThatThrownBy(() -> squaredError().backward(two, three, three, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dy: expected 1 x 3, got 1 x 2");
    }
}

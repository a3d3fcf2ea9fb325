package org.lemmata.kernel.activation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.kernel.matrix.Matrix.row;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorActivationTest extends ActivationContract {

    @Override
    Activation activation() {
        return new VectorActivation(Workers.caller());
    }

    @ParameterizedTest
    @EnumSource
    void givesTheBitsOfTheReference(Activation.Kind kind) {
        float[] x = new float[1 << 16];
        float[] dy = new float[x.length];
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < x.length; i++) {
            x[i] = Float.intBitsToFloat(random.nextInt());
            dy[i] = (float) random.nextGaussian();
        }
        float[] actual = new float[x.length];
        float[] expected = new float[x.length];
        float[] both = new float[x.length];
        float[] gradient = dy.clone();
        activation().bothInto(kind, row(both, 0, x.length), row(gradient, 0, x.length), row(x, 0, x.length));
        activation().forwardInto(kind, row(actual, 0, x.length), row(x, 0, x.length));
        new ScalarActivation().forwardInto(kind, row(expected, 0, x.length), row(x, 0, x.length));
        assertThat(actual).isEqualTo(expected);
        assertThat(both).isEqualTo(expected);
        activation().backwardInto(kind, row(actual, 0, x.length), row(dy, 0, x.length), row(x, 0, x.length));
        new ScalarActivation()
                .backwardInto(kind, row(expected, 0, x.length), row(dy, 0, x.length), row(x, 0, x.length));
        assertThat(actual).isEqualTo(expected);
        assertThat(gradient).isEqualTo(expected);
    }

    /** Several chunks and a rest. */
    @Test
    void everyNumberOfThreadsGivesTheSameBits() {
        int length = 5 * 32768 + 77;
        float[] x = new float[length + 3];
        float[] dy = new float[length + 1];
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < length; i++) {
            x[3 + i] = (float) random.nextGaussian();
            dy[1 + i] = (float) random.nextGaussian();
        }
        for (Activation.Kind kind : Activation.Kind.values()) {
            float[] y = new float[length + 2];
            new ScalarActivation().forwardInto(kind, row(y, 2, length), row(x, 3, length));
            float[] dx = new float[length + 4];
            new ScalarActivation().backwardInto(kind, row(dx, 4, length), row(dy, 1, length), row(x, 3, length));
            for (int threads : new int[] {1, 2, 3, 8}) {
                try (Workers workers = Workers.of(threads)) {
                    Activation activation = new VectorActivation(workers);
                    float[] actual = new float[y.length];
                    activation.forwardInto(kind, row(actual, 2, length), row(x, 3, length));
                    assertThat(actual).isEqualTo(y);
                    actual = new float[dx.length];
                    activation.backwardInto(kind, row(actual, 4, length), row(dy, 1, length), row(x, 3, length));
                    assertThat(actual).isEqualTo(dx);
                    float[] both = new float[y.length];
                    float[] gradient = new float[dx.length];
                    System.arraycopy(dy, 1, gradient, 4, length);
                    activation.bothInto(kind, row(both, 2, length), row(gradient, 4, length), row(x, 3, length));
                    assertThat(both).isEqualTo(y);
                    assertThat(gradient).isEqualTo(dx);
                }
            }
        }
    }

    /** One chunk, and several with a rest. */
    @Tag("allocation")
    @ParameterizedTest
    @EnumSource
    void aCallAllocatesNothing(Activation.Kind kind) {
        float[] x = new float[20_001];
        float[] y = new float[x.length];
        float[] dy = new float[x.length];
        Allocation.assertNoneWithThreads(workers -> {
            Activation activation = new VectorActivation(workers);
            Matrix ofX = Matrix.empty();
            Matrix ofY = Matrix.empty();
            Matrix ofDy = Matrix.empty();
            return () -> {
                for (int length = 100; length <= x.length; length += x.length - 100) {
                    ofX.at(x, 1, length);
                    ofY.at(y, 1, length);
                    activation.forwardInto(kind, ofY, ofX);
                    activation.backwardInto(kind, ofY, ofY, ofX);
                    activation.bothInto(kind, ofY, ofDy.at(dy, 1, length), ofX);
                }
            };
        });
    }
}

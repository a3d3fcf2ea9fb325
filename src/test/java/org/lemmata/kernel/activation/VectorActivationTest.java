package org.lemmata.kernel.activation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorActivationTest extends ScalarActivationTest {

    @Override
    Activation activation() {
        return new VectorActivation(Workers.caller());
    }

    /** Bit patterns and normal numbers, in several chunks and an incomplete one. */
    @ParameterizedTest
    @EnumSource
    void everyNumberOfThreadsGivesTheBitsOfTheReference(Activation.Kind kind) {
        SplittableRandom random = new SplittableRandom(5);
        float[] x = new float[5 * 32768 + 77];
        float[] dy = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 2 == 0 ? Float.intBitsToFloat(random.nextInt()) : (float) random.nextGaussian();
            dy[i] = (float) random.nextGaussian();
        }
        List<float[]> expected = results(new ScalarActivation(), kind, x, dy);
        assertThat(expected.get(2)).isEqualTo(expected.get(0));
        assertThat(expected.get(3)).isEqualTo(expected.get(1));
        Threads.assertBits(expected, workers -> results(new VectorActivation(workers), kind, x, dy));
    }

    /** The results of forward, backward and combined calls. */
    private static List<float[]> results(Activation activation, Activation.Kind kind, float[] x, float[] dy) {
        Matrix ofX = Guarded.operand(x);
        Matrix y = Guarded.result(1, x.length);
        Matrix dx = Guarded.result(1, x.length);
        Matrix both = Guarded.result(1, x.length);
        Matrix gradient = Guarded.operand(dy);
        activation.forwardInto(kind, y, ofX);
        activation.backwardInto(kind, dx, gradient, ofX);
        activation.bothInto(kind, both, gradient, ofX);
        return Stream.of(y, dx, both, gradient).map(Guarded::numbers).toList();
    }

    /** One chunk, and several with an incomplete one. */
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

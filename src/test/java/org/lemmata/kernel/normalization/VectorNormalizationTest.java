package org.lemmata.kernel.normalization;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorNormalizationTest extends ScalarNormalizationTest {

    private static final int CHUNK_ELEMENTS = 1 << 10;

    @Override
    Normalization normalization() {
        return new VectorNormalization(Workers.caller());
    }

    /** Sizes with several chunks, of which the last is incomplete. */
    @ParameterizedTest
    @CsvSource({"LAYER, 501, 30", "LAYER, 301, 50", "ROOT_MEAN_SQUARE, 301, 64", "ROOT_MEAN_SQUARE, 41, 257"})
    void everyNumberOfThreadsGivesTheSameBits(Normalization.Kind kind, int rows, int columns) {
        NormalizationCase example = NormalizationCase.random(kind, rows, columns, true, true, 5);
        NormalizationCase.Result expected = example.check(new VectorNormalization(Workers.caller(), CHUNK_ELEMENTS));
        Threads.assertBits(
                expected.all(),
                workers -> example.run(new VectorNormalization(workers, CHUNK_ELEMENTS))
                        .all());
    }

    /** Rows of up to two vectors, up to four, and more. */
    @Tag("allocation")
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6})
    void aCallAllocatesNothing(int vectors) {
        int rows = 64;
        int columns = vectors * Species.FLOAT.length() + 1;
        Normalization.Kind kind = Normalization.Kind.LAYER;
        Matrix x = Matrix.of(NormalizationCase.random(kind, rows, columns, false, false, 6).x, rows, columns);
        Matrix y = Matrix.of(new float[rows * columns], rows, columns);
        Matrix statistics = Matrix.of(new float[3 * rows], rows, 3);
        Matrix gradient = Matrix.of(new float[columns], 1, columns);
        var gradients = new GainAndShift(gradient, gradient);
        Allocation.assertNoneWithThreads(workers -> {
            Normalization normalization = new VectorNormalization(workers, 20 * columns);
            return () -> {
                normalization.forward(y, statistics, x, GainAndShift.NONE, kind, 1e-5f);
                normalization.backward(y, gradients, x, statistics, x, GainAndShift.NONE, kind);
            };
        });
    }
}

package org.lemmata.kernel.quantization;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

class VectorQuantizationTest extends QuantizationContract {

    @Override
    Quantization quantization() {
        return new VectorQuantization();
    }

    /** For any lanes, and any number of threads, of which each may take any chunk: rows of chunks, and chunks of rows. */
    @Test
    void hasTheBitsOfTheReference() {
        for (Workers workers : new Workers[] {Workers.of(1), Workers.of(2), Workers.of(3), Workers.of(8)}) {
            try (workers) {
                Quantization quantization = new VectorQuantization(workers);
                for (Rounding.Mode mode : new Rounding.Mode[] {Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.STOCHASTIC}) {
                    for (TensorRounding rounding : roundings(mode)) {
                        compare(quantization, rounding, 2, 17_003, 0);
                        compare(quantization, rounding, 700, 37, 1);
                        compare(quantization, rounding, 300, 64, 0);
                    }
                }
            }
        }
    }

    private static void compare(Quantization quantization, TensorRounding rounding, int rows, int columns, int gap) {
        int stride = columns + gap;
        float[] x = finiteNumbers(rows * stride, new SplittableRandom(columns));
        float[] expected = new float[x.length];
        float[] actual = new float[x.length];
        new ScalarQuantization().round(expected, 0, stride, x, 0, stride, rows, columns, rounding, STREAM);
        quantization.round(actual, 0, stride, x, 0, stride, rows, columns, rounding, STREAM);
        for (int i = 0; i < x.length; i++) {
            assertBits(actual[i], expected[i], x[i], rounding.label() + " at " + i + " of " + rows + " x " + columns);
        }
        if (rounding instanceof Rounding elementwise) {
            new ScalarQuantization().add(expected, 0, x, 0, x, 1, x.length - 1, elementwise, STREAM);
            quantization.add(actual, 0, x, 0, x, 1, x.length - 1, elementwise, STREAM);
            for (int i = 0; i < x.length; i++) {
                assertBits(actual[i], expected[i], x[i], rounding.label() + ", sum at " + i);
            }
        }
    }

    /** Several chunks and a rest. */
    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        float[] x = finiteNumbers(40_001, new SplittableRandom(1));
        float[] y = new float[x.length];
        Rounding.Mode[] modes = {Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.TO_ODD, Rounding.Mode.STOCHASTIC};
        for (Rounding.Mode mode : modes) {
            for (TensorRounding rounding : roundings(mode)) {
                Allocation.assertNoneWithThreads(workers -> {
                    Quantization quantization = new VectorQuantization(workers);
                    return () -> {
                        quantization.round(y, 0, 70, x, 0, 70, 500, 67, rounding, STREAM);
                        if (rounding instanceof Rounding elementwise) {
                            quantization.add(y, 0, y, 0, x, 0, 20_000, elementwise, STREAM);
                        }
                    };
                });
            }
        }
    }
}

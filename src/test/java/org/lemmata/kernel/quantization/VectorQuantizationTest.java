package org.lemmata.kernel.quantization;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

class VectorQuantizationTest extends ScalarQuantizationTest {

    @Override
    Quantization quantization() {
        return new VectorQuantization(Workers.caller());
    }

    /** All upper halves of code words, with lower halves at and near ties of all formats of up to 16 bits, and 0. */
    @ParameterizedTest
    @EnumSource
    void everyUpperHalf(Rounding.Mode mode) {
        int[] lowerHalves = {0, 1, 0x8000, 0x7FFF};
        float[] x = new float[1 << 16];
        float[] y = new float[x.length];
        Quantization quantization = quantization();
        int[] words = new int[32];
        for (int lower : lowerHalves) {
            for (int upper = 0; upper < x.length; upper++) {
                x[upper] = Float.intBitsToFloat(upper << 16 | lower);
            }
            for (NumberFormat format : FORMATS) {
                // Flushing of subnormals and saturation are each tested on and off, separately.
                Rounding elementwise = new Rounding(format, mode, lower != 1, lower == 0x7FFF);
                quantization.round(Matrix.row(y, 0, x.length), Matrix.row(x, 0, x.length), elementwise, STREAM);
                String name = elementwise.label();
                for (int i = 0; i < x.length; i++) {
                    if (i % 32 == 0 && elementwise.isStochastic()) {
                        STREAM.tileInto(words, 0, i / 32);
                    }
                    assertBits(y[i], elementwise.round(x[i], words[i % 32]), x[i], name);
                }
            }
        }
    }

    /** Bits do not depend on lanes or threads, whether chunks are parts of rows or several rows. */
    @Test
    void hasTheBitsOfTheReference() {
        for (Rounding.Mode mode : new Rounding.Mode[] {Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.STOCHASTIC}) {
            for (String format : TensorRounding.NAMES) {
                String example = format.replace("(p,emin,emax)", "(9,-20,20)")
                        .replace("(c,n)", "(2,64)")
                        .replace("(p)", "(7)")
                        .replace("(q)", "(0.375)");
                TensorRounding rounding = TensorRounding.parse(example, mode, true, false);
                compare(rounding, 2, 17_003, 1);
                compare(rounding, 600, 37, 1);
                compare(rounding, 300, 64, 0);
            }
        }
    }

    private static void compare(TensorRounding rounding, int rows, int columns, int gap) {
        int stride = columns + gap;
        float[] x = finiteNumbers(rows * stride, new SplittableRandom(columns));
        Matrix from = Matrix.of(x, 0, rows, columns, stride);
        Threads.assertBits(
                results(new ScalarQuantization(), from, rounding),
                workers -> results(new VectorQuantization(workers), from, rounding));
    }

    private static List<float[]> results(Quantization quantization, Matrix x, TensorRounding rounding) {
        float[] y = new float[x.array().length];
        float[] sums = new float[y.length];
        quantization.round(Matrix.of(y, 0, x.rows(), x.columns(), x.stride()), x, rounding, STREAM);
        if (rounding instanceof Rounding elementwise) {
            int count = y.length - 1;
            Matrix left = Matrix.row(x.array(), 0, count);
            Matrix right = Matrix.row(x.array(), 1, count);
            quantization.add(Matrix.row(sums, 0, count), left, right, elementwise, STREAM);
        }
        return List.of(y, sums);
    }

    /** Each loop, with several chunks and an incomplete one. */
    @Tag("allocation")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "binary32", "binary16", "log-precision(2,64)", "threshold(3)",
                "integer", "multiple(0.375)", "mxfp4_e2m1", "int8"
            })
    void aCallAllocatesNothing(String format) {
        float[] x = finiteNumbers(40_001, new SplittableRandom(1));
        float[] y = new float[x.length];
        Rounding.Mode[] modes = {Rounding.Mode.TIES_TO_EVEN, Rounding.Mode.TO_ODD, Rounding.Mode.STOCHASTIC};
        for (Rounding.Mode mode : modes) {
            TensorRounding rounding = TensorRounding.parse(format, mode, true, false);
            Allocation.assertNoneWithThreads(workers -> {
                Quantization quantization = new VectorQuantization(workers);
                Matrix to = Matrix.of(y, 0, 500, 67, 70);
                Matrix from = Matrix.of(x, 0, 500, 67, 70);
                Matrix sums = Matrix.row(y, 0, 20_000);
                Matrix addends = Matrix.row(x, 0, 20_000);
                return () -> {
                    quantization.round(to, from, rounding, STREAM);
                    if (rounding instanceof Rounding elementwise) {
                        quantization.add(sums, sums, addends, elementwise, STREAM);
                    }
                };
            });
        }
    }
}

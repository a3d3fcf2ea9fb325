package org.lemmata.kernel.arithmetic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.thread.Workers;

class VectorArithmeticTest extends ArithmeticContract {

    @Override
    Arithmetic arithmetic() {
        return new VectorArithmetic(Workers.caller());
    }

    /** For any lanes, and any number of threads, of which each may take any chunk. */
    @ParameterizedTest
    @CsvSource({"5000, 45", "200, 1027", "137, 16391", "3, 5"})
    void hasTheBitsOfTheReference(int rows, int columns) {
        float[] x = random(rows * columns, new SplittableRandom(SEED));
        float[] before = random(rows * columns, new SplittableRandom(SEED + 1));
        float[] expected = results(new ScalarArithmetic(), x, before, rows, columns);
        for (int threads : new int[] {1, 2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                assertThat(results(new VectorArithmetic(workers), x, before, rows, columns))
                        .as("%d threads", threads)
                        .isEqualTo(expected);
            }
        }
    }

    private static float[] results(Arithmetic arithmetic, float[] x, float[] before, int rows, int columns) {
        float[] y = before.clone();
        arithmetic.addInto(y, 0, x, 0, x.length);
        arithmetic.scaleInto(y, 0, y, 0, x.length, 1.7f);
        arithmetic.addRowsInto(y, 0, x, 0, columns, rows, columns);
        return y;
    }

    /** One chunk or block, and several with a rest. */
    @Tag("allocation")
    @Test
    void aCallAllocatesNothing() {
        float[] x = new float[140_003];
        float[] y = new float[x.length];
        Allocation.assertNoneWithThreads(workers -> {
            Arithmetic arithmetic = new VectorArithmetic(workers);
            return () -> {
                for (int rows = 3; rows <= 2000; rows += 1997) {
                    arithmetic.addInto(y, 0, x, 0, rows * 70);
                    arithmetic.scaleInto(y, 0, y, 0, rows * 70, 0.5f);
                    arithmetic.addRowsInto(y, 0, x, 0, 70, rows, 67);
                }
            };
        });
    }
}

package org.lemmata.kernel.arithmetic;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Guarded;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.thread.Workers;

class VectorArithmeticTest extends ScalarArithmeticTest {

    @Override
    Arithmetic arithmetic() {
        return new VectorArithmetic(Workers.caller());
    }

    @ParameterizedTest
    @CsvSource({"5000, 45", "200, 1027", "137, 16391", "3, 5"})
    void hasTheBitsOfTheReference(int rows, int columns) {
        float[] x = Guarded.uniform(rows * columns, 2, new SplittableRandom(SEED));
        float[] before = Guarded.uniform(rows * columns, 2, new SplittableRandom(SEED + 1));
        Threads.assertBits(
                List.of(results(new ScalarArithmetic(), x, before, rows, columns)),
                workers -> List.of(results(new VectorArithmetic(workers), x, before, rows, columns)));
    }

    private static float[] results(Arithmetic arithmetic, float[] x, float[] before, int rows, int columns) {
        float[] y = before.clone();
        arithmetic.addInto(y, 0, x, 0, x.length);
        arithmetic.scaleInto(y, 0, y, 0, x.length, 1.7f);
        arithmetic.addRowsInto(y, 0, x, 0, columns, rows, columns);
        return y;
    }

    /** One chunk or block, and several with an incomplete one. */
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

package org.lemmata.kernel.matmul;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Allocation;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

class VectorMatMulTest extends ScalarMatMulTest {

    private static final int LANES = Species.FLOAT.length();

    @Override
    MatMul matMul() {
        return new VectorMatMul(Workers.caller());
    }

    private static void checkChain(MatMul matMul, MatMul.Form form, MatMulCase.Start start, int m, int n, int k) {
        MatMulCase.random(form, start, m, n, k, new SplittableRandom(m)).checkFusedChain(matMul);
    }

    /** The build runs this test at every lane width, so bits do not depend on the width. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "6, 32, 7",
        "7, 33, 8",
        "23, 9, 300",
        "5, 150, 193",
        "200, 130, 5",
        "3, 1100, 2",
        // More than one block of columns and inner index; so many rows of Aᵀ that B is copied.
        "27, 421, 801",
        "143, 401, 391"
    })
    void isTheAscendingChainOfFusedMultiplyAdds(int m, int n, int k) {
        MatMulCase.forEachKind((form, start) -> checkChain(matMul(), form, start, m, n, k));
    }

    /** Every remainder of rows and of vectors in tiles. */
    @Test
    void everyEdgeIsTheSameChain() {
        MatMulCase.forEachKind((form, start) -> {
            for (int m = 1; m <= 25; m++) {
                checkChain(matMul(), form, start, m, 1 + (m * 37 + 11) % (4 * LANES + 2), 9);
                checkChain(matMul(), form, start, 25 - m, 2 * LANES + m, 4);
            }
        });
    }

    /** Every remainder in tiles of one row, for the only row of a product or of its last chunk. */
    @ParameterizedTest
    @EnumSource
    void oneRowIsTheSameChain(MatMulCase.Start start) {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (int n = 1; n <= 18 * LANES + 1; n++) {
                checkChain(matMul(), form, start, 1, n, 1 + n % 10);
            }
            try (Workers workers = Workers.of(2)) {
                for (int m : new int[] {1, 25}) {
                    checkChain(new VectorMatMul(workers), form, start, m, 8 * LANES + 3, 65_537 / m);
                }
            }
        }
    }

    /** The depth at which the steps of an odd vector stay in registers, and its neighbours. */
    @ParameterizedTest
    @EnumSource
    void anOddVectorOfSixteenStepsIsTheSameChain(MatMulCase.Start start) {
        for (MatMul.Form form : MatMul.Form.values()) {
            for (int k = 15; k <= 17; k++) {
                for (int m : new int[] {1, 2, 11, 12, 13, 131}) {
                    for (int n : new int[] {LANES, 3 * LANES, 2 * LANES + 3}) {
                        checkChain(matMul(), form, start, m, n, k);
                    }
                }
            }
        }
        // The last block of a depth.
        int depth = Blocking.CHOSEN.depth();
        checkChain(matMul(), MatMul.Form.NN, start, 2, LANES, depth * (depth - 16) + 16);
    }

    /**
     * A C of 8 MiB with an odd vector before the others: one panel for all rows, or both variants that race to write C.
     */
    @ParameterizedTest
    @EnumSource
    void aLargeCIsTheSameChain(MatMulCase.Start start) {
        for (int vectors = 3; vectors <= 5; vectors += 2) {
            int n = vectors * LANES;
            int m = (1 << 21) / n + 5;
            // Low tiles with all registers, and tall ones.
            for (int k : new int[] {3, 33}) {
                checkChain(matMul(), MatMul.Form.NN, start, m, n, k);
            }
        }
    }

    /** Widths at which the last block of one species is narrower than a vector. */
    @ParameterizedTest
    @ValueSource(ints = {4225, 3841, 7937, 50305})
    void aLastBlockNarrowerThanAVectorIsReadWithinItsMatrix(int n) {
        for (MatMul.Form form : MatMul.Form.values()) {
            checkChain(matMul(), form, MatMulCase.Start.ZERO, 7, n, 3);
        }
    }

    /** Splits by rows and by columns into one or two chunks per thread; some chunks end inside a tile. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 2",
        "131, 130, 129",
        "1201, 30, 120",
        "60, 700, 101",
        "30, 120, 5000",
        "401, 203, 211",
        "1, 1037, 770"
    })
    void hasTheSameBitsForEveryNumberOfThreads(int m, int n, int k) {
        MatMulCase.forEachKind((form, start) -> Threads.assertSameBits(workers -> List.of(
                MatMulCase.random(form, start, m, n, k, new SplittableRandom(1)).run(new VectorMatMul(workers)))));
    }

    @Tag("allocation")
    @Test
    void allocatesNothingOnceCompiled() {
        int m = 29;
        int n = 3 * LANES + 1;
        int k = 16;
        float[] ofA = new float[m * k];
        float[] ofB = new float[k * n];
        Matrix a = Matrix.of(ofA, m, k);
        Matrix aTransposed = Matrix.of(ofA, k, m);
        Matrix b = Matrix.of(ofB, k, n);
        Matrix bTransposed = Matrix.of(ofB, n, k);
        Matrix bias = Matrix.row(ofB, 0, n);
        Matrix c = Matrix.of(new float[m * n], m, n);
        int whole = 3 * LANES;
        Matrix wholePanels = Matrix.of(ofB, k, whole);
        Matrix ofWholePanels = Matrix.of(new float[m * whole], m, whole);
        Allocation.assertNoneWithThreads(workers -> {
            MatMul matMul = new VectorMatMul(workers);
            return () -> {
                matMul.multiply(MatMul.Form.NN, false, c, a, b);
                matMul.multiply(MatMul.Form.NN, false, ofWholePanels, a, wholePanels);
                matMul.multiply(MatMul.Form.NT, true, c, a, bTransposed);
                matMul.multiplyAddBias(MatMul.Form.TN, c, aTransposed, b, bias);
            };
        });
    }

    @Test
    void threadsDoNotDisturbEachOther() throws InterruptedException, ExecutionException {
        MatMul shared = matMul();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<? extends Future<?>> runs = IntStream.range(0, 64)
                    .mapToObj(i -> threads.submit(() -> checkChain(
                            shared,
                            i % 2 == 0 ? MatMul.Form.NN : MatMul.Form.TN,
                            MatMulCase.Start.C,
                            10 + i,
                            3 * i,
                            60)))
                    .toList();
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }
}

package org.lemmata.kernel.matmul;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VectorMatMulTest extends MatMulContract {

    @Override
    MatMul matMul() {
        return new VectorMatMul();
    }

    /** Run for every lane width by the build, this says that the bits depend on none. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "6, 32, 7", "7, 33, 8", "23, 9, 300", "5, 150, 193", "200, 130, 5", "3, 1100, 2"})
    void isTheAscendingChainOfFusedMultiplyAdds(int m, int n, int k) {
        for (MatMul.Form form : MatMul.Form.values()) {
            MatMulCase.random(form, false, m, n, k, new SplittableRandom(1)).checkFusedChain(matMul());
            MatMulCase.random(form, true, m, n, k, new SplittableRandom(2)).checkFusedChain(matMul());
        }
    }

    @Test
    void threadsDoNotDisturbEachOther() throws InterruptedException, ExecutionException {
        MatMul shared = matMul();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<? extends Future<?>> runs = IntStream.range(0, 64)
                    .mapToObj(i -> threads.submit(() -> MatMulCase.random(
                                    i % 2 == 0 ? MatMul.Form.NN : MatMul.Form.TN,
                                    true,
                                    10 + i,
                                    3 * i,
                                    60,
                                    new SplittableRandom(i))
                            .checkFusedChain(shared)))
                    .toList();
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }
}

package org.lemmata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.lemmata.kernel.thread.Workers;

/** Checks that results have the same bits for every number of threads, whichever thread takes a chunk. */
public final class Threads {

    private static final int[] NUMBERS = {1, 2, 3, 8};

    private Threads() {}

    /** Compares results with several threads with those of a single thread. */
    public static void assertSameBits(Function<Workers, List<float[]>> results) {
        assertBits(results.apply(Workers.caller()), results);
    }

    public static void assertBits(List<float[]> expected, Function<Workers, List<float[]>> results) {
        for (int threads : NUMBERS) {
            try (Workers workers = Workers.of(threads)) {
                List<float[]> actual = results.apply(workers);
                for (int i = 0; i < expected.size(); i++) {
                    assertThat(actual.get(i))
                            .as("%d threads, array %d", threads, i)
                            .isEqualTo(expected.get(i));
                }
            }
        }
    }

    /** The bits of a number, 16 per element. */
    public static float[] parts(double x) {
        float[] parts = new float[4];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Double.doubleToRawLongBits(x) >>> (16 * i) & 0xFFFF;
        }
        return parts;
    }
}

package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests each elementary function at all 2^32 binary32 numbers, on all cores: the maximum error is that of the Javadoc,
 * and the scalar form has the same bits.
 *
 * <p>Run: {@code mvn -P exhaustive verify}.
 */
@Tag("exhaustive")
class ExhaustiveElementaryTest {

    private static final int BLOCK = 1 << 16;

    @ParameterizedTest
    @EnumSource
    void everyNumber(ElementaryFunction function) {
        double worst = IntStream.range(0, 1 << 16)
                .parallel()
                .mapToDouble(block -> {
                    float[] x = new float[BLOCK];
                    for (int i = 0; i < BLOCK; i++) {
                        x[i] = Float.intBitsToFloat(block * BLOCK + i);
                    }
                    return function.worstUlps(new float[BLOCK], x);
                })
                .max()
                .orElseThrow();
        System.out.printf("%s: %.6f ulps%n", function, worst);
        assertThat(worst).isBetween(function.worstUlps - 0.005, function.worstUlps);
    }
}

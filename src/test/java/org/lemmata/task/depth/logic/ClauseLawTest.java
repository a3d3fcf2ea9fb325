package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClauseLawTest {

    static IntStream depths() {
        return IntStream.rangeClosed(0, 10);
    }

    @ParameterizedTest
    @MethodSource("depths")
    void theLawIsThatOfTheVectorsExactly(int q) {
        var law = new ClauseLaw(1, q);
        JsonNode expected = GeneratorVectors.all().get("depth_law").get(Integer.toString(q));
        for (int x = 0; x <= q + 1; x++) {
            JsonNode fraction = expected.get(Integer.toString(x));
            if (fraction == null) {
                assertThat(law.numerator(x)).as("q %d, x %d", q, x).isZero();
                assertThat(x)
                        .satisfiesAnyOf(
                                depth -> assertThat(depth).isLessThan(law.minDepth()),
                                depth -> assertThat(depth).isGreaterThan(law.maxDepth()));
                continue;
            }
            var numerator = new BigInteger(fraction.get(0).asText());
            var denominator = new BigInteger(fraction.get(1).asText());
            assertThat(law.numerator(x).multiply(denominator))
                    .as("q %d, x %d", q, x)
                    .isEqualTo(numerator.shiftLeft(law.exponent()));
            assertThat(law.probability(x))
                    .isEqualTo(new BigDecimal(numerator)
                            .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
                            .doubleValue());
        }
        assertThat(law.meanLeaves())
                .isEqualTo(GeneratorVectors.all().get("expected_leaves").get(q).asLong());
    }

    @ParameterizedTest
    @CsvSource({"1,3", "2,2", "5,3", "5,6", "64,1", "3,16"})
    void probabilitiesOfManyClausesAddUp(int k, int q) {
        var law = new ClauseLaw(k, q);
        BigInteger sum = IntStream.rangeClosed(0, q).mapToObj(law::numerator).reduce(BigInteger.ZERO, BigInteger::add);
        assertThat(sum).isEqualTo(BigInteger.TWO.pow(law.exponent()));
        assertThat(law.meanLeaves()).isEqualTo(k * new ClauseLaw(1, q).meanLeaves());
    }

    /** (25/64)^5 is the probability that none of five clauses of q = 3 is as deep as 3. */
    @ParameterizedTest
    @CsvSource({"5,3,2,9765625", "2,2,1,1"})
    void theDepthOfAnExpressionIsThatOfItsDeepestClause(int k, int q, int x, long numerator) {
        var law = new ClauseLaw(k, q);
        int bits = q == 3 ? 30 : 4;
        assertThat(law.numerator(x).shiftLeft(bits))
                .isEqualTo(BigInteger.valueOf(numerator).shiftLeft(law.exponent()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0; 3; k: expected at least 1, got 0",
                "1; 17; q: expected 0 to 16, got 17",
                "1; -1; q: expected 0 to 16, got -1"
            })
    void misuseIsRefused(int k, int q, String message) {
        assertRefused(() -> new ClauseLaw(k, q), message);
    }
}

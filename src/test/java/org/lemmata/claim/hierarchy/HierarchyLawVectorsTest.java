package org.lemmata.claim.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.construct.hierarchy.DyckConstants;

/** The recovery function and the laws of precision against figures of an independent implementation. */
class HierarchyLawVectorsTest {

    private static JsonNode read(String file) throws IOException {
        try (InputStream stream = HierarchyLawVectorsTest.class.getResourceAsStream(
                "/org/lemmata/vectors/hierarchy-" + file + ".json")) {
            return JsonMapper.builder().build().readTree(stream);
        }
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static Stream<JsonNode> leastBits() throws IOException {
        return stream(read("finite-precision").get("recogniser_p_min_n_D_p"));
    }

    static Stream<JsonNode> blockRounded() throws IOException {
        return stream(read("finite-precision").get("block_rounded_n_D_p_pkappa"));
    }

    private static void checkRecovery(JsonNode vector, int sign) {
        double epsilon = vector.get("eps").doubleValue();
        JsonNode y = vector.get("y");
        assertThat(y).hasSizeGreaterThan(10);
        for (int i = 0; i < y.size(); i++) {
            assertThat(SoftAttention.recovered(y.get(i).doubleValue(), epsilon, sign))
                    .as("y = %s, eps = %s", y.get(i), epsilon)
                    .isCloseTo(vector.get("recov").get(i).doubleValue(), within(1e-9));
        }
    }

    @Test
    void theRecoveryFunctionIsThatOfTheVectors() throws IOException {
        JsonNode vectors = read("recovery");
        assertThat(vectors.get("cases")).hasSizeGreaterThanOrEqualTo(3);
        vectors.get("cases").forEach(vector -> checkRecovery(vector, -1));
        checkRecovery(vectors.get("printed_plus_sign"), 1);
    }

    /** The least bits of other strings and constants: they suffice by our law, which is 2 more at most. */
    @ParameterizedTest
    @MethodSource("leastBits")
    void theLawHoldsTheLeastBitsOfTheVectors(JsonNode vector) {
        int law = DyckConstants.of(vector.get(0).intValue(), vector.get(1).intValue())
                .neededBits();
        assertThat(law - vector.get(2).intValue()).as("%s, law %d", vector, law).isBetween(0, 2);
    }

    /** The same with scores and norms exact, and the start's score lowered. */
    @ParameterizedTest
    @MethodSource("blockRounded")
    void theLawOfExactScoresHoldsThoseOfTheVectors(JsonNode vector) {
        var size = new Size(vector.get(0).intValue(), vector.get(1).intValue());
        int bound = FormatLaw.EXACT_SCORES.bound().applyAsInt(size);
        assertThat(bound - vector.get(3).intValue()).as("%s, bound %d", vector, bound).isBetween(0, 2);
    }
}

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
import org.lemmata.construct.hierarchy.DyckConstants;

/** The recovery function and the laws of precision against figures of an independent implementation. */
class HierarchyLawVectorsTest {

    private static JsonNode read(String file) throws IOException {
        try (InputStream stream =
                HierarchyLawVectorsTest.class.getResourceAsStream("/org/lemmata/vectors/hierarchy-" + file + ".json")) {
            return JsonMapper.builder().build().readTree(stream);
        }
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static Stream<JsonNode> leastBits() throws IOException {
        return stream(read("finite-precision").get("recogniser_p_min_n_D_p"));
    }

    private static void checkRecovery(JsonNode vector) {
        double epsilon = vector.get("eps").doubleValue();
        JsonNode y = vector.get("y");
        assertThat(y).hasSizeGreaterThan(10);
        for (int i = 0; i < y.size(); i++) {
            assertThat(SoftAttention.recovered(y.get(i).doubleValue(), epsilon))
                    .as("y = %s, eps = %s", y.get(i), epsilon)
                    .isCloseTo(vector.get("recov").get(i).doubleValue(), within(1e-9));
        }
    }

    @Test
    void theRecoveryFunctionIsThatOfTheVectors() throws IOException {
        JsonNode vectors = read("recovery");
        assertThat(vectors.get("cases")).hasSizeGreaterThanOrEqualTo(3);
        vectors.get("cases").forEach(HierarchyLawVectorsTest::checkRecovery);
    }

    /** The least bits of other strings and constants: they suffice by our law, which is 3 more at most. */
    @ParameterizedTest
    @MethodSource("leastBits")
    void theLawHoldsTheLeastBitsOfTheVectors(JsonNode vector) {
        int law = DyckConstants.of(vector.get(0).intValue(), vector.get(1).intValue())
                .neededBits();
        assertThat(law - vector.get(2).intValue()).as("%s, law %d", vector, law).isBetween(0, 3);
    }
}

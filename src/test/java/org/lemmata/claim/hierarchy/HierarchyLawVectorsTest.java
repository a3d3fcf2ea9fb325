package org.lemmata.claim.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.oracle.ReferenceValues.Each;

/** Compares the recovery function and the precision laws with an independent implementation. */
class HierarchyLawVectorsTest {

    private static void checkRecovery(JsonNode vector) {
        double epsilon = number(vector, "eps");
        JsonNode y = vector.get("y");
        assertThat(y).hasSizeGreaterThan(10);
        for (int i = 0; i < y.size(); i++) {
            assertThat(SoftAttention.recovered(y.get(i).doubleValue(), epsilon))
                    .as("y = %s, eps = %s", y.get(i), epsilon)
                    .isCloseTo(vector.get("recov").get(i).doubleValue(), within(1e-9));
        }
    }

    @Test
    void theRecoveryFunctionIsThatOfTheVectors() {
        JsonNode vectors = read("hierarchy-recovery");
        assertThat(vectors.get("cases")).hasSizeGreaterThanOrEqualTo(3);
        vectors.get("cases").forEach(HierarchyLawVectorsTest::checkRecovery);
    }

    /** The minimum bits for other strings and constants are at most those of our law, which is at most 3 larger. */
    @Each(file = "hierarchy-finite-precision", list = "recogniser_p_min_n_D_p", count = 24)
    void theLawHoldsTheLeastBitsOfTheVectors(JsonNode vector) {
        int law = DyckConstants.of(vector.get(0).intValue(), vector.get(1).intValue())
                .neededBits();
        assertThat(law - vector.get(2).intValue()).as("%s, law %d", vector, law).isBetween(0, 3);
    }
}

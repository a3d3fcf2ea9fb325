package org.lemmata.argument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

    @ParameterizedTest
    @CsvSource({"abc,abc,0", "abc,acb,1", "abc,ab,1", "abc,xabc,1", "abc,axc,1", "kitten,sitting,3", "'',abc,3"})
    void theDistanceOfWordsCountsEdits(String a, String b, int distance) {
        assertThat(Suggestion.distance(a, b)).isEqualTo(distance);
        assertThat(Suggestion.distance(b, a)).isEqualTo(distance);
    }

    @Test
    void theNearestWordIsMeantIfAThirdOfTheLettersDiffersAtMost() {
        List<String> known = List.of("model", "minDepth", "TiesToEven");
        assertThat(Suggestion.quoted("modle", known)).isEqualTo("'modle' (did you mean model?)");
        assertThat(Suggestion.quoted("min_depth", known)).isEqualTo("'min_depth' (did you mean minDepth?)");
        assertThat(Suggestion.quoted("tiestoeven", known)).isEqualTo("'tiestoeven' (did you mean TiesToEven?)");
        assertThat(Suggestion.quoted("mess", known)).isEqualTo("'mess'");
        assertThat(Suggestion.quoted("", known)).isEqualTo("''");
        assertThat(Suggestion.quoted("e4m3", List.of("e2m3", "ocp_e4m3"))).isEqualTo("'e4m3' (did you mean ocp_e4m3?)");
        assertThat(Suggestion.quoted("a", List.of("x.a", "a"))).isEqualTo("'a' (did you mean x.a?)");
        assertThat(Suggestion.of("m".repeat(1 << 24), known)).isEmpty();
    }
}

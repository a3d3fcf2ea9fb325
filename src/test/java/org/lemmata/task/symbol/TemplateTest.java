package org.lemmata.task.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import it.unimi.dsi.fastutil.ints.Int2IntMaps;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TemplateTest {

    private static final long SEED = 20;

    /** Lower case is a wildcard, upper case a regular token, as the vectors have it. */
    private static Template template(String letters) {
        return new Template(letters.chars()
                .map(letter -> letter >= 'a' ? -1 - (letter - 'a') : letter - 'A')
                .toArray());
    }

    private static int[] string(String letters) {
        return letters.chars().map(letter -> letter - 'A').toArray();
    }

    @Test
    void matchingAndDisjointnessAreThoseOfTheVectors() throws IOException {
        JsonNode vectors;
        try (InputStream stream = TemplateTest.class.getResourceAsStream("/org/lemmata/vectors/symbol-matching.json")) {
            vectors = new ObjectMapper().readTree(stream);
        }
        assertThat(vectors.get("matching")).hasSizeGreaterThan(4);
        for (JsonNode one : vectors.get("matching")) {
            assertThat(template(one.get("template").asText())
                            .matches(string(one.get("string").asText())))
                    .as("%s", one)
                    .isEqualTo(one.get("matches").asBoolean());
        }
        for (JsonNode one : vectors.get("disjoint")) {
            Template first = template(one.get("z1").asText());
            Template second = template(one.get("z2").asText());
            boolean disjoint = one.get("disjoint").asBoolean();
            assertThat(first.isDisjointFrom(second)).as("%s", one).isEqualTo(disjoint);
            assertThat(second.isDisjointFrom(first)).as("%s", one).isEqualTo(disjoint);
        }
    }

    /** Definition 3.1 word by word, by a map from symbols to tokens. */
    private static boolean matchesByDefinition(int[] symbols, int[] string) {
        Map<Integer, Integer> substitution = new HashMap<>();
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] >= 0
                    ? string[i] != symbols[i]
                    : substitution.getOrDefault(symbols[i], string[i]) != string[i]) {
                return false;
            }
            if (symbols[i] < 0) {
                substitution.put(symbols[i], string[i]);
            }
        }
        return substitution.values().stream().distinct().count() == substitution.size()
                && Arrays.stream(symbols).noneMatch(symbol -> symbol >= 0 && substitution.containsValue(symbol));
    }

    /** Two templates of length 3 with two regular tokens have a common string if they have one over five tokens. */
    @Test
    void matchingAndDisjointnessAreThoseOfAllStrings() {
        var random = new Random(SEED);
        int disjoint = 0;
        for (int draw = 0; draw < 400; draw++) {
            int[] first = random.ints(3, -3, 2).toArray();
            int[] second = random.ints(3, -3, 2).toArray();
            boolean common = false;
            for (int code = 0; code < 125; code++) {
                int[] string = {code % 5, code / 5 % 5, code / 25};
                boolean matches = matchesByDefinition(first, string);
                assertThat(new Template(first).matches(string))
                        .as("seed %d: %s, %s", SEED, Arrays.toString(first), Arrays.toString(string))
                        .isEqualTo(matches);
                common |= matches && matchesByDefinition(second, string);
            }
            assertThat(new Template(first).isDisjointFrom(new Template(second)))
                    .as("seed %d: %s, %s", SEED, Arrays.toString(first), Arrays.toString(second))
                    .isEqualTo(!common);
            disjoint += common ? 0 : 1;
        }
        assertThat(disjoint).isBetween(40, 360);
    }

    @Test
    void substitutionIsInjectiveAndNewToTheTemplate() {
        Template template = template("abAa");
        var map = new Int2IntOpenHashMap(new int[] {-1, -2}, new int[] {7, 8});
        assertThat(template.wildcards()).isEqualTo(2);
        assertThat(template.substitute(map)).containsExactly(7, 8, 0, 7);
        assertThat(template.matches(7, 8, 0, 7)).isTrue();
        map.put(-2, 7);
        assertThatThrownBy(() -> template.substitute(map)).isInstanceOf(IllegalArgumentException.class);
        map.put(-2, 0);
        assertThatThrownBy(() -> template.substitute(map)).hasMessageContaining("none of them in the template");
        assertThatThrownBy(() -> template.substitute(Int2IntMaps.singleton(-1, 7)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package org.lemmata.task.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TemplateTest {

    /** Lower-case letters are wildcards, upper-case letters regular tokens, as in the vectors. */
    private static Template template(String letters) {
        return new Template(letters.chars()
                .map(letter -> letter >= 'a' ? -1 - (letter - 'a') : letter - 'A')
                .toArray());
    }

    private static int[] string(String letters) {
        return letters.chars().map(letter -> letter - 'A').toArray();
    }

    /** A literal implementation of definition 3.1, by a map from symbols to tokens. */
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

    /**
     * All templates of length 3 over two regular tokens and three wildcards, tested with all strings over five tokens.
     */
    @Test
    void matchingAndDisjointnessAreThoseOfAllStrings() {
        List<int[]> symbols = triples(-3);
        List<int[]> strings = triples(0);
        List<BitSet> matching = new ArrayList<>();
        for (int[] template : symbols) {
            var matches = new BitSet();
            for (int i = 0; i < strings.size(); i++) {
                matches.set(i, matchesByDefinition(template, strings.get(i)));
                assertThat(new Template(template).matches(strings.get(i)))
                        .as("%s, %s", Arrays.toString(template), Arrays.toString(strings.get(i)))
                        .isEqualTo(matches.get(i));
            }
            matching.add(matches);
        }
        int disjoint = 0;
        for (int i = 0; i < symbols.size(); i++) {
            for (int j = 0; j < symbols.size(); j++) {
                boolean common = matching.get(i).intersects(matching.get(j));
                assertThat(new Template(symbols.get(i)).isDisjointFrom(new Template(symbols.get(j))))
                        .as("%s, %s", Arrays.toString(symbols.get(i)), Arrays.toString(symbols.get(j)))
                        .isEqualTo(!common);
                disjoint += common ? 0 : 1;
            }
        }
        assertThat(disjoint).isBetween(1_000, 14_000);
    }

    /** All triples of the five numbers from {@code least} on. */
    private static List<int[]> triples(int least) {
        return IntStream.range(0, 125)
                .mapToObj(code -> new int[] {least + code % 5, least + code / 5 % 5, least + code / 25})
                .toList();
    }

    @Test
    void templatesOfOtherLengthsAreDisjoint() {
        assertThat(template("ab").isDisjointFrom(template("aba"))).isTrue();
        assertThat(template("ab").matches(string("XYZ"))).isFalse();
    }
}

package org.lemmata.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers that a setting accepts, the text of such a set, and the parsing of settings. */
class NumberSetTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1..128               | integers from 1 to 128                | 1 128      | 0 129 1.5
        -2..2                | integers from -2 to 2                 | -2 0       | -3 3
        (0, 1]               | numbers within (0, 1]                 | 1 0.5      | 0 1.01
        [1/8, 5)             | numbers within [1/8, 5)               | 0.125 4.9  | 5 0.12
        (-inf, inf) but 0    | numbers other than 0                  | -1e300 0.1 | 0
        (-1, 1) but 0        | numbers within (-1, 1) other than 0   | -0.5 0.5   | 0 1 -1
        2, 4, 8              | 2, 4, 8                               | 2 8        | 3 16
        -1/2                 | -1/2                                  | -0.5       | 0.5
        """)
    void aSetContainsWhatItsTextSays(String set, String text, String inside, String outside) {
        NumberSet numbers = NumberSet.of(set);
        assertThat(numbers.text()).isEqualTo(text);
        assertThat(inside.split(" ", -1)).allMatch(x -> numbers.contains(Double.parseDouble(x)));
        assertThat(outside.split(" ", -1)).noneMatch(x -> numbers.contains(Double.parseDouble(x)));
    }

    private static Settings settings(Map<String, String> given) {
        return new Settings(Setting.numbers("""
            N | 1..16 | 2,3 | half
            gamma | (-inf, inf) but 0; stated -1/2 | -1/2 | pull
            v | (-inf, inf) | | weight; by
              default the smallest
            """), given);
    }

    @Test
    void fractionsAndRangesAreNumbers() {
        Settings settings = settings(Map.of("N", "1, 4..8 by 2", "gamma", "-1/4,0.5"));
        assertThat(settings.integers("N")).containsExactly(1, 4, 6, 8);
        assertThat(settings.numbers("gamma")).containsExactly(-0.25, 0.5);
        assertThat(settings.each("N", "gamma"))
                .extracting(one -> one.integer("N") + ":" + one.number("gamma"))
                .startsWith("1:-0.25", "1:0.5", "4:-0.25")
                .hasSize(8);
        assertThat(settings.fill("N in {N}, gamma = {gamma}{v}")).isEqualTo("N in 1, 4..8 by 2, gamma = -1/4,0.5");
        assertThat(settings.unstated()).isEqualTo("gamma = -1/4,0.5, stated for -1/2");
        assertThat(settings(Map.of()).unstated()).isEmpty();
        assertThat(settings(Map.of()).given("N")).isEmpty();
        assertThat(settings(Map.of()).hasAny("N", "v")).isFalse();
        assertThat(settings(Map.of("v", "2")).hasAny("N", "v")).isTrue();
        assertThat(NumberSet.shown(-66)).isEqualTo("-66");
        assertThat(NumberSet.shown(2.5e10 + 0.5)).isEqualTo("25000000000.5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        N     | 0     | N: expected integers from 1 to 16, got '0'
        N     | 1..17 | N: expected integers from 1 to 16, got '1..17'
        N     | 4..1  | N: expected a step that leads to the end, got '4..1'
        N     | x     | N: expected integers from 1 to 16, got 'x'
        gamma | 1/0   | gamma: expected numbers other than 0, got '1/0'
        gamma | 0     | gamma: expected numbers other than 0, got '0'
        gamma | 1d    | gamma: expected numbers other than 0, got '1d'
        gamma | 1/2f  | gamma: expected numbers other than 0, got '1/2f'
        M     | 1     | M: expected one of the settings N, gamma, v, got 'M'
        """)
    void whatIsNotLegalIsRefusedBeforeItIsRead(String name, String value, String message) {
        assertRefused(() -> settings(Map.of(name, value)), message);
    }
}

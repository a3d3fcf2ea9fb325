package org.lemmata.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.oracle.Refusals;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

class SettingsTest {

    private static final List<Setting> KNOWN =
            List.of(new Setting("n", "7", "a number"), new Setting("x", "", "given or derived"));

    private static Settings given(String name, String value) {
        return new Settings(KNOWN, Map.of(name, value));
    }

    private static void assertRefused(Settings settings, Function<Settings, ?> read, String message) {
        Refusals.assertRefused(() -> read.apply(settings), message);
    }

    @Test
    void whatIsGivenComesBeforeTheFallback() {
        assertThat(new Settings(KNOWN, Map.of()).requiredInteger("n", 1, 9)).isEqualTo(7);
        assertThat(given("n", "9").integer("n", 1, 9)).contains(9);
        assertThat(given("n", "-9").seed("n")).isEqualTo(-9);
        assertThat(given("x", "1e-3").real("x")).contains(0.001);
        assertThat(given("x", "-0.5").requiredReal("x")).isEqualTo(-0.5);
        assertThat(given("x", "true").flag("x")).isTrue();
        assertThat(given("x", "false").flag("x")).isFalse();
        assertThat(given("n", "1").real("x")).isEmpty();
        assertThat(given("x", "").text("x")).isEmpty();
    }

    @Test
    void everyRefusalNamesTheSettingAndBothSides() {
        Refusals.assertRefused(() -> given("y", "1"), "y: expected one of the settings n, x, got 'y'");
        assertRefused(given("n", "10"), s -> s.integer("n", 1, 9), "n: expected an integer from 1 to 9, got '10'");
        assertRefused(given("n", "0"), s -> s.integer("n", 1, 9), "n: expected an integer from 1 to 9, got '0'");
        assertRefused(given("n", "1.0"), s -> s.integer("n", 1, 9), "n: expected an integer from 1 to 9, got '1.0'");
        assertRefused(
                given("n", "1"), s -> s.requiredInteger("x", 1, 9), "x: expected an integer from 1 to 9, got nothing");
        assertRefused(given("n", "1"), s -> s.requiredReal("x"), "x: expected a finite number, got nothing");
        assertRefused(given("x", "Infinity"), s -> s.real("x"), "x: expected a finite number, got 'Infinity'");
        assertRefused(
                given("x", "1e-400"),
                s -> s.real("x"),
                "x: expected a finite number that binary64 does not round to 0, got '1e-400'");
        assertRefused(
                given("n", "99999999999"),
                s -> s.integer("n", 1, Integer.MAX_VALUE),
                "n: expected an integer from 1 to 2147483647, got '99999999999'");
        assertRefused(given("x", "TRUE"), s -> s.flag("x"), "x: expected true or false, got 'TRUE'");
        assertRefused(given("x", "0x1"), s -> s.seed("x"), "x: expected an integer of 64 bits, got '0x1'");
        assertRefused(given("n", "1"), s -> s.required("x", "a word"), "x: expected a word, got nothing");
    }

    /** Without its own value, m is not recorded for cells, so that their ids do not change; a manifest has it. */
    @Test
    void aSettingMayHaveTheValueOfAnother() {
        var settings = List.of(
                new Setting("n", "3", "a number"),
                Setting.sameAs("m", "n", "n by default"),
                new Setting("o", "", "nothing by default"));
        var entry = new Catalogue.Entry<>(
                "one",
                "the only one",
                new Source(Paper.DEPTH, "section 1"),
                settings,
                s -> s.requiredInteger("m", 1, 9));
        assertThat(entry.create(Map.of())).isEqualTo(3);
        assertThat(entry.create(Map.of("n", "5", "m", ""))).isEqualTo(5);
        assertThat(entry.create(Map.of("n", "5", "m", "4"))).isEqualTo(4);
        assertThat(entry.effective(Map.of("n", "5"))).isEqualTo(Map.of("n", "5"));
        assertThat(entry.resolved(Map.of("n", "5"))).isEqualTo(Map.of("n", "5", "m", "5"));
        assertThat(entry.resolved(Map.of("m", "4"))).isEqualTo(Map.of("n", "3", "m", "4"));
    }

    @Test
    void cataloguesMakeThingsByName() {
        var catalogue = new Catalogue<>(
                "thing",
                List.of(new Catalogue.Entry<>(
                        "one",
                        "the only one",
                        new Source(Paper.DEPTH, "section 1"),
                        KNOWN,
                        s -> s.requiredInteger("n", 1, 9))),
                Map.of());
        assertThat(catalogue.entry("one").create(Map.of("n", "3"))).isEqualTo(3);
        Refusals.assertRefused(() -> catalogue.entry("two"), "thing: expected one of one, got 'two'");
    }

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
        Refusals.assertRefused(() -> settings(Map.of(name, value)), message);
    }
}

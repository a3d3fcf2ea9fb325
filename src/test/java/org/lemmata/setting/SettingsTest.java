package org.lemmata.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
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
}

package org.lemmata.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {

    /** An underscore stands for U+202F, the narrow space between thousands, and a hyphen for the minus sign. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1, 1",
        "1024, 1024",
        "72147, 72_147",
        "999999999, 999_999_999",
        "1e9, 1 × 10⁹",
        "-72147, -72_147",
        "0.5, 0.5",
        "7.3418261, 7.342",
        "123456.7, 123_500",
        "1234567.8, 1.235 × 10⁶",
        "0.00123456, 0.001235",
        "0.000123456, 1.235 × 10⁻⁴",
        "6.0e-9, 6 × 10⁻⁹",
        "-3.4e-10, -3.4 × 10⁻¹⁰",
        "0.99996, 1",
        "999999.9, 1 × 10⁶",
        "4.9e-324, 4.941 × 10⁻³²⁴",
        "1.7976931348623157e308, 1.798 × 10³⁰⁸",
        "NaN, NaN",
        "Infinity, ∞",
        "-Infinity, -∞",
    })
    void hasFourSignificantDigits(double value, String text) {
        assertThat(NumberText.of(value)).isEqualTo(typographic(text));
    }

    @ParameterizedTest
    @CsvSource({
        "961.3456, 530.78, 961.3 ± 530.8",
        "7794.58, 6578, 7795 ± 6578",
        "110229.4, 75700, 110_200 ± 75_700",
        "0.012345, 0.00012, 0.01235 ± 0.00012",
        "12.5, NaN, 12.5",
        "12.5, 0, 12.5",
        "NaN, 1, NaN",
        "6147300, 1234, (6.1473 ± 0.0012) × 10⁶",
        "0, 0.25, 0.00 ± 0.25",
    })
    void anErrorDecidesHowManyDigitsAreShown(double score, double error, String text) {
        assertThat(NumberText.withError(score, error)).isEqualTo(typographic(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0.00089, 0.89 ms",
        "0.0314, 31 ms",
        "0.25, 0.25 s",
        "97.3, 97 s",
        "312.4, 5 min 12 s",
        "5412, 1 h 30 min",
        "NaN, NaN s"
    })
    void secondsBecomeMinutesAndHours(double seconds, String text) {
        assertThat(NumberText.seconds(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1.0341, 1.03", "15.747, 15.7", "NaN, NaN", "1234.5, 1230"})
    void aRatioHasThreeDigits(double value, String text) {
        assertThat(NumberText.ratio(value)).isEqualTo(text);
    }

    private static String typographic(String text) {
        return text.replace('_', '\u202f').replace('-', '\u2212');
    }
}

package org.lemmata.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats of the Open Compute Project: every code, and the values stated in their specifications. */
class OcpCodesTest {

    private static List<String[]> rows(String format) {
        try (var in = Objects.requireNonNull(OcpCodesTest.class.getResourceAsStream("/number/ocp-codes.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .filter(row -> row[0].equals(format))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"ocp_e4m3, 256", "ocp_e5m2, 256", "e3m2, 64", "e2m3, 64", "e2m1, 16"})
    void everyCodeStandsForItsNumber(String name, int codes) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        List<String[]> rows = rows(name);
        assertThat(rows).hasSize(codes);
        assertThat(1 << format.codeBits()).isEqualTo(codes);
        for (String[] row : rows) {
            long code = Long.parseLong(row[1]);
            double value = Double.parseDouble(row[2]);
            assertThat(Codes.decode(format, code)).as("%s, code %d", name, code).isEqualTo(Double.valueOf(value));
            if (!Double.isNaN(value)) {
                assertThat(format.encode(value)).as("%s, code %d", name, code).isEqualTo(code);
                assertThat(format.round(value, Rounding.Mode.TO_ODD, true, false))
                        .isEqualTo(Double.valueOf(value));
            } else {
                assertThat(Codes.decode(format, format.encode(value))).isNaN();
            }
        }
    }

    /** OFP8 1.0, tables 1 and 2; MX 1.0, section 5.3. */
    @ParameterizedTest
    @CsvSource({
        "ocp_e4m3, 8, -6, 448, 0x1p-9",
        "ocp_e5m2, 15, -14, 57344, 0x1p-16",
        "e3m2, 4, -2, 28, 0x1p-4",
        "e2m3, 2, 0, 7.5, 0x1p-3",
        "e2m1, 2, 0, 6, 0x1p-1"
    })
    void extremesAreThoseOfTheSpecification(String name, int emax, int emin, double maximum, double minimum) {
        FloatFormat format = (FloatFormat) NumberFormat.find(name).orElseThrow();
        assertThat(format.maxExponent()).isEqualTo(emax);
        assertThat(format.minExponent()).isEqualTo(emin);
        assertThat(format.maxFinite()).isEqualTo(maximum);
        assertThat(Codes.decode(format, 1)).isEqualTo(minimum);
        assertThat(format.ulp(0)).isEqualTo(minimum);
        assertThat(Math.getExponent(maximum)).isEqualTo(emax);
    }

    /** Libraries differ for overflow: 464 is the midpoint of 448 and 480, but the code of 480 is NaN. */
    @ParameterizedTest
    @CsvSource({
        "ocp_e4m3, 463.9, TIES_TO_EVEN, 448, 448",
        "ocp_e4m3, 464, TIES_TO_EVEN, 448, 448",
        "ocp_e4m3, 464.1, TIES_TO_EVEN, NaN, 448",
        "ocp_e4m3, -464.1, TIES_TO_EVEN, NaN, -448",
        "ocp_e4m3, 464, TIES_TO_AWAY, NaN, 448",
        "ocp_e4m3, 480, TIES_TO_EVEN, NaN, 448",
        "ocp_e4m3, 1e9, TOWARD_ZERO, 448, 448",
        "ocp_e4m3, 448.1, TOWARD_POSITIVE, NaN, 448",
        "ocp_e4m3, 1e9, TOWARD_NEGATIVE, 448, 448",
        "ocp_e4m3, -448.1, TOWARD_NEGATIVE, NaN, -448",
        "ocp_e4m3, 448.1, TO_ODD, 448, 448",
        "ocp_e4m3, Infinity, TIES_TO_EVEN, NaN, 448",
        "ocp_e4m3, -Infinity, TOWARD_ZERO, NaN, -448",
        "ocp_e4m3, NaN, TIES_TO_EVEN, NaN, NaN",
        "ocp_e4m3, 0x1p-10, TIES_TO_EVEN, 0, 0",
        "ocp_e4m3, 0x1.8p-10, TIES_TO_EVEN, 0x1p-9, 0x1p-9",
        "ocp_e5m2, 61439, TIES_TO_EVEN, 57344, 57344",
        "ocp_e5m2, 61440, TIES_TO_EVEN, Infinity, 57344",
        "ocp_e5m2, -Infinity, TIES_TO_EVEN, -Infinity, -57344",
        "e3m2, 1e9, TIES_TO_EVEN, 28, 28",
        "e2m3, -Infinity, TIES_TO_EVEN, -7.5, -7.5",
        "e2m1, 100, TOWARD_POSITIVE, 6, 6",
        "e2m1, 5, TIES_TO_EVEN, 4, 4",
        "e2m1, 5, TIES_TO_AWAY, 6, 6",
        "e2m1, NaN, TIES_TO_EVEN, NaN, NaN"
    })
    void overflowAndSpecialsAreAsDocumented(String name, double x, Rounding.Mode mode, double plain, double saturated) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        assertThat(format.round(x, mode, true, false)).isEqualTo(Double.valueOf(plain));
        assertThat(format.round(x, mode, true, true)).isEqualTo(Double.valueOf(saturated));
    }

    @ParameterizedTest
    @CsvSource({"e3m2", "e2m3", "e2m1"})
    void formatsWithoutNaNHaveNoCodeForIt(String name) {
        assertRefused(
                () -> NumberFormat.find(name).orElseThrow().encode(Double.NaN),
                "x: expected a number of " + name + ", got NaN");
    }

    @Test
    void infinitiesHaveNoCodeInE4M3() {
        assertRefused(
                () -> FloatFormat.OCP_E4M3.encode(Double.POSITIVE_INFINITY),
                "x: expected a number of ocp_e4m3, got Infinity");
        assertThat(FloatFormat.OCP_E5M2.encode(Double.NEGATIVE_INFINITY)).isEqualTo(0xFC);
        assertThat(FloatFormat.OCP_E4M3.encode(Double.NaN)).isEqualTo(0x7F);
    }
}

package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpeciesTest {

    @Test
    void obeysTheProperty() {
        String bits = System.getProperty(Species.PROPERTY);
        int preferred = Math.clamp(FloatVector.SPECIES_PREFERRED.vectorBitSize(), 128, 512);
        int expected = bits == null ? preferred : Integer.parseInt(bits);
        assertThat(Species.FLOAT.vectorBitSize()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 512})
    void knowsThreeWidths(int bits) {
        assertThat(Species.ofBits(String.valueOf(bits)).vectorBitSize()).isEqualTo(bits);
    }

    /** Includes narrower and wider machines, and widths that are not powers of two, as of scalable vectors. */
    @ParameterizedTest
    @CsvSource({"64, 128", "128, 128", "192, 128", "256, 256", "384, 256", "512, 512", "1024, 512", "2048, 512"})
    void takesTheNearestWidthThatKernelsAreWrittenFor(int preferred, int expected) {
        assertThat(Species.supported(preferred).vectorBitSize()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "64", "1024", "wide", " 128"})
    void refusesOtherWidths(String bits) {
        assertRefused(() -> Species.ofBits(bits), "lemmata.simd.bits: expected 128, 256 or 512, got '" + bits + "'");
    }
}

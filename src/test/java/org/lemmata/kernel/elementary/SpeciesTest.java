package org.lemmata.kernel.elementary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpeciesTest {

    @Test
    void obeysTheProperty() {
        String bits = System.getProperty(Species.PROPERTY);
        int expected = bits == null ? FloatVector.SPECIES_PREFERRED.vectorBitSize() : Integer.parseInt(bits);
        assertThat(Species.FLOAT.vectorBitSize()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 512})
    void knowsThreeWidths(int bits) {
        assertThat(Species.ofBits(String.valueOf(bits)).vectorBitSize()).isEqualTo(bits);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "64", "1024", "wide", " 128"})
    void refusesOtherWidths(String bits) {
        assertThatThrownBy(() -> Species.ofBits(bits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lemmata.simd.bits: expected 128, 256 or 512, got '" + bits + "'");
    }
}

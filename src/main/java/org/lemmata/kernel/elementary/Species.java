package org.lemmata.kernel.elementary;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * The vector species of all kernels: the one that the machine prefers, between 128 and 512 bits, or the species of the
 * width set by {@value #PROPERTY}.
 *
 * <p>Widths that the machine does not support work, but slowly. Kernels copy {@link #FLOAT} into their own
 * {@code static final} field, so that the just-in-time compiler sees a constant.
 */
public final class Species {

    /** The system property that sets the width in bits: 128, 256 or 512. */
    public static final String PROPERTY = "lemmata.simd.bits";

    public static final VectorSpecies<Float> FLOAT = ofBits(System.getProperty(PROPERTY));

    /**
     * The number of vector registers: 32 with AVX-512 (at every width) and on AArch64, otherwise 16. If a setting other
     * than {@value #PROPERTY} limits a JVM with AVX-512 to 256 bits, that JVM counts as one without AVX-512.
     */
    public static final int REGISTERS = FloatVector.SPECIES_PREFERRED.vectorBitSize() >= 512 || isAarch64() ? 32 : 16;

    private Species() {}

    private static boolean isAarch64() {
        return System.getProperty("os.arch", "").equals("aarch64");
    }

    /** The vector width, and what is unusual: 32 registers of fewer than 512 bits, or no registers of this width. */
    public static String description() {
        int bits = FLOAT.vectorBitSize();
        return bits + "-bit species (" + FLOAT.length() + " lanes)"
                + (REGISTERS == 32 && bits < 512 ? ", 32 registers" : "")
                + (bits > FloatVector.SPECIES_PREFERRED.vectorBitSize()
                        ? ", which this JVM has no registers for: right, and very slow"
                        : "");
    }

    /** The widest supported species (4, 8 or 16 lanes) of at most {@code bits} bits, but at least 128 bits. */
    static VectorSpecies<Float> supported(int bits) {
        if (bits < 256) {
            return FloatVector.SPECIES_128;
        }
        return bits < 512 ? FloatVector.SPECIES_256 : FloatVector.SPECIES_512;
    }

    /**
     * The species of a width in bits; for null, the {@link #supported} species for the preferred width.
     *
     * @throws IllegalArgumentException if {@code bits} is not 128, 256 or 512
     */
    static VectorSpecies<Float> ofBits(@Nullable String bits) {
        return switch (bits) {
            case null -> supported(FloatVector.SPECIES_PREFERRED.vectorBitSize());
            case "128" -> FloatVector.SPECIES_128;
            case "256" -> FloatVector.SPECIES_256;
            case "512" -> FloatVector.SPECIES_512;
            default ->
                throw new IllegalArgumentException(PROPERTY + ": expected 128, 256 or 512, got " + Refuse.quoted(bits));
        };
    }
}

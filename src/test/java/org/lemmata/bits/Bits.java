package org.lemmata.bits;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash of the bits of numbers: the first 64 bits of their SHA-256.
 *
 * <p>All NaN have one hash, because the bits of a NaN depend on the code that the JIT compiler generates.
 */
final class Bits {

    private static final int DIGITS = 16;

    private final MessageDigest digest;
    private boolean empty = true;

    Bits() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }

    Bits add(float... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * numbers.length);
        for (float number : numbers) {
            bytes.putInt(Float.floatToIntBits(number));
        }
        return add(bytes.array());
    }

    Bits add(double... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * numbers.length);
        for (double number : numbers) {
            bytes.putLong(Double.doubleToLongBits(number));
        }
        return add(bytes.array());
    }

    Bits add(int... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * numbers.length);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return add(bytes.array());
    }

    Bits add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Bits add(byte[] bytes) {
        empty &= bytes.length == 0;
        digest.update(bytes);
        return this;
    }

    /** The hash of the added numbers. Without numbers it throws, because the hash would never change. */
    String hash() {
        if (empty) {
            throw new IllegalStateException("expected numbers, got none");
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    }
}

package org.lemmata.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. */
public final class Sha256 {

    private Sha256() {}

    /** A digest without data. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The first hexadecimal digits, at most 64, of a digest's data. */
    public static String hex(MessageDigest digest, int digits) {
        return HexFormat.of().formatHex(digest.digest()).substring(0, digits);
    }

    /** The first hexadecimal digits, at most 64, of a text in UTF-8. */
    public static String hex(String text, int digits) {
        MessageDigest digest = digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return hex(digest, digits);
    }
}

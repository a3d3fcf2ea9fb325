package org.lemmata.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. */
public final class Sha256 {

    private Sha256() {}

    /** An empty digest. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The first {@code digits} hexadecimal digits of a digest; at most 64. */
    public static String hex(MessageDigest digest, int digits) {
        return HexFormat.of().formatHex(digest.digest()).substring(0, digits);
    }

    /** The first {@code digits} hexadecimal digits of the digest of a text in UTF-8; at most 64. */
    public static String hex(String text, int digits) {
        MessageDigest digest = digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return hex(digest, digits);
    }
}

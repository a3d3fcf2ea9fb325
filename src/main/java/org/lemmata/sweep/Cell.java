package org.lemmata.sweep;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * One run of a grid. It is what it says: two cells with the same settings are the same cell, whatever sweep they are
 * of.
 *
 * @param id 16 hexadecimal digits of the SHA-256 over trial and settings
 * @param trial the name of its {@link Trial}
 * @param yaml its settings as a configuration, defaults included but those that are implied
 * @param settings the same, by dotted path
 * @param axes the values that tell it apart from the other cells of its sweep, by dotted path
 * @param seed what everything random in it follows from
 * @param cost what it takes, in its trial's unit
 */
public record Cell(
        String id,
        String trial,
        String yaml,
        LinkedHashMap<String, String> settings,
        LinkedHashMap<String, String> axes,
        long seed,
        double cost)
        implements Serializable {

    private static final int DIGITS = 16;

    /** A cell, with the id that follows from its content. */
    static Cell of(
            String trial,
            String yaml,
            SequencedMap<String, String> settings,
            SequencedMap<String, String> axes,
            long seed,
            double cost) {
        return new Cell(
                id(trial, settings), trial, yaml, new LinkedHashMap<>(settings), new LinkedHashMap<>(axes), seed, cost);
    }

    /** The order of the keys does not matter, their texts do. */
    private static String id(String trial, Map<String, String> settings) {
        var content = new StringBuilder(trial).append('\n');
        settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> content.append(entry.getKey())
                        .append('=')
                        .append(entry.getValue().replace("\\", "\\\\").replace("\n", "\\n"))
                        .append('\n'));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(content.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}

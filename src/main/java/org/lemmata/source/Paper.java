package org.lemmata.source;

import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * A paper whose statements are tested. {@link #ALL} lists Lemmata's five papers; claims of plugins have papers of their
 * own.
 *
 * @param key the first word of its claims' ids, and the name of its evidence directory: letters, digits and hyphens
 */
public record Paper(String key, String authors, int year, String title) {

    public static final Paper DEPTH =
            new Paper("depth", "Richard", 2024, "Depth Extrapolation of Decoders Trained on Nested Structures");

    public static final Paper SYMBOL =
            new Paper("symbol", "Boix-Adsera et al.", 2024, "When can transformers reason with abstract symbols?");

    public static final Paper HIERARCHY = new Paper(
            "hierarchy",
            "Hayakawa and Sato",
            2024,
            "Theoretical Analysis of Hierarchical Language Recognition and Generation by Transformers"
                    + " without Positional Encoding");

    public static final Paper LENGTH = new Paper(
            "length", "Izzo, Nichani and Lee", 2025, "Quantitative Bounds for Length Generalization in Transformers");

    public static final Paper PARITY = new Paper(
            "parity", "Kim and Suzuki", 2024, "Transformers Provably Solve Parity Efficiently with Chain of Thought");

    /** Lemmata's papers, in display order. */
    public static final List<Paper> ALL = List.of(DEPTH, SYMBOL, HIERARCHY, LENGTH, PARITY);

    public Paper {
        Refuse.when(!key.matches("[A-Za-z0-9-]+"), "key", "letters, digits and hyphens", Refuse.quoted(key));
    }

    /**
     * The paper whose key is the part of {@code id} before its first dot.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Paper of(String id) {
        return ALL.stream()
                .filter(paper -> paper.key.equals(id.split("[.]", 2)[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "id: expected the key of a paper at its beginning, got " + Refuse.quoted(id)));
    }
}

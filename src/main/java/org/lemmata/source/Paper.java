package org.lemmata.source;

import java.util.List;
import org.lemmata.argument.Refuse;

/**
 * A paper whose statements are tested. {@link #ALL} lists Lemmata's five papers; claims of plugins have papers of their
 * own.
 *
 * @param key the first word of its claims' ids, and the name of its evidence directory: letters, digits and hyphens
 * @param notation the symbols that many of its statements use, in one line; "" if there is none
 */
public record Paper(String key, String authors, int year, String title, String notation) {

    public static final Paper DEPTH =
            new Paper("depth", "Richard", 2024, "Depth Extrapolation of Decoders Trained on Nested Structures", """
                t: tokens. n: length of a sequence. d: width. The value matrix is v I. Position i (from 2 on) has \
                the vector -E(s_i) + gamma (E(s_{i+1}) - E(s_i)) (Eq. 4) for the training sequence s. D_2N: balanced \
                words of 2N brackets. q: depth.\
                """);

    public static final Paper SYMBOL =
            new Paper("symbol", "Boix-Adsera et al.", 2024, "When can transformers reason with abstract symbols?", """
                n: samples. rho: diversity of the samples. a I and b I: multiples of the identity, added to W_K \
                W_Q^T and W_V W_O of every head. Multiplier: a fixed factor of both. Earlier model: ours, without \
                [CLS] (docs/errata.md).\
                """);

    public static final Paper HIERARCHY = new Paper(
            "hierarchy",
            "Hayakawa and Sato",
            2024,
            "Theoretical Analysis of Hierarchical Language Recognition and Generation by Transformers"
                    + " without Positional Encoding",
            """
            k: types of brackets. n: brackets. D: greatest depth. n_max: maximum training length. The process opens \
            a bracket with probability r at depth 0 and q above it, of type t with probability pi_t.\
            """);

    public static final Paper LENGTH = new Paper(
            "length",
            "Izzo, Nichani and Lee",
            2025,
            "Quantitative Bounds for Length Generalization in Transformers",
            """
            p bits: softmax weights of at most 2^-p times the largest become 0. Delta: period of positions. phi: \
            score biases, 0 beyond distance tau. gamma: margin between logits. L_f = |u| (1 + |A|_F |B|_F) max |v|.\
            """);

    public static final Paper PARITY = new Paper(
            "parity",
            "Kim and Suzuki",
            2024,
            "Transformers Provably Solve Parity Efficiently with Chain of Thought",
            """
            d: bits of an input. k: bits of the parity. n: samples. P: the set of parities of k bits. W: weights \
            w_{j,m}, from node j to node m of the chain. phi: link function. epsilon: error of the \
            gradient oracle (theorems 1 and 2), or the constant above 0 in n = d^(2 + epsilon).\
            """);

    /** Lemmata's papers, in display order. */
    public static final List<Paper> ALL = List.of(DEPTH, SYMBOL, HIERARCHY, LENGTH, PARITY);

    public Paper {
        Refuse.when(!key.matches("[A-Za-z0-9-]+"), "key", "letters, digits and hyphens", Refuse.quoted(key));
    }

    /** A paper without notation. */
    public Paper(String key, String authors, int year, String title) {
        this(key, authors, year, title, "");
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

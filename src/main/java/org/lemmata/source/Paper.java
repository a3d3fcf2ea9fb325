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
                t: tokens. n: length of a sequence. d: width. E(s_i): embedding of token s_i. For the training \
                sequence s, position 1 has the vector -E(s_1) + gamma E(s_2), and position i >= 2 has -E(s_i) + gamma \
                (E(s_{i+1}) - E(s_i)) (Eq. 4). D_2N: balanced words of 2N brackets. Head of theorem 4.1: one head of \
                width 1 with uniform attention, embeddings 1 for '(' and -1 for ')', and these positions for one \
                training word of D_2N. After r tokens it outputs X = v times the mean of embedding plus position over \
                these tokens; the logits of '(' and ')' are X and -X. In its closed form, gamma = -1/2 and -v > 2N² \
                (that is, v gamma > N²). q: depth. Figures 3 to 7 and table 1: decoders, trained on words of D_32. \
                Completion rate: the share of prefixes that a model completes to a balanced word.\
                """);

    public static final Paper SYMBOL =
            new Paper("symbol", "Boix-Adsera et al.", 2024, "When can transformers reason with abstract symbols?", """
                n: samples. rho: diversity of the samples, 1 / p, where p is the largest probability, over templates \
                and tokens, that a sample of the template has the token in place of a wildcard. Template: a string of \
                wildcards and regular tokens; a sample replaces the wildcards by distinct other tokens. f*: labels of \
                the templates. Unseen symbols: tokens that do not occur in training; test losses are on them. Template \
                matrix N: N_ij is the kernel of two strings of templates i and j that share no substituted tokens. \
                K_attn: the kernel of an infinitely wide random attention layer with inverse temperature beta and \
                position weight gamma (Eq. 3). K_trans: the kernel with an infinitely wide layer after it, with \
                activation cos(b1 t + b2). Copying transformer: one attention layer without feed-forward part, with \
                tied embeddings W_E and positions gamma P, that must output its only input token. a I and b I: \
                multiples of the identity, added to W_K W_Q^T and W_V W_O of every head; the plain transformer lacks \
                them, and figures 6 to 18 are about it. Multiplier: a fixed factor of both. Authors' model: the model \
                of the authors' code. Earlier model: ours, without [CLS] (docs/errata.md).\
                """);

    public static final Paper HIERARCHY = new Paper(
            "hierarchy",
            "Hayakawa and Sato",
            2024,
            "Theoretical Analysis of Hierarchical Language Recognition and Generation by Transformers"
                    + " without Positional Encoding",
            """
            k: number of types of brackets. n: number of brackets. D: greatest depth. n_max: maximum training length. \
            Dyck_k: balanced words. Shuffle-Dyck_k: words whose brackets of each type are balanced if the other types \
            are removed. A prefix can be completed to a word. The Dyck_k process opens a bracket with probability r at \
            depth 0 and q above it, of type t with probability pi_t. Otherwise, it ends the word (at depth 0) or \
            closes the last open bracket. Above depth 0, the Shuffle-Dyck_k process opens type t with weight q pi_t, \
            and closes an open type t with weight (1 - q) pibar_t. Norms are in feed-forward parts. Constructions read \
            <bos> before the brackets and have no positions, unless a statement says otherwise.\
            """);

    public static final Paper LENGTH = new Paper(
            "length",
            "Izzo, Nichani and Lee",
            2025,
            "Quantitative Bounds for Length Generalization in Transformers",
            """
            Limit transformer: one set of weights for every length; for N tokens, its attention logits are multiplied \
            by ln N. p bits: softmax weights of at most 2^-p times the largest become 0, and the others are divided by \
            their sum. Delta: period of positions. phi: score biases, which depend only on the distance and are 0 \
            beyond tau. gamma: margin between logits. u: unembedding. A, B: feed-forward maps. v: values of the \
            tokens. L_f = |u| (1 + |A|_F |B|_F) max |v| for a limit transformer f. SimpleTask and ModPTask: the \
            answers are the functions of length.simple-task and length.mod-p-task (with period p = Delta). Figures 1 \
            to 3: one-layer transformers, trained on sequences of up to N tokens.\
            """);

    public static final Paper PARITY = new Paper(
            "parity",
            "Kim and Suzuki",
            2024,
            "Transformers Provably Solve Parity Efficiently with Chain of Thought",
            """
            d: bits (1 or -1) of an input x. k = 2^v: bits of the parity. n: samples. P: the set of parities of k of \
            the d bits. Nodes: the d bits (level 0) and k - 1 partial parities. Each partial parity is the product of \
            its two children in a binary tree over the k bits. The answer y is level v, and y^ the output for it. The \
            transformer computes node m as x^_m = phi(sum_j softmax(w_m)_j x_j) from earlier nodes j: from their true \
            values with teacher forcing, and from its own outputs in the generated chain. phi: link function. c = \
            phi''(0) / 2. W: the columns w_m, with entries w_{j,m}. Augmented samples: n' more inputs, without labels. \
            Filter: sets the outputs of a level to 0 if some node of the level below is within epsilon_0 of -1 in all \
            augmented samples. Adversarial oracle: returns the mean gradient over all targets in P if the gradient is \
            within epsilon of it, and otherwise the gradient. epsilon: error of the gradient oracle (theorems 1 and \
            2), or the constant above 0 in n = d^(2 + epsilon).\
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

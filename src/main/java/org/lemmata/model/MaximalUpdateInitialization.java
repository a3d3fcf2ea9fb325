package org.lemmata.model;

import org.lemmata.argument.Refuse;

/**
 * muP: deviation(W) = 1 for the tables E and P, 1 / sqrt(fan-in) for the maps of layers, 1 / fan-in or 0 for U; the
 * learning rate of Adam is multiplied by 1 / fan-in for these maps and U, and by 1 for tables and vectors.
 *
 * <p>Then every entry of x is of order 1 and moves by that order in a step, however wide the model is, and a rate found
 * for a narrow model serves a wide one. It takes scores q k / headWidth, which {@link #scaled} sets. With a readout of
 * 0 it is also the law of the random features of Boix-Adsera et al. (2024), appendix H, where gamma is 1.
 *
 * <p>Source: Yang et al. (2022), Tensor programs V, table 3 and definition 4.1; the readout of 0 is their appendix D.2.
 * Izzo, Nichani and Lee (2025), appendix B, write 1 / width for all maps of layers, W_2 among them, and 1 for the
 * others.
 *
 * @param zeroReadout whether U begins at 0
 */
public record MaximalUpdateInitialization(boolean zeroReadout) implements Initialization {

    /** The architecture with the score scale that muP takes: 1 / headWidth. */
    public static Architecture scaled(Architecture architecture) {
        AttentionOptions attention = architecture.attention();
        return architecture.withAttention(
                attention.withScores(1f / attention.headWidth(), attention.logLength(), attention.scoreBiasSpan()));
    }

    @Override
    public double deviation(Architecture architecture, ParameterView view) {
        requireUntied(architecture);
        return switch (view.role()) {
            case TOKEN_EMBEDDING, POSITION_EMBEDDING -> 1;
            case UNEMBEDDING -> zeroReadout ? 0 : 1.0 / view.columns();
            default -> 1 / Math.sqrt(view.rows());
        };
    }

    @Override
    public double adamRateFactor(Architecture architecture, ParameterView view) {
        requireUntied(architecture);
        return switch (view.role()) {
            case QUERY, KEY, VALUE, OUTPUT, FIRST, SECOND -> 1.0 / view.rows();
            // U lies outputs x width.
            case UNEMBEDDING -> 1.0 / view.columns();
            default -> 1;
        };
    }

    /** E is of order 1 and U of order 1 / width, so that they cannot be one matrix. */
    private static void requireUntied(Architecture architecture) {
        Refuse.when(architecture.output().tied(), "tied", "an unembedding of its own for muP", "tied");
    }
}

package org.lemmata.construct.hierarchy;

import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;

/**
 * Queries and keys of the recognizer for a norm of their own: rows that complement others to a constant norm leave the
 * scores alone.
 *
 * <p>Keys of the counting layers are (s, 1 - s), where the paper's (s) has norm 0 but for the start; and 1 - cos theta
 * is two rows, one that the cosine makes and a constant one. Source: Hayakawa and Sato (2024), appendix P, with both.
 */
final class NormalizedScores {

    private static final int MATCHING_LAYER = 3;

    private final ExactParameters parameters;
    private final int headWidth;

    NormalizedScores(ExactParameters parameters, int headWidth) {
        this.parameters = parameters;
        this.headWidth = headWidth;
    }

    private LayerWriter layer(int layer) {
        return new LayerWriter(parameters, layer, DyckConstants.EXACT_BITS);
    }

    /** Makes the norms of queries and keys of a layer what they are to be. */
    private void norms(int layer, double ofQueries, double ofKeys) {
        for (int row = 0; row < headWidth; row++) {
            parameters.set(ParameterRole.QUERY_NORM_GAIN, layer, 0, row, ofQueries / Math.sqrt(headWidth));
            parameters.set(ParameterRole.KEY_NORM_GAIN, layer, 0, row, ofKeys / Math.sqrt(headWidth));
        }
    }

    /** The score ln A on the start, in the first three layers; the gain of keys has the factor. */
    NormalizedScores counting(double positionScale, double depthScale, int start, int one) {
        for (int layer = 0; layer < MATCHING_LAYER; layer++) {
            layer(layer).key(0, start, 1).key(1, start, -1).key(1, one, 1);
            norms(layer, 1, Math.log(layer == 0 ? positionScale : depthScale));
        }
        return this;
    }

    /** C2 (C1 T_depth + T_pos + C1 T_open), with 18 rows. */
    NormalizedScores matching(MatchingScores scores, int open) {
        LayerWriter layer = layer(MATCHING_LAYER);
        double c1 = scores.depthWeight();
        double c2 = scores.scoreWeight();
        int start = scores.keyStart();
        int one = scores.one();
        layer.query(0, scores.queryDepth(), c1).key(0, scores.keyDepth(), c2);
        layer.query(1, scores.queryDepth() + 1, c1).key(1, scores.keyDepth() + 1, c2);
        layer.query(2, scores.queryDepth(), -c1).key(2, start, c2);
        layer.query(3, one, c1).key(3, start, c2);
        layer.query(4, one, c1).key(4, open, c2);
        layer.query(5, one, c1).key(5, start, c2);
        layer.query(6, one, -c1).key(6, one, c2);
        layer.query(7, scores.queryPosition() + 1, -1).key(7, scores.keyPosition(), c2);
        layer.query(8, scores.queryPosition(), 1).key(8, scores.keyPosition() + 1, c2);
        layer.query(9, open, c1).key(9, start, c2);
        layer.query(10, start, -c1).key(10, start, c2);
        layer.query(11, one, c1).key(11, start, c2);
        layer.query(12, scores.queryDepth() + 1, c1);
        for (int row = 13; row < 18; row++) {
            layer.key(row, open, c2);
        }
        norms(MATCHING_LAYER, Math.sqrt(8 * c1 * c1 + 1), 3 * c2);
        return this;
    }

    /** Of layer 5's keys (-q, q_0 s) only the sign of q is left. */
    NormalizedScores collecting(double weight) {
        norms(MATCHING_LAYER + 1, weight * Math.sqrt(2), 1);
        return this;
    }
}

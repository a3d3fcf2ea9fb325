package org.lemmata.construct.hierarchy;

/**
 * The scores with which a bracket finds the last opening bracket of a depth: C2 (C1 T_depth + T_pos + C1 T_open).
 *
 * <p>T_depth = cos(theta(query) - theta(key)) + (1 - cos theta(query)) s + (o + s - 1) is 1 for the start and for
 * opening brackets of the depth, and less for all other tokens. T_pos = -sin(phi(query) - phi(key)) prefers the last of
 * these brackets. T_open = (o(query) + 1) s directs the attention of opening brackets to the start.
 *
 * <p>Source: Hayakawa and Sato (2024), Eqs. 99 to 112.
 *
 * @param depthWeight C1
 * @param scoreWeight C2
 * @param queryDepth the first of two columns: cosine and sine of the required depth
 * @param keyDepth the first of two columns: cosine and sine of the keys' depths
 * @param queryPosition the first of two columns: cosine and sine of the query's position
 * @param keyPosition the first of two columns: cosine and sine of the keys' positions
 * @param keyOpen the column of the keys' o: 1 for opening and -1 for closing brackets, otherwise 0
 * @param keyStart the column of the keys' s: 1 at the start, otherwise 0
 * @param one the column of ones
 */
record MatchingScores(
        double depthWeight,
        double scoreWeight,
        int queryDepth,
        int keyDepth,
        int queryPosition,
        int keyPosition,
        int keyOpen,
        int keyStart,
        int one) {

    static final int ROWS = 7;

    /** Writes T_pos, and T_depth without its terms for the start. */
    LayerWriter write(LayerWriter layer) {
        layer.query(0, queryDepth, depthWeight).key(0, keyDepth, scoreWeight);
        layer.query(1, queryDepth + 1, depthWeight).key(1, keyDepth + 1, scoreWeight);
        layer.query(3, one, depthWeight).key(3, keyOpen, scoreWeight).key(3, one, -scoreWeight);
        layer.query(4, queryPosition + 1, -1).key(4, keyPosition, scoreWeight);
        return layer.query(5, queryPosition, 1).key(5, keyPosition + 1, scoreWeight);
    }

    /** Writes all terms except T_open. */
    LayerWriter writeWithStart(LayerWriter layer) {
        write(layer);
        layer.query(2, one, depthWeight).query(2, queryDepth, -depthWeight).key(2, keyStart, scoreWeight);
        return layer.key(3, keyStart, scoreWeight);
    }

    LayerWriter writeOpen(LayerWriter layer, int queryOpen, int queryStart) {
        layer.query(6, queryOpen, depthWeight).query(6, one, depthWeight).key(6, keyStart, scoreWeight);
        return queryStart < 0 ? layer : layer.query(6, queryStart, -depthWeight);
    }

    double maximum() {
        return 4 * depthWeight * scoreWeight;
    }
}

package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * The scores of a block of queries with a block of keys, for one head.
 *
 * <p>In plain softmax, the scale of the scores is part of the exponent of the weight. The strip then contains
 * sign(scale) (&lt;q, k&gt; + a &lt;x, x&gt;), and {@link #sharpness} includes |scale|. With a score bias, or if
 * weights depend on comparisons of scores, the strip contains the scores themselves.
 */
public final class ScoreStrip {

    private static final float LOG2_E = 0x1.715476p0f;

    /** One number per pair, in the layout of {@link AttentionProducts}. */
    final float[] strip = new float[QUERIES * QUERIES];

    private final ScoreBias bias = new ScoreBias();
    private final boolean alwaysScaled;

    /** Rows of [k, a x]. */
    private float[] keys = {};

    /** The transpose of rows of [q, x]. */
    private final AttentionPanels queries = new AttentionPanels();

    private int firstQuery;
    private float scale;
    private boolean scaled;

    /** If {@code alwaysScaled}, the strip always contains the scores themselves. */
    ScoreStrip(boolean alwaysScaled) {
        this.alwaysScaled = alwaysScaled;
    }

    /** Packs the first {@code rows} keys of a head. */
    void setHead(AttentionUnit unit, int rows) {
        AttentionShape shape = unit.shape();
        AttentionInputs inputs = unit.inputs();
        int identityWidth = shape.identityWidth();
        int width = shape.headWidth() + identityWidth;
        scale = shape.scoreScale();
        scaled = alwaysScaled || isScaled(shape);
        if (scaled) {
            bias.set(inputs.scoreBiases(), unit.head * shape.biasSpan(), shape.biasSpan());
        }
        keys = atLeast(keys, roundUp(rows, QUERIES) * width);
        float a = identityWidth > 0 ? inputs.keyQueryIdentities()[unit.head] : 0;
        AttentionPacking.packLeft(keys, unit, inputs.keys(), inputs.tokens(), rows, a);
    }

    void setQueries(AttentionUnit unit, int query, int count) {
        AttentionInputs inputs = unit.inputs();
        firstQuery = query;
        queries.packTransposed(unit, inputs.queries(), inputs.tokens(), query, count);
        float factor = scaled ? 1 : Math.signum(scale);
        if (factor != 1) {
            queries.scale(factor);
        }
    }

    void compute(int key, int count, int diagonal) {
        AttentionProducts.scores(strip, keys, key, queries.panels, count, diagonal);
        if (scaled) {
            scale(key, count);
        }
    }

    /** Multiplies the inner products of the strip by the scale and adds the bias. */
    void scale(int key, int count) {
        bias.scaleAndAddInto(strip, count, firstQuery - key, scale);
    }

    /** Whether a strip of {@code new ScoreStrip(false)} contains the scores themselves. */
    public static boolean isScaled(AttentionShape shape) {
        return shape.biasSpan() > 0 || shape.weighting() != Weighting.SOFTMAX;
    }

    /**
     * log2(e) times {@code lengthFactor}, multiplied by |scale| if {@link #isScaled} is false. The result is positive
     * even if a factor is 0, so that -infinity still masks. No weight changes: all scores of the strip are 0 if the
     * scale is 0, and the row has one score if {@code lengthFactor} is 0.
     */
    public static float sharpness(AttentionShape shape, float lengthFactor) {
        float sharpness = lengthFactor * (isScaled(shape) ? LOG2_E : LOG2_E * Math.abs(shape.scoreScale()));
        return sharpness == 0 ? Float.MIN_NORMAL : sharpness;
    }
}

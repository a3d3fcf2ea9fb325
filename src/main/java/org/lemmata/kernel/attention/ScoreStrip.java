package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * The scores of a block of queries with a block of keys, of one head.
 *
 * <p>Plain softmax leaves the scale of the scores to the exponent of the weight: the strip then holds sign(scale)
 * (&lt;q, k&gt; + a &lt;x, x&gt;), and {@link #sharpness} has the rest. With a score bias, or where weights compare
 * scores, the strip holds the scores themselves.
 */
public final class ScoreStrip {

    private static final float LOG2_E = 0x1.715476p0f;

    /** One number for each pair, as {@link AttentionProducts} has them. */
    public final float[] strip = new float[QUERIES * QUERIES];

    private final ScoreBias bias = new ScoreBias();
    private final boolean alwaysScaled;

    /** Rows k, a x. */
    private float[] keys = {};

    /** The transpose of rows q, x. */
    private final AttentionPanels queries = new AttentionPanels();

    private int firstQuery;
    private float scale;
    private boolean scaled;

    public ScoreStrip() {
        this(false);
    }

    /** One that holds the scores themselves in any case, if {@code alwaysScaled}. */
    public ScoreStrip(boolean alwaysScaled) {
        this.alwaysScaled = alwaysScaled;
    }

    /** Takes the first {@code rows} keys of a head. */
    public void setHead(AttentionUnit unit, int rows) {
        AttentionShape shape = unit.shape();
        AttentionInputs inputs = unit.inputs();
        int identityWidth = shape.identityWidth();
        int width = shape.headWidth() + identityWidth;
        scale = shape.scoreScale();
        scaled = alwaysScaled || isScaled(shape);
        if (scaled) {
            bias.set(inputs.scoreBiases(), unit.head() * shape.biasSpan(), shape.biasSpan());
        }
        keys = atLeast(keys, roundUp(rows, QUERIES) * width);
        float a = identityWidth > 0 ? inputs.keyQueryIdentities()[unit.head()] : 0;
        AttentionPacking.packLeft(keys, unit, inputs.keys(), inputs.tokens(), rows, a);
    }

    /** Takes queries {@code query} ... {@code query + count - 1}. */
    public void setQueries(AttentionUnit unit, int query, int count) {
        AttentionInputs inputs = unit.inputs();
        firstQuery = query;
        queries.packTransposed(unit, inputs.queries(), inputs.tokens(), query, count);
        float factor = scaled ? 1 : Math.signum(scale);
        if (factor != 1) {
            queries.scale(factor);
        }
    }

    /** Fills the strip for {@code count} keys from {@code key} on. */
    public void compute(int key, int count, int diagonal) {
        AttentionProducts.scores(strip, keys, key, queries.panels(), count, diagonal);
        if (scaled) {
            scale(key, count);
        }
    }

    /** Makes scores of inner products: scale and bias. */
    public void scale(int key, int count) {
        bias.scaleAndAddInto(strip, count, firstQuery - key, scale);
    }

    /** Whether the strip holds the scores themselves. */
    public static boolean isScaled(AttentionShape shape) {
        return shape.biasSpan() > 0 || shape.weighting() != Weighting.SOFTMAX;
    }

    /**
     * log2(e) times {@code lengthFactor}, times |scale| where the strip lacks it. Above 0 also where one of them is 0,
     * all scores in the strip then being 0, or there being one only: -infinity stays what a masked score is.
     */
    public static float sharpness(AttentionShape shape, float lengthFactor) {
        float sharpness = isScaled(shape) ? LOG2_E : LOG2_E * Math.abs(shape.scoreScale());
        return Math.max(Float.MIN_NORMAL, sharpness * lengthFactor);
    }
}

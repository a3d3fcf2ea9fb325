package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * Both passes of the heads of a short sequence, with the bits of {@link AttentionForward} and
 * {@link AttentionBackward}, whose blocks it would leave all but empty: as many heads side by side as there are lanes
 * while scores and weights are made, then columns side by side while rows are summed.
 *
 * <p>One object serves one thread; its arrays grow to the longest sequence and the widest heads seen, and stay.
 */
final class ShortHeads {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** Longer ones are as fast in blocks; with identities, which blocks copy for each head, longer ones yet. */
    private static final int MAX_LENGTH = LANES;

    private static final int MAX_LENGTH_WITH_IDENTITIES = 16;

    private static final int PAIRS = MAX_LENGTH_WITH_IDENTITIES * MAX_LENGTH_WITH_IDENTITIES;

    private static final double LN_2 = Math.log(2);
    private static final double LOG2_E = 1 / LN_2;

    private static final AttentionUnit NO_UNIT = new AttentionUnit(new ForwardCall());

    private final HeadPacking packing = new HeadPacking();
    private final ShortProducts products = new ShortProducts();

    /** That of the first head. */
    private AttentionUnit unit = NO_UNIT;

    // Rows as ShortProducts has them: queries and keys, then output gradients and values; tokens.
    private float[] x = {};
    private float[] y = {};
    private float[] tokens = {};
    private float[] dIdentityOutputs = {};

    /** Scores, exponentials, then weights. */
    private final float[] p = new float[PAIRS * LANES];

    /** Gradients of weights, then of scores. */
    private final float[] dp = new float[PAIRS * LANES];

    // Of each query and head: the sum of exponentials, and the number that the exponents were taken from.
    private final float[] totals = new float[MAX_LENGTH_WITH_IDENTITIES * LANES];
    private final float[] references = new float[MAX_LENGTH_WITH_IDENTITIES * LANES];

    // Of each head; a and b are also what products are multiplied by.
    private final float[] a = new float[LANES];
    private final float[] b = new float[LANES];
    private final float[] factors = new float[LANES];
    private final float[] shifts = new float[LANES];
    private final float[] means = new float[LANES];
    private final double[] da = new double[LANES];
    private final double[] db = new double[LANES];

    // A row of sums of tokens, and of gradients of identity outputs, of all heads.
    private float[] ofTokens = {};
    private float[] ofOutputs = {};

    /** The gradients of tokens by all heads so far. */
    private float[] dTokens = {};

    /** Whether the heads of a sequence are taken, all of them. Of one token, a causal mask hides nothing. */
    static boolean suits(AttentionShape shape, int length) {
        int max = shape.identityWidth() > 0 ? MAX_LENGTH_WITH_IDENTITIES : MAX_LENGTH;
        return shape.weighting() == Weighting.SOFTMAX
                && length <= (shape.mask() == Mask.NONE ? max : 1)
                && shape.biasSpan() == 0
                && shape.scoreScale() > 0
                && 2 * shape.heads() >= LANES
                && shape.headWidth() % LANES == 0
                && shape.identityWidth() % LANES == 0;
    }

    private void set(AttentionUnit first) {
        unit = first;
        products.set(length(), heads(), shape().width());
        int size = ShortProducts.row(length() + 1, shape().headWidth());
        int width = shape().identityWidth();
        int tokenSize = ShortProducts.row(length() + 1, width);
        x = atLeast(x, size);
        y = atLeast(y, size);
        tokens = atLeast(tokens, tokenSize);
        dIdentityOutputs = atLeast(dIdentityOutputs, tokenSize);
        ofTokens = atLeast(ofTokens, width * LANES);
        ofOutputs = atLeast(ofOutputs, width * LANES);
        dTokens = atLeast(dTokens, length() * width);
    }

    private AttentionShape shape() {
        return unit.shape();
    }

    private int length() {
        return unit.length();
    }

    private int heads() {
        return Math.min(LANES, shape().heads() - unit.head());
    }

    /** The outputs of heads from that of a unit on; how many heads. */
    int forward(AttentionOutputs outputs, AttentionUnit first) {
        set(first);
        float[] z = outputs.identityOutputs();
        float sharpness = ScoreStrip.sharpness(shape(), lengthFactor());
        int heads = heads();
        scores();
        for (int i = 0; i < length(); i++) {
            softmax(i, sharpness);
        }
        if (unit.head() == 0) {
            Arrays.fill(z, unit.tokenAt(0), unit.tokenAt(length()), 0);
        }
        int headWidth = shape().headWidth();
        products.sum(outputs.outputs(), unit.at(0), p, false, unit.inputs().values(), headWidth, 1);
        products.divide(outputs.outputs(), unit.at(0), totals, headWidth);
        if (shape().identityWidth() > 0) {
            setFactors(b, unit.inputs().valueOutputIdentities(), 1);
            float[] rows = unit.inputs().tokens();
            products.addAverages(z, unit.tokenAt(0), p, totals, b, rows, shape().identityWidth());
        }
        for (int head = 0; head < heads && outputs.normalizers().length > 0; head++) {
            saveNormalizers(outputs.normalizers(), head);
        }
        unit = NO_UNIT;
        return heads;
    }

    /** p = &lt;q, k&gt; + &lt;x, a x&gt;. */
    private void scores() {
        AttentionInputs inputs = unit.inputs();
        packing.pack(x, unit, inputs.queries(), heads());
        packing.pack(y, unit, inputs.keys(), heads());
        multiplyHeads(p);
        if (shape().identityWidth() > 0) {
            HeadPacking.packTokens(tokens, unit, inputs.tokens());
            multiplyTokens(p, tokens, inputs.keyQueryIdentities());
        }
    }

    private void multiplyHeads(float[] to) {
        Arrays.fill(to, 0, length() * length() * LANES, 0);
        Arrays.fill(a, 1);
        products.multiply(to, x, y, a, shape().headWidth());
    }

    private void multiplyTokens(float[] to, float[] rows, float[] identities) {
        setFactors(a, identities, 1);
        products.multiply(to, rows, tokens, a, shape().identityWidth());
    }

    private void setFactors(float[] to, float[] identities, float factor) {
        for (int head = 0; head < heads(); head++) {
            to[head] = factor * identities[unit.head() + head];
        }
    }

    private float lengthFactor() {
        return shape().lengthFactor(shape().counted(0, length()));
    }

    /** As {@link AttentionWeights}, of all keys at once. */
    private void softmax(int i, float sharpness) {
        int start = i * length() * LANES;
        int end = start + length() * LANES;
        FloatVector max = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        for (int at = start; at < end; at += LANES) {
            FloatVector score = FloatVector.fromArray(SPECIES, p, at);
            max = max.blend(score, score.compare(VectorOperators.GT, max));
        }
        FloatVector scale = FloatVector.broadcast(SPECIES, sharpness);
        FloatVector reference = max.mul(scale);
        FloatVector shift = reference.neg().blend(0, reference.compare(VectorOperators.EQ, Float.NEGATIVE_INFINITY));
        FloatVector total = FloatVector.zero(SPECIES);
        for (int at = start; at < end; at += LANES) {
            FloatVector weight =
                    PowerOfTwo.of(FloatVector.fromArray(SPECIES, p, at).fma(scale, shift));
            weight.intoArray(p, at);
            total = total.add(weight);
        }
        reference.intoArray(references, i * LANES);
        total.intoArray(totals, i * LANES);
    }

    private void saveNormalizers(float[] normalizers, int head) {
        for (int i = 0; i < length(); i++) {
            int at = i * LANES + head;
            normalizers[unit.numberAt(i) + head] = (float) (LN_2 * references[at] + Math.log(totals[at]));
        }
    }

    /** The gradients of heads from that of a unit on, those of a and b left in {@code partials}; how many heads. */
    int backward(BackwardCall call, BackwardPartials partials, AttentionUnit first) {
        set(first);
        AttentionInputs inputs = unit.inputs();
        AttentionInputs dInputs = call.dInputs();
        float[] dOutputs = call.dOutputs().outputs();
        float sharpness = ScoreStrip.sharpness(shape(), lengthFactor());
        float scale = shape().scoreScale();
        int headWidth = shape().headWidth();
        int heads = heads();
        scores();
        dWeights(call.dOutputs());
        for (int i = 0; i < length(); i++) {
            setQuery(call, i);
            exponentials(i, sharpness);
            if (shape().identityWidth() > 0) {
                sumMeans(i);
            }
            differentiate(i, lengthFactor());
        }
        products.sum(dInputs.values(), unit.at(0), p, true, dOutputs, headWidth, 1);
        products.sum(dInputs.keys(), unit.at(0), dp, true, inputs.queries(), headWidth, scale);
        products.sum(dInputs.queries(), unit.at(0), dp, false, inputs.keys(), headWidth, scale);
        if (shape().identityWidth() > 0) {
            identitiesBackward(partials);
            tokensBackward(dInputs.tokens(), call.dOutputs().identityOutputs());
        }
        unit = NO_UNIT;
        return heads;
    }

    /** dp = &lt;do, v&gt; + &lt;dz, b x&gt;. */
    private void dWeights(AttentionOutputs dOut) {
        packing.pack(x, unit, dOut.outputs(), heads());
        packing.pack(y, unit, unit.inputs().values(), heads());
        multiplyHeads(dp);
        if (shape().identityWidth() > 0) {
            HeadPacking.packTokens(dIdentityOutputs, unit, dOut.identityOutputs());
            multiplyTokens(dp, dIdentityOutputs, unit.inputs().valueOutputIdentities());
        }
    }

    /** As {@link AttentionBackward} for a block. */
    private void setQuery(BackwardCall call, int i) {
        int headWidth = shape().headWidth();
        float[] dOutputs = call.dOutputs().outputs();
        for (int head = 0; head < heads(); head++) {
            int number = unit.numberAt(i) + head;
            double shift = -LOG2_E * call.outputs().normalizers()[number];
            shifts[head] = (float) shift;
            factors[head] = (float) (1 + LN_2 * (shift - shifts[head]));
            if (shape().identityWidth() == 0) {
                float[] outputs = call.outputs().outputs();
                means[head] = AttentionProducts.dot(dOutputs, outputs, number * headWidth, headWidth);
            }
        }
    }

    private void exponentials(int i, float sharpness) {
        FloatVector scale = FloatVector.broadcast(SPECIES, sharpness);
        FloatVector shift = FloatVector.fromArray(SPECIES, shifts, 0);
        int start = i * length() * LANES;
        for (int at = start; at < start + length() * LANES; at += LANES) {
            PowerOfTwo.of(FloatVector.fromArray(SPECIES, p, at).fma(scale, shift))
                    .intoArray(p, at);
        }
    }

    private void sumMeans(int i) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, 0);
        FloatVector sum = FloatVector.zero(SPECIES);
        FloatVector total = sum;
        int start = i * length() * LANES;
        for (int at = start; at < start + length() * LANES; at += LANES) {
            FloatVector weight = FloatVector.fromArray(SPECIES, p, at).mul(factor);
            sum = weight.fma(FloatVector.fromArray(SPECIES, dp, at), sum);
            total = total.add(weight);
        }
        sum.add(0f).div(total).intoArray(means, 0);
        factor.div(total).intoArray(factors, 0);
    }

    private void differentiate(int i, float lengthFactor) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, 0);
        FloatVector mean = FloatVector.fromArray(SPECIES, means, 0);
        int start = i * length() * LANES;
        for (int at = start; at < start + length() * LANES; at += LANES) {
            FloatVector weight = FloatVector.fromArray(SPECIES, p, at).mul(factor);
            weight.intoArray(p, at);
            FloatVector.fromArray(SPECIES, dp, at)
                    .sub(mean)
                    .mul(weight.mul(lengthFactor))
                    .intoArray(dp, at);
        }
    }

    private void identitiesBackward(BackwardPartials partials) {
        int width = shape().identityWidth();
        int length = length();
        Arrays.fill(da, 0);
        Arrays.fill(db, 0);
        for (int i = 0; i < length; i++) {
            products.sumAll(ofTokens, dp, i * length * LANES, LANES, tokens, width);
            products.sumAll(ofOutputs, p, i * LANES, length * LANES, dIdentityOutputs, width);
            ShortProducts.addProducts(da, db, tokens, ShortProducts.row(i, width), ofTokens, ofOutputs, width);
        }
        for (int head = 0; head < heads(); head++) {
            partials.setIdentities(unit, head, (float) (shape().scoreScale() * da[head]), (float) db[head]);
        }
    }

    private void tokensBackward(float[] gradient, float[] dz) {
        AttentionInputs inputs = unit.inputs();
        int start = unit.tokenAt(0);
        int size = unit.tokenAt(length()) - start;
        if (unit.head() == 0) {
            Arrays.fill(dTokens, 0, size, 0);
        }
        setFactors(a, inputs.keyQueryIdentities(), shape().scoreScale());
        setFactors(b, inputs.valueOutputIdentities(), 1);
        products.addTokenGradients(dTokens, dp, p, a, b, inputs.tokens(), dz, start, shape().identityWidth());
        for (int d = 0; d < size && unit.head() + heads() == shape().heads(); d++) {
            gradient[start + d] += dTokens[d];
        }
    }
}

package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.LaneTranspose;
import org.lemmata.kernel.elementary.Species;

/**
 * Both passes of some heads of a short sequence, one head a lane while scores and weights are made, and columns side by
 * side while rows are summed; with the bits of {@link AttentionForward} and {@link AttentionBackward}.
 *
 * <p>One object serves one thread; its arrays grow to the longest sequence seen, and stay.
 */
final class ShortHeads {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** From about here on blocks are as fast. */
    private static final int MAX_LENGTH = Integer.getInteger("maxlen", 16);

    private static final float[] ONE = {1};

    private static final double LN_2 = Math.log(2);
    private static final double LOG2_E = 1 / LN_2;

    private final LaneTranspose transpose = new LaneTranspose();

    // Of the heads, as ShortProducts has them.
    private float[] x = {};
    private float[] y = {};
    private float[] tokens = {};
    private float[] dIdentityOutputs = {};

    /** Scores, exponentials, then weights, and the gradients of weights, then of scores. */
    private float[] p = {};

    private float[] dp = {};

    /** A number of each head. */
    private final float[] factors = new float[LANES];

    private final float[] shifts = new float[LANES];
    private final float[] means = new float[LANES];

    /** Of each query and head. */
    private float[] totals = {};

    private float[] references = {};

    private final float[] scale = new float[1];

    private final double[] da = new double[LANES];
    private final double[] db = new double[LANES];

    /** What one head sums up of tokens, and the same of queries, keys and values in the backward pass. */
    private float[] ofHead = {};

    private float[] ofHeads = {};
    private float[] ofKeys = {};
    private float[] ofValues = {};

    /** The gradients of tokens by all heads so far. */
    private float[] dTokens = {};

    /** Read by nobody: else the compiler would leave out what was read for it. */
    private float touched;

    private AttentionUnit first = new AttentionUnit(new ForwardCall());
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private AttentionShape shape = AttentionShape.PLAIN;
    private int length;
    private int heads;

    /**
     * Whether the heads of a sequence go through here, all of them: where blocks of queries and keys would be all but
     * empty. Of one token a causal mask hides nothing.
     */
    static boolean suits(AttentionShape shape, int length) {
        return shape.weighting() == Weighting.SOFTMAX
                && length <= (shape.mask() == Mask.NONE ? MAX_LENGTH : 1)
                && shape.biasSpan() == 0
                && shape.scoreScale() > 0
                && 2 * shape.heads() >= LANES
                && shape.headWidth() % LANES == 0
                && shape.identityWidth() % LANES == 0;
    }

    /** The same of all sequences. */
    static boolean suits(AttentionShape shape, RaggedOffsets sequences) {
        boolean all = true;
        for (int sequence = 0; sequence < sequences.count() && all; sequence++) {
            all = suits(shape, sequences.length(sequence));
        }
        return all;
    }

    /** Takes heads from that of {@code first} on. */
    private void set(AttentionUnit newFirst) {
        first = newFirst;
        inputs = first.inputs();
        shape = first.shape();
        length = first.length();
        heads = Math.min(LANES, shape.heads() - first.head());
        int width = shape.identityWidth();
        x = atLeast(x, length * shape.headWidth() * LANES);
        y = atLeast(y, length * shape.headWidth() * LANES);
        tokens = atLeast(tokens, length * width * LANES);
        dIdentityOutputs = atLeast(dIdentityOutputs, length * width * LANES);
        p = atLeast(p, length * length * LANES);
        dp = atLeast(dp, length * length * LANES);
        totals = atLeast(totals, length * LANES);
        references = atLeast(references, length * LANES);
        ofHead = atLeast(ofHead, length * width);
        ofHeads = atLeast(ofHeads, width * LANES);
        ofKeys = atLeast(ofKeys, length * width);
        ofValues = atLeast(ofValues, length * width);
        dTokens = atLeast(dTokens, length * width);
    }

    /** The outputs, from the unit of a head on; how many heads were taken. */
    int forward(AttentionOutputs outputs, AttentionUnit newFirst) {
        set(newFirst);
        int width = shape.identityWidth();
        scores();
        float sharpness = ScoreStrip.sharpness(shape, lengthFactor());
        for (int i = 0; i < length; i++) {
            softmax(i, sharpness);
        }
        if (first.head() == 0) {
            Arrays.fill(outputs.identityOutputs(), first.tokenAt(0), first.tokenAt(length), 0);
        }
        for (int head = 0; head < heads; head++) {
            sum(outputs.outputs(), p, head, false, inputs.values(), true, totals);
            if (width > 0) {
                sumTokens(ofHead, p, head, false, inputs.tokens(), true, totals);
                addHead(outputs.identityOutputs(), first.tokenAt(0), head);
            }
            if (outputs.normalizers().length > 0) {
                normalizers(outputs.normalizers(), head);
            }
        }
        return heads;
    }

    private void normalizers(float[] normalizers, int head) {
        for (int i = 0; i < length; i++) {
            int at = i * LANES + head;
            // Of the number that the exponents were really taken from.
            normalizers[first.numberAt(i) + head] = (float) (LN_2 * references[at] + Math.log(totals[at]));
        }
    }

    private void addHead(float[] z, int at, int head) {
        float b = inputs.valueOutputIdentities()[first.head() + head];
        for (int d = 0; d < length * shape.identityWidth(); d += LANES) {
            FloatVector.fromArray(SPECIES, z, at + d)
                    .add(FloatVector.fromArray(SPECIES, ofHead, d).mul(b))
                    .intoArray(z, at + d);
        }
    }

    /** p = &lt;q, k&gt; + a &lt;x, x&gt;. */
    private void scores() {
        pack(x, inputs.queries());
        pack(y, inputs.keys());
        products(p);
        if (shape.identityWidth() > 0) {
            packTokens(tokens, inputs.tokens());
            products(p, tokens, inputs.keyQueryIdentities());
        }
    }

    private void products(float[] products) {
        Arrays.fill(products, 0, length * length * LANES, 0);
        Arrays.fill(factors, 1);
        ShortProducts.multiply(products, x, y, factors, length, shape.headWidth());
    }

    private void products(float[] products, float[] rows, float[] identities) {
        System.arraycopy(identities, first.head(), factors, 0, heads);
        ShortProducts.multiply(products, rows, tokens, factors, length, shape.identityWidth());
    }

    private void pack(float[] packed, float[] matrix) {
        int columns = shape.headWidth();
        if (first.head() == 0) {
            touch(matrix, first.at(0), first.at(length));
        }
        for (int i = 0; i < length; i++) {
            transpose.run(packed, i * columns * LANES, LANES, matrix, first.at(i), columns, heads, columns);
        }
    }

    /** Reads an element of each cache line in order, of which processors read ahead, as they do not across rows. */
    private void touch(float[] matrix, int from, int to) {
        float sum = 0;
        for (int at = from; at < to; at += 16) {
            sum += matrix[at];
        }
        touched = sum;
    }

    /** The same row in all lanes. */
    private void packTokens(float[] packed, float[] matrix) {
        int from = first.tokenAt(0);
        for (int d = 0; d < length * shape.identityWidth(); d++) {
            FloatVector.broadcast(SPECIES, matrix[from + d]).intoArray(packed, d * LANES);
        }
    }

    private float lengthFactor() {
        return shape.lengthFactor(shape.counted(0, length));
    }

    /** As {@link AttentionWeights}, of all keys at once. */
    private void softmax(int i, float sharpness) {
        FloatVector max = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        int end = (i + 1) * length * LANES;
        for (int at = i * length * LANES; at < end; at += LANES) {
            FloatVector score = FloatVector.fromArray(SPECIES, p, at);
            max = max.blend(score, score.compare(VectorOperators.GT, max));
        }
        FloatVector scale = FloatVector.broadcast(SPECIES, sharpness);
        FloatVector reference = max.mul(scale);
        FloatVector shift = reference.neg().blend(0, reference.compare(VectorOperators.EQ, Float.NEGATIVE_INFINITY));
        FloatVector total = FloatVector.zero(SPECIES);
        for (int at = i * length * LANES; at < end; at += LANES) {
            FloatVector weight = PowerOfTwo.of(FloatVector.fromArray(SPECIES, p, at).fma(scale, shift));
            weight.intoArray(p, at);
            total = total.add(weight);
        }
        reference.intoArray(references, i * LANES);
        total.intoArray(totals, i * LANES);
    }

    private void exponentials(int i, float sharpness) {
        FloatVector scale = FloatVector.broadcast(SPECIES, sharpness);
        FloatVector shift = FloatVector.fromArray(SPECIES, shifts, 0);
        for (int at = i * length * LANES; at < (i + 1) * length * LANES; at += LANES) {
            PowerOfTwo.of(FloatVector.fromArray(SPECIES, p, at).fma(scale, shift))
                    .intoArray(p, at);
        }
    }

    /** Rows of a head: the sums over j of c_ij, or c_ji if transposed, times row j, divided or multiplied. */
    private void sum(
            float[] to, float[] c, int head, boolean transposed, float[] rows, boolean divide, float[] by) {
        int columns = shape.headWidth();
        int at = first.at(0) + head * columns;
        ShortProducts.sum(to, at, c, head, transposed, rows, at, shape.width(), columns, length, divide, by);
    }

    /** The same of rows that heads share. */
    private void sumTokens(
            float[] to, float[] c, int head, boolean transposed, float[] rows, boolean divide, float[] by) {
        int columns = shape.identityWidth();
        int at = first.tokenAt(0);
        ShortProducts.sum(to, 0, c, head, transposed, rows, at, columns, columns, length, divide, by);
    }

    /** The gradients, from the unit of a head on, those of a and b in {@code partials}; how many heads were taken. */
    int backward(BackwardCall call, BackwardPartials partials, AttentionUnit newFirst) {
        set(newFirst);
        float[] dOutputs = call.dOutputs().outputs();
        scores();
        pack(x, dOutputs);
        pack(y, inputs.values());
        products(dp);
        if (shape.identityWidth() > 0) {
            packTokens(dIdentityOutputs, call.dOutputs().identityOutputs());
            products(dp, dIdentityOutputs, inputs.valueOutputIdentities());
        }
        float sharpness = ScoreStrip.sharpness(shape, lengthFactor());
        for (int i = 0; i < length; i++) {
            setRow(call, i);
            exponentials(i, sharpness);
            if (shape.identityWidth() > 0) {
                sumMeans(i);
            }
            differentiate(i);
        }
        AttentionInputs dInputs = call.dInputs();
        scale[0] = shape.scoreScale();
        for (int head = 0; head < heads; head++) {
            sum(dInputs.values(), p, head, true, dOutputs, false, ONE);
            sum(dInputs.keys(), dp, head, true, inputs.queries(), false, scale);
            sum(dInputs.queries(), dp, head, false, inputs.keys(), false, scale);
        }
        if (shape.identityWidth() > 0) {
            identitiesBackward(partials);
            tokensBackward(dInputs.tokens(), call.dOutputs().identityOutputs());
        }
        return heads;
    }

    private void setRow(BackwardCall call, int i) {
        int headWidth = shape.headWidth();
        for (int head = 0; head < heads; head++) {
            int number = first.numberAt(i) + head;
            double shift = -LOG2_E * call.outputs().normalizers()[number];
            shifts[head] = (float) shift;
            factors[head] = (float) (1 + LN_2 * (shift - shifts[head]));
            if (shape.identityWidth() == 0) {
                means[head] = AttentionBackward.dot(
                        call.dOutputs().outputs(), call.outputs().outputs(), number * headWidth, headWidth);
            }
        }
    }

    private void sumMeans(int i) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, 0);
        FloatVector sum = FloatVector.zero(SPECIES);
        FloatVector total = sum;
        for (int at = i * length * LANES; at < (i + 1) * length * LANES; at += LANES) {
            FloatVector weight = FloatVector.fromArray(SPECIES, p, at).mul(factor);
            sum = weight.fma(FloatVector.fromArray(SPECIES, dp, at), sum);
            total = total.add(weight);
        }
        sum.add(0f).div(total).intoArray(means, 0);
        factor.div(total).intoArray(factors, 0);
    }

    private void differentiate(int i) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, 0);
        FloatVector mean = FloatVector.fromArray(SPECIES, means, 0);
        float lengthFactor = lengthFactor();
        for (int at = i * length * LANES; at < (i + 1) * length * LANES; at += LANES) {
            FloatVector weight = FloatVector.fromArray(SPECIES, p, at).mul(factor);
            weight.intoArray(p, at);
            FloatVector.fromArray(SPECIES, dp, at)
                    .sub(mean)
                    .mul(weight.mul(lengthFactor))
                    .intoArray(dp, at);
        }
    }

    private void identitiesBackward(BackwardPartials partials) {
        int width = shape.identityWidth();
        Arrays.fill(da, 0);
        Arrays.fill(db, 0);
        for (int i = 0; i < length; i++) {
            ShortProducts.sumAll(ofHeads, dp, i * length * LANES, LANES, length, tokens, width);
            ShortProducts.addProducts(da, tokens, i * width * LANES, ofHeads, width);
            ShortProducts.sumAll(ofHeads, p, i * LANES, length * LANES, length, dIdentityOutputs, width);
            ShortProducts.addProducts(db, tokens, i * width * LANES, ofHeads, width);
        }
        for (int head = 0; head < heads; head++) {
            partials.setIdentities(first, head, (float) (shape.scoreScale() * da[head]), (float) db[head]);
        }
    }

    private void tokensBackward(float[] gradient, float[] dz) {
        int width = shape.identityWidth();
        if (first.head() == 0) {
            Arrays.fill(dTokens, 0, length * width, 0);
        }
        for (int head = 0; head < heads; head++) {
            scale[0] = shape.scoreScale() * inputs.keyQueryIdentities()[first.head() + head];
            sumTokens(ofHead, dp, head, false, inputs.tokens(), false, scale);
            sumTokens(ofKeys, dp, head, true, inputs.tokens(), false, scale);
            scale[0] = inputs.valueOutputIdentities()[first.head() + head];
            sumTokens(ofValues, p, head, true, dz, false, scale);
            addHeadBackward();
        }
        if (first.head() + heads == shape.heads()) {
            int at = first.tokenAt(0);
            for (int d = 0; d < length * width; d++) {
                gradient[at + d] += dTokens[d];
            }
        }
    }

    private void addHeadBackward() {
        for (int d = 0; d < length * shape.identityWidth(); d += LANES) {
            FloatVector keysAndValues =
                    FloatVector.fromArray(SPECIES, ofKeys, d).add(FloatVector.fromArray(SPECIES, ofValues, d));
            FloatVector.fromArray(SPECIES, dTokens, d)
                    .add(FloatVector.fromArray(SPECIES, ofHead, d).add(keysAndValues))
                    .intoArray(dTokens, d);
        }
    }
}

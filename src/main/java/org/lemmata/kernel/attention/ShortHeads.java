package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.TileAttention.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.VectorAttention.BackwardCall;
import org.lemmata.kernel.attention.VectorAttention.ForwardCall;
import org.lemmata.kernel.elementary.Species;

/**
 * Both passes over the heads of a short sequence, whose blocks would be nearly empty. While weights are computed, each
 * lane processes one head; while rows are summed, each lane processes one column.
 *
 * <p>The identity terms are products of tokens that all heads share. {@code <x_i, x_j>} is computed once per sequence.
 * Tokens are also summed once, with weights that were first summed over the heads. With H heads this is 1/H of the work
 * of blocks, which compute a product per head. The last bits of results may differ from those of blocks.
 *
 * <p>Each object serves one thread, which processes the groups of heads of a sequence in order.
 */
final class ShortHeads {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /** The maximum length without identity terms. Blocks are as fast for longer sequences. */
    private static final int MAX_LENGTH = LANES;

    /**
     * The maximum length with identity terms: greater with up to 8 lanes, because blocks copy the tokens for each head.
     */
    private static final int MAX_LENGTH_WITH_IDENTITIES = 16;

    private static final int PAIRS = MAX_LENGTH_WITH_IDENTITIES * MAX_LENGTH_WITH_IDENTITIES;

    private static final float LN_2 = (float) Math.log(2);

    private static final AttentionUnit NO_UNIT = new AttentionUnit(new ForwardCall());

    private final ShortProducts products = new ShortProducts();

    /** The unit of the first head of the current group. */
    private AttentionUnit unit = NO_UNIT;

    // For each pair of tokens and each head, p has the score, later the exponential, finally the weight; dp has the
    // gradient of the weight, later of the score.
    private final float[] p = new float[PAIRS * LANES];
    private final float[] dp = new float[PAIRS * LANES];

    // For each query and head: the sum of exponentials, and the reference that was subtracted from the exponents.
    private final float[] totals = new float[MAX_LENGTH_WITH_IDENTITIES * LANES];
    private final float[] references = new float[MAX_LENGTH_WITH_IDENTITIES * LANES];

    // One number per head, padded with 0.
    private final float[] a = new float[LANES];
    private final float[] b = new float[LANES];
    private final double[] da = new double[LANES];
    private final double[] db = new double[LANES];

    // For each pair of tokens: <x_i, x_j>, <dz_i, x_j>, sum_h b_h p_ij, and sum_h a_h ds_ij.
    private final float[] ofTokens = new float[PAIRS];
    private final float[] ofOutputs = new float[PAIRS];
    private final float[] weights = new float[PAIRS];
    private final float[] dScores = new float[PAIRS];

    /**
     * Whether this class processes all heads of a sequence. Under a causal mask, it processes only single tokens with
     * identity terms, for which blocks take five times as long. Longer sequences use blocks, so that they are
     * bit-identical to cached decoding.
     */
    static boolean suits(AttentionShape shape, int length) {
        int max = shape.identityWidth() > 0 ? MAX_LENGTH_WITH_IDENTITIES : MAX_LENGTH;
        return shape.weighting() == Weighting.SOFTMAX
                && length <= (shape.mask() == Mask.NONE ? max : shape.identityWidth() > 0 ? 1 : 0)
                && shape.biasSpan() == 0
                && shape.scoreScale() > 0
                && 2 * shape.heads() >= LANES
                && shape.headWidth() % LANES == 0
                && shape.identityWidth() % LANES == 0;
    }

    private void set(AttentionUnit first) {
        unit = first;
        products.set(unit, heads());
        if (!hasIdentities()) {
            return;
        }
        setFactors(a, unit.inputs().keyQueryIdentities());
        setFactors(b, unit.inputs().valueOutputIdentities());
        if (isFirst()) {
            float[] tokens = unit.inputs().tokens();
            products.multiplyTokens(ofTokens, tokens, tokens);
            Arrays.fill(weights, 0, pairs(), 0);
            Arrays.fill(dScores, 0, pairs(), 0);
        }
    }

    private void setFactors(float[] to, float[] identities) {
        Arrays.fill(to, 0);
        System.arraycopy(identities, unit.head, to, 0, heads());
    }

    private boolean hasIdentities() {
        return unit.shape().identityWidth() > 0;
    }

    private boolean isFirst() {
        return unit.head == 0;
    }

    private boolean isLast() {
        return unit.head + heads() == unit.shape().heads();
    }

    private int pairs() {
        return unit.length * unit.length;
    }

    private int heads() {
        return Math.min(LANES, unit.shape().heads() - unit.head);
    }

    private float lengthFactor() {
        return unit.shape().lengthFactor(unit.shape().counted(0, unit.length));
    }

    /** Computes the outputs of a group of heads, beginning with the head of the unit. Returns the number of heads. */
    int forward(AttentionOutputs outputs, AttentionUnit first) {
        set(first);
        weigh();
        products.sum(outputs.outputs(), p, false, unit.inputs().values(), 1);
        if (hasIdentities()) {
            averageTokens(outputs.identityOutputs(), unit.inputs().tokens());
        }
        int heads = heads();
        if (outputs.normalizers().length > 0) {
            saveNormalizers(outputs.normalizers());
        }
        unit = NO_UNIT;
        return heads;
    }

    private void averageTokens(float[] z, float[] tokens) {
        if (isFirst()) {
            Arrays.fill(z, unit.tokenAt(0), unit.tokenAt(unit.length), 0);
        }
        if (unit.length == 1) {
            products.addToken(z, p, b, tokens);
            return;
        }
        products.addHeads(weights, p, b);
        if (isLast()) {
            products.addTokens(z, weights, tokens);
        }
    }

    /** Computes the weights from scores &lt;q, k&gt; + a &lt;x, x&gt;. */
    private void weigh() {
        products.multiplyHeads(p, unit.inputs().queries(), unit.inputs().keys());
        if (hasIdentities()) {
            addToHeads(p, a, ofTokens);
        }
        float sharpness = ScoreStrip.sharpness(unit.shape(), lengthFactor());
        for (int i = 0; i < unit.length; i++) {
            softmax(i, sharpness);
        }
    }

    /** Adds, for each pair and head, the product of the head's factor and the pair's number. */
    private void addToHeads(float[] to, float[] factors, float[] ofPairs) {
        FloatVector factor = FloatVector.fromArray(SPECIES, factors, 0);
        for (int pair = 0; pair < pairs(); pair++) {
            factor.fma(FloatVector.broadcast(SPECIES, ofPairs[pair]), FloatVector.fromArray(SPECIES, to, pair * LANES))
                    .intoArray(to, pair * LANES);
        }
    }

    /** Computes weights as {@link AttentionWeights} does, but for all keys at once, and divides them by their sum. */
    private void softmax(int i, float sharpness) {
        int start = i * unit.length * LANES;
        int end = start + unit.length * LANES;
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
        for (int at = start; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, p, at).div(total).intoArray(p, at);
        }
        reference.intoArray(references, i * LANES);
        total.intoArray(totals, i * LANES);
    }

    private void saveNormalizers(float[] normalizers) {
        for (int at = 0; at < unit.length * LANES; at += LANES) {
            FloatVector.fromArray(SPECIES, references, at)
                    .add(PowerOfTwo.inverse(FloatVector.fromArray(SPECIES, totals, at)))
                    .mul(LN_2)
                    .intoArray(references, at);
        }
        for (int i = 0; i < unit.length; i++) {
            System.arraycopy(references, i * LANES, normalizers, unit.numberAt(i), heads());
        }
    }

    /**
     * Computes the gradients of a group of heads; the gradients of a and b go to {@code partials}. Returns the number
     * of heads.
     */
    int backward(BackwardCall call, BackwardPartials partials, AttentionUnit first) {
        set(first);
        AttentionInputs inputs = unit.inputs();
        AttentionInputs dInputs = call.dInputs;
        float[] dOutputs = call.dOutputs.outputs();
        float scale = unit.shape().scoreScale();
        int heads = heads();
        weigh();
        products.multiplyHeads(dp, dOutputs, inputs.values());
        if (hasIdentities()) {
            if (isFirst()) {
                products.multiplyTokens(ofOutputs, call.dOutputs.identityOutputs(), inputs.tokens());
            }
            addToHeads(dp, b, ofOutputs);
        }
        for (int i = 0; i < unit.length; i++) {
            differentiate(i, lengthFactor());
        }
        products.sum(dInputs.values(), p, true, dOutputs, 1);
        products.sum(dInputs.keys(), dp, true, inputs.queries(), scale);
        products.sum(dInputs.queries(), dp, false, inputs.keys(), scale);
        if (hasIdentities()) {
            products.sumPairs(da, dp, ofTokens);
            products.sumPairs(db, p, ofOutputs);
            for (int head = 0; head < heads; head++) {
                partials.setIdentities(unit, head, (float) (scale * da[head]), (float) db[head]);
            }
            products.addHeads(weights, p, b);
            products.addHeads(dScores, dp, a);
            if (isLast()) {
                dTokens(dInputs.tokens(), call.dOutputs.identityOutputs());
            }
        }
        unit = NO_UNIT;
        return heads;
    }

    /** ds_ij = {@code lengthFactor} p_ij (dp_ij - sum_l p_il dp_il), for all j. */
    private void differentiate(int i, float lengthFactor) {
        int start = i * unit.length * LANES;
        int end = start + unit.length * LANES;
        FloatVector mean = FloatVector.zero(SPECIES);
        for (int at = start; at < end; at += LANES) {
            mean = FloatVector.fromArray(SPECIES, p, at).fma(FloatVector.fromArray(SPECIES, dp, at), mean);
        }
        for (int at = start; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, dp, at)
                    .sub(mean)
                    .mul(FloatVector.fromArray(SPECIES, p, at).mul(lengthFactor))
                    .intoArray(dp, at);
        }
    }

    /** dx_i += scale sum_j (A_ij + A_ji) x_j + sum_j B_ji dz_j, with A = sum_h a_h ds^h and B = sum_h b_h p^h. */
    private void dTokens(float[] gradient, float[] dz) {
        int length = unit.length;
        float scale = unit.shape().scoreScale();
        for (int i = 0; i < length; i++) {
            for (int j = 0; j <= i; j++) {
                int ij = i * length + j;
                int ji = j * length + i;
                float both = scale * (dScores[ij] + dScores[ji]);
                dScores[ij] = both;
                dScores[ji] = both;
                float weight = weights[ij];
                weights[ij] = weights[ji];
                weights[ji] = weight;
            }
        }
        products.addTokens(gradient, dScores, unit.inputs().tokens());
        products.addTokens(gradient, weights, dz);
    }
}

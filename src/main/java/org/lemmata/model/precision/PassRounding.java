package org.lemmata.model.precision;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionRounding;
import org.lemmata.kernel.attention.RoundedAttention;
import org.lemmata.kernel.attention.ScalarRoundedAttention;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.MatMulRounding;
import org.lemmata.kernel.matmul.RoundedMatMul;
import org.lemmata.kernel.matmul.ScalarRoundedMatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.NormalizationRounding;
import org.lemmata.kernel.normalization.RoundedNormalization;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Applies a {@link PrecisionPolicy} in the passes of one model. It rounds complete tensors and provides kernels for
 * sums whose steps are rounded. With {@link PrecisionPolicy#none} it rounds nothing and provides the ordinary kernels.
 *
 * <p>If a training step computes a tensor again, it uses the same random words. Only stochastic sums of attention use
 * other words in the backward pass.
 */
public final class PassRounding {

    /** The purpose of a product or a norm. Each purpose has its own random words for sums. */
    public enum Use {
        FORWARD(0),
        WEIGHT_GRADIENT(32),
        INPUT_GRADIENT(64);

        /** The number of the purpose's first random stream. Tensors have numbers below 32. */
        private final int first;

        Use(int first) {
            this.first = first;
        }
    }

    /** The first random-stream number of parameter gradients. Lower numbers are for activation gradients. */
    static final int PARAMETER_GRADIENTS = 64;

    /** The number of the random stream of attention, for all its sites. */
    private static final int ATTENTION = 0;

    private final PrecisionPolicy policy;
    private final Kernels kernels;

    /** The rounding of each tensor that this class rounds; tensors that a kernel rounds are absent. */
    private final Map<PassTensor, TensorRounding> roundings = new EnumMap<>(PassTensor.class);

    private final @Nullable TensorRounding gradients;
    private final @Nullable Rounding sums;
    private final boolean attends;
    private final boolean attendsBackward;
    private final boolean places;

    private final Matrix ofTensor = Matrix.empty();
    private final Matrix ofAddend = Matrix.empty();

    /** The training step, 0 outside of training. */
    private long step;

    public PassRounding(PrecisionPolicy policy, Kernels kernels) {
        this.policy = policy.requireBinary32();
        this.kernels = kernels;
        for (PassTensor tensor : PassTensor.values()) {
            TensorRounding rounding = policy.active(tensor.site());
            // The attention kernel rounds its quotients, unless their format has shared scales.
            boolean ofKernel = tensor.site() == PrecisionSite.OUTPUTS && rounding instanceof Rounding;
            if (rounding != null && !ofKernel) {
                roundings.put(tensor, rounding);
            }
        }
        gradients = policy.active(PrecisionSite.GRADIENTS);
        sums = policy.elementwise(PrecisionSite.SUMS);
        attends = sums != null
                || policy.elementwise(PrecisionSite.SCORES) != null
                || policy.elementwise(PrecisionSite.EXPONENTIALS) != null
                || policy.elementwise(PrecisionSite.OUTPUTS) != null;
        attendsBackward = attends
                || gradients instanceof Rounding
                // The ordinary backward pass computes the mean gradient of a query's weights from its output, which
                // is wrong if the output is rounded.
                || roundings.containsKey(PassTensor.HEADS);
        places = roundings.values().stream().anyMatch(TensorRounding::isStochastic)
                || (gradients != null && gradients.isStochastic())
                || (sums != null && sums.isStochastic());
    }

    public void begin(long newStep) {
        step = newStep;
    }

    public long step() {
        return step;
    }

    public PrecisionPolicy policy() {
        return policy;
    }

    /**
     * Whether a rounding outside the attention kernel, or of sums, is stochastic, so that the rounding of a row depends
     * on the row's place in its tensor.
     */
    public boolean dependsOnPlaces() {
        return places;
    }

    /** Whether the passes round nothing; weights may have been rounded before. */
    public boolean isOfWeightsAlone() {
        return roundings.isEmpty() && gradients == null && sums == null && !attends;
    }

    /** Whether an intermediate tensor, a gradient or a sum is rounded, so that one kernel cannot run the whole part. */
    public boolean reachesInto(FeedForwardShape shape) {
        return sums != null
                || gradients != null
                || roundings.containsKey(PassTensor.ACTIVE)
                || (shape.normalization() != null && roundings.containsKey(PassTensor.INNER_NORM));
    }

    /** Rounds a tensor of rows x columns in place. */
    public void round(PassTensor tensor, int layer, float[] x, int rows, int columns) {
        TensorRounding rounding = roundings.get(tensor);
        if (rounding != null) {
            RandomStream stream = policy.stream(tensor.site(), layer, tensor.number(), step);
            ofTensor.at(x, rows, columns);
            kernels.quantization().round(ofTensor, ofTensor, rounding, stream);
        }
    }

    public void roundGradient(PassTensor tensor, int layer, float[] dx, int rows, int columns) {
        if (gradients != null) {
            RandomStream stream = policy.stream(PrecisionSite.GRADIENTS, layer, tensor.number(), step);
            ofTensor.at(dx, rows, columns);
            kernels.quantization().round(ofTensor, ofTensor, gradients, stream);
        }
    }

    /** y += x. If the format rounds elements separately, each exact sum is rounded once. */
    public void add(PassTensor tensor, int layer, float[] y, float[] x, int rows, int columns) {
        if (roundings.get(tensor) instanceof Rounding rounding) {
            RandomStream stream = policy.stream(tensor.site(), layer, tensor.number(), step);
            ofTensor.at(y, rows, columns);
            kernels.quantization().add(ofTensor, ofTensor, ofAddend.at(x, rows, columns), rounding, stream);
        } else {
            kernels.arithmetic().addInto(y, 0, x, 0, rows * columns);
            round(tensor, layer, y, rows, columns);
        }
    }

    public void addGradient(PassTensor tensor, int layer, float[] y, float[] x, int rows, int columns) {
        if (gradients instanceof Rounding rounding) {
            RandomStream stream = policy.stream(PrecisionSite.GRADIENTS, layer, tensor.number(), step);
            ofTensor.at(y, rows, columns);
            kernels.quantization().add(ofTensor, ofTensor, ofAddend.at(x, rows, columns), rounding, stream);
        } else {
            kernels.arithmetic().addInto(y, 0, x, 0, rows * columns);
            roundGradient(tensor, layer, y, rows, columns);
        }
    }

    /** Whether {@link #add} rounds each exact sum of a tensor once. */
    public boolean addsExactly(PassTensor tensor) {
        return roundings.get(tensor) instanceof Rounding;
    }

    /** The kernel for the product that gives a tensor, or for a product of its backward pass. */
    public MatMul matMul(PassTensor tensor, int layer, Use use) {
        if (sums == null) {
            return kernels.matMul();
        }
        var steps = new MatMulRounding(sums, sums, null);
        RandomStream stream = sumStream(tensor, layer, use);
        return kernels.simd()
                ? new RoundedMatMul(steps, stream, kernels.workers())
                : new ScalarRoundedMatMul(steps, stream);
    }

    /** The kernel for the norm that gives a tensor, or for its backward pass. */
    public Normalization normalization(PassTensor tensor, int layer, Use use) {
        return sums == null
                ? kernels.normalization()
                : new RoundedNormalization(
                        new NormalizationRounding(sums, sums, null),
                        sumStream(tensor, layer, use),
                        kernels.normalization(),
                        kernels.quantization());
    }

    private RandomStream sumStream(PassTensor tensor, int layer, Use use) {
        return policy.stream(PrecisionSite.SUMS, layer, use.first + tensor.number(), step);
    }

    public Attention attention(int layer) {
        return attends ? roundedAttention(layer) : kernels.attention();
    }

    public Attention attentionBackward(int layer) {
        return attendsBackward ? roundedAttention(layer) : kernels.attention();
    }

    private Attention roundedAttention(int layer) {
        var rounding = new AttentionRounding(
                policy.elementwise(PrecisionSite.SCORES),
                policy.elementwise(PrecisionSite.EXPONENTIALS),
                sums,
                policy.elementwise(PrecisionSite.OUTPUTS),
                gradients instanceof Rounding elementwise ? elementwise : null);
        RandomStream stream = policy.stream(PrecisionSite.SCORES, layer, ATTENTION, step);
        return kernels.simd()
                ? new RoundedAttention(rounding, stream, kernels.workers())
                : new ScalarRoundedAttention(rounding, stream);
    }
}

package org.lemmata.train;

import java.util.Map;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.BlockFormat;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.number.TensorRounding;

/** Common precision policies for training, named by a parameter of a benchmark. */
final class MixedPrecision {

    /**
     * The factor of losses. Gradients of a mean over 496 rows are small compared with 2^-14, and binary16 has fewer
     * bits below 2^-14.
     */
    private static final double LOSS_SCALE = 1024;

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
    private static final Rounding BINARY16 = Rounding.toNearestEven(FloatFormat.BINARY16);

    /** Saturating OCP E4M3. In practice, 8-bit floats are scaled to avoid overflow; here they saturate. */
    private static final Rounding E4M3 = new Rounding(FloatFormat.OCP_E4M3, Mode.TIES_TO_EVEN, true, true);

    private static final Rounding E5M2 = new Rounding(FloatFormat.OCP_E5M2, Mode.TIES_TO_EVEN, true, true);

    private static final Map<String, PrecisionPolicy> POLICIES = Map.of(
            "none", PrecisionPolicy.none(),
            "bfloat16", withGradients(BFLOAT16, BFLOAT16),
            "binary16", withGradients(BINARY16, BINARY16),
            "binary16-scaled", withGradients(BINARY16, BINARY16).withLossScale(LOSS_SCALE),
            "ocp8-scaled", withGradients(E4M3, E5M2).withLossScale(LOSS_SCALE),
            "mxfp8",
                    withGradients(
                            BlockRounding.toNearestEven(block("mxfp8_e4m3")),
                            BlockRounding.toNearestEven(block("mxfp8_e5m2"))),
            "bfloat16-master", withGradients(BFLOAT16, BFLOAT16).with(PrecisionSite.MASTER_WEIGHTS, BFLOAT16),
            "bfloat16-master-stochastic",
                    withGradients(BFLOAT16, BFLOAT16)
                            .with(
                                    PrecisionSite.MASTER_WEIGHTS,
                                    new Rounding(FloatFormat.BFLOAT16, Mode.STOCHASTIC, true, false)));

    private MixedPrecision() {}

    private static PrecisionPolicy withGradients(TensorRounding tensors, TensorRounding gradients) {
        return PrecisionPolicy.tensors(tensors).with(PrecisionSite.GRADIENTS, gradients);
    }

    private static BlockFormat block(String name) {
        return BlockFormat.NAMED.stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static PrecisionPolicy policy(String name) {
        PrecisionPolicy policy = POLICIES.get(name);
        if (policy == null) {
            throw new IllegalArgumentException("policy: expected one of " + POLICIES.keySet() + ", got '" + name + "'");
        }
        return policy;
    }
}

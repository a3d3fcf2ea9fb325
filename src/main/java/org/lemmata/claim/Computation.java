package org.lemmata.claim;

import java.util.Optional;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;

/**
 * The kernels and number formats with which a claim's models compute. Only models from {@link #model} depend on the
 * user's number format.
 */
public final class Computation {

    /** The displayed name of a computation without a policy. */
    public static final String UNROUNDED = "none";

    private final Kernels kernels;
    private final Optional<PrecisionPolicy> policy;
    private final boolean isForced;
    private volatile boolean hasModels;

    /**
     * A computation with the rounding of a policy in forward passes. A policy without rounding in forward passes counts
     * as no policy.
     *
     * @param policy the policy; empty if the construction itself chooses between binary32 and binary64
     * @param isForced whether to use formats that are too narrow for a construction
     */
    public Computation(Kernels kernels, Optional<PrecisionPolicy> policy, boolean isForced) {
        this.kernels = kernels;
        this.policy = policy.map(PrecisionPolicy::ofInference).filter(rounding -> !rounding.isNone());
        this.isForced = isForced;
    }

    /** A computation that rejects formats that are too narrow. */
    public Computation(Kernels kernels, Optional<PrecisionPolicy> policy) {
        this(kernels, policy, false);
    }

    /** A computation without rounding. */
    public static Computation unrounded(Kernels kernels) {
        return new Computation(kernels, Optional.empty());
    }

    /**
     * The model of a construction.
     *
     * @throws org.lemmata.construct.UnmetDemandException if its weights or sums need more bits than the format has, and
     *     the format is not forced
     */
    public LanguageModel model(Construction construction) {
        hasModels = true;
        return policy.map(rounding ->
                        isForced ? construction.forced(rounding, kernels) : construction.model(rounding, kernels))
                .orElseGet(() -> construction.model(kernels));
    }

    /** A copy for which {@link #hasModels} is false. */
    Computation anew() {
        return new Computation(kernels, policy, isForced);
    }

    /** Whether {@link #model} was called, so that the measurements depend on the policy. */
    public boolean hasModels() {
        return hasModels;
    }

    public Kernels kernels() {
        return kernels;
    }

    /** The policy; empty if the construction itself chooses between binary32 and binary64. */
    public Optional<PrecisionPolicy> policy() {
        return policy;
    }

    public boolean isRounded() {
        return policy.isPresent();
    }

    /** The displayed name of the policy. */
    public String precision() {
        return policy.map(PrecisionPolicy::label).orElse(UNROUNDED);
    }
}

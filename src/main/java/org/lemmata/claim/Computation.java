package org.lemmata.claim;

import java.util.Optional;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;

/** What the models of a claim compute with. A claim depends on the format asked for if it takes models from here. */
public final class Computation {

    /** Stands for the policy where there is none. */
    public static final String UNROUNDED = "none";

    private final Kernels kernels;
    private final Optional<PrecisionPolicy> policy;
    private final boolean isForced;
    private volatile boolean hasModels;

    /**
     * A policy counts for what it rounds in a forward pass; one that rounds nothing there is none.
     *
     * @param kernels the implementations of operations
     * @param policy what is rounded; empty where the construction itself chooses between binary32 and binary64
     * @param isForced whether formats that are too narrow for a construction are taken nevertheless
     */
    public Computation(Kernels kernels, Optional<PrecisionPolicy> policy, boolean isForced) {
        this.kernels = kernels;
        this.policy = policy.map(PrecisionPolicy::ofInference).filter(rounding -> !rounding.isNone());
        this.isForced = isForced;
    }

    /** Formats that are too narrow are rejected. */
    public Computation(Kernels kernels, Optional<PrecisionPolicy> policy) {
        this(kernels, policy, false);
    }

    /** Nothing is rounded. */
    public static Computation unrounded(Kernels kernels) {
        return new Computation(kernels, Optional.empty());
    }

    /**
     * The model of a construction.
     *
     * @throws org.lemmata.construct.UnmetDemandException if its weights or sums take more bits than there are, and it
     *     is not forced
     */
    public LanguageModel model(Construction construction) {
        hasModels = true;
        return policy.map(rounding ->
                        isForced ? construction.forced(rounding, kernels) : construction.model(rounding, kernels))
                .orElseGet(() -> construction.model(kernels));
    }

    /** The same, of which no model was asked for. */
    Computation anew() {
        return new Computation(kernels, policy, isForced);
    }

    /** Whether a model was asked for, so that what was measured depends on the policy. */
    public boolean hasModels() {
        return hasModels;
    }

    public Kernels kernels() {
        return kernels;
    }

    /** What is rounded; empty where the construction itself chooses between binary32 and binary64. */
    public Optional<PrecisionPolicy> policy() {
        return policy;
    }

    public boolean isRounded() {
        return policy.isPresent();
    }

    /** A name of the policy for people. */
    public String precision() {
        return policy.map(PrecisionPolicy::label).orElse(UNROUNDED);
    }
}

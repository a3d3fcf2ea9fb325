package org.lemmata.claim;

import org.lemmata.construct.UnmetDemandException;

/** A claim on constructions and formulas, which is computed anew whenever it is checked. */
public non-sealed interface ComputedClaim extends Claim {

    /**
     * Runs the test on the models that {@code computation} makes of constructions.
     *
     * @throws UnmetDemandException if it cannot hold one of them
     */
    Finding check(Budget budget, Computation computation);

    /** A construction is the paper's at every budget; the range says how many cases are looked at. */
    @Override
    default String size(Budget budget) {
        return Sizes.PAPER;
    }
}

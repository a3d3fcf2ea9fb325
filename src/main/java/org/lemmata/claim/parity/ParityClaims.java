package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Kim and Suzuki (2024), roughly in the paper's order; the comparison of sections 3.1 to 3.3 is last. */
public final class ParityClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(
                Hardness.CLAIM,
                Hardness.PRINTED,
                Hardness.VARIANCE,
                Hardness.VARIANCE_PRINTED,
                Hardness.ON_SAMPLES,
                Hardness.ORACLE_PRINTED,
                GradientNorms.FORCED,
                GradientNorms.LEADING,
                Learning.ONE_STEP,
                SampleComplexity.CLAIM,
                GradientNorms.CHAIN,
                Learning.CORRECTED,
                SampleEffects.PRINTED,
                SampleEffects.CLAIM,
                Learning.FORMATS,
                MeanParity.CLAIM,
                MeanParity.PRINTED,
                Concentration.PRODUCTS,
                Concentration.MEANS,
                Separation.CLAIM);
    }
}

package org.lemmata.claim.parity;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Kim and Suzuki (2024), roughly in the paper's order; the comparison of sections 3.1 to 3.3 is last. */
public final class ParityClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.of(
                        List.of(Hardness.CLAIM, Hardness.PRINTED, Hardness.VARIANCE, Hardness.VARIANCE_PRINTED),
                        List.of(Hardness.ON_SAMPLES, Hardness.ORACLE_PRINTED),
                        List.of(GradientNorms.FORCED, GradientNorms.LEADING, Learning.ONE_STEP, SampleComplexity.CLAIM),
                        List.of(
                                GradientNorms.CHAIN,
                                Learning.CORRECTED,
                                SampleEffects.PRINTED,
                                SampleEffects.CLAIM,
                                Learning.FORMATS),
                        List.of(MeanParity.CLAIM, MeanParity.PRINTED, Concentration.PRODUCTS, Concentration.MEANS),
                        List.of(Separation.CLAIM))
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

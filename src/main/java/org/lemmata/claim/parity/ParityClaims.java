package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Kim and Suzuki (2024), in the paper's order. */
public final class ParityClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(
                new Hardness(),
                HardnessPrinted.CLAIM,
                new GradientVariance(),
                GradientVariance.PRINTED,
                new FiniteSampleHardness(),
                FiniteSampleHardness.ORACLE_PRINTED,
                new GradientNorms(false),
                new LeadingTerm(),
                new OneStep(),
                new GradientNorms(true),
                Generated.CORRECTED,
                Generated.PRINTED,
                Generated.CONTROLS,
                new MeanParity(),
                MeanParity.PRINTED,
                new Concentration(),
                new AugmentedConcentration(),
                new Separation());
    }
}

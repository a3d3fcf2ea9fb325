package org.lemmata.claim.symbol;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Boix-Adsera et al. (2024), in the paper's order. */
public final class SymbolClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(
                FlowLimit.CLAIM,
                UnseenSymbols.CLAIM,
                UnseenSymbols.PRINTED,
                RidgeBound.CLAIM,
                RidgeBound.PRINTED,
                NonsingularLink.CLAIM,
                PermutationCondition.CLAIM,
                GaussianIntegral.CLAIM,
                GaussianIntegral.LEMMA_E1_PRINTED,
                AttentionDerivatives.CORRECTED,
                AttentionDerivatives.PRINTED,
                WideNetworks.CLAIM,
                PerceptronFailure.TRAINED,
                PerceptronFailure.KERNEL,
                PermutedPerceptron.CLAIM);
    }
}

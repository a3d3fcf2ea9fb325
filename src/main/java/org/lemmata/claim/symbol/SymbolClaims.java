package org.lemmata.claim.symbol;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Boix-Adsera et al. (2024) that are not about figures, in display order. */
public final class SymbolClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(
                FlowLimit.CLAIM,
                UnseenSymbols.CLAIM,
                RidgeBound.ORDER_N,
                RidgeBound.CLAIM,
                PermutationCondition.NONSINGULAR,
                PermutationCondition.CLAIM,
                GaussianIntegral.CLAIM,
                GaussianIntegral.LEMMA_E1_PRINTED,
                AttentionDerivatives.CLAIM,
                AttentionDerivatives.PRINTED,
                WideNetworks.CLAIM,
                PerceptronFailure.TRAINED,
                PerceptronFailure.KERNEL,
                PerceptronFailure.PERMUTED,
                Copying.FAILS,
                Copying.FAILS_PRINTED,
                Copying.COPIES,
                Copying.RATES_PRINTED);
    }
}

package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Richard (2024) about constructions and formulas, in display order. */
public final class DepthClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(
                Figure2.CLAIM,
                Lemma51.CLAIM,
                Theorem31.MEMORIZATION,
                Theorem31.MEMORIZATION_PRINTED,
                Theorem31.LOSS,
                Theorem31.LOSS_PRINTED,
                Section3Remarks.SCALING_CORRECTED,
                Theorem31.SCALING_PRINTED,
                Section3Remarks.OPTIMUM_CORRECTED,
                Section3Remarks.OPTIMUM,
                SeveralSequences.CLAIM,
                Stability.CLAIM,
                Stability.PRINTED,
                Lemma52.CLAIM,
                Theorem41.LOSS,
                Theorem41.MEMORIZATION,
                Theorem41.GENERALIZATION,
                Theorem41.CONVERSE,
                Claim53.CLAIM,
                SeveralTypes.CLAIM,
                SeveralTypesByPosition.CLAIM,
                SeveralTypesCompleter.CLAIM,
                Algorithm1.CLAIM);
    }
}

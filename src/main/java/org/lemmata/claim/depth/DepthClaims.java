package org.lemmata.claim.depth;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Richard (2024) about constructions and formulas, in display order. */
public final class DepthClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.of(
                        List.of(Figure2.CLAIM, Lemma51.CLAIM),
                        List.of(
                                Theorem31.MEMORIZATION,
                                Theorem31.MEMORIZATION_PRINTED,
                                Theorem31.LOSS,
                                Theorem31.LOSS_PRINTED),
                        List.of(Section3Remarks.SCALING_CORRECTED, Theorem31.SCALING_PRINTED),
                        List.of(Section3Remarks.OPTIMUM_CORRECTED, Section3Remarks.OPTIMUM, SeveralSequences.CLAIM),
                        List.of(Stability.CLAIM, Stability.PRINTED, Lemma52.CLAIM),
                        List.of(Theorem41.LOSS, Theorem41.MEMORIZATION, Theorem41.GENERALIZATION, Theorem41.CONVERSE),
                        List.of(
                                Claim53.CLAIM,
                                SeveralTypes.CLAIM,
                                SeveralTypesByPosition.CLAIM,
                                SeveralTypesCompleter.CLAIM),
                        List.of(Algorithm1.CLAIM))
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

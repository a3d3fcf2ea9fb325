package org.lemmata.claim.length;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.length.figure.BracketComparison;
import org.lemmata.claim.length.figure.Figure3;
import org.lemmata.claim.length.figure.ModPTaskFigure;
import org.lemmata.claim.length.figure.NumberComparison;
import org.lemmata.claim.length.figure.SimpleTaskFigure;
import org.lemmata.claim.length.figure.WordComparison;

/** The claims of Izzo, Nichani and Lee (2025), in the paper's order. */
public final class LengthClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.<List<? extends Claim>>of(
                        List.of(SimpleTaskValue.CLAIM, SimpleTaskNorms.CLAIM, ModPTaskValue.CLAIM),
                        Retired.CLAIMS,
                        List.of(
                                Identifiability.CLAIM,
                                Hardmax.CLAIM,
                                LogitMarginCorrected.CLAIM,
                                LogitMarginPrinted.CLAIM,
                                Theorem41String.CLAIM,
                                Theorem41StringPrinted.CLAIM,
                                Theorem41Bound.CLAIM,
                                Theorem41BoundPrinted.CLAIM),
                        SimpleTaskFigure.CLAIMS,
                        ModPTaskFigure.CLAIMS,
                        Figure3.CLAIMS,
                        List.of(
                                NumberComparison.SIMPLE_TASK,
                                NumberComparison.MOD_P_TASK,
                                new WordComparison(),
                                BracketComparison.recognition(),
                                BracketComparison.generation()))
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

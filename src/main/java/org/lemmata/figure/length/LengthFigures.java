package org.lemmata.figure.length;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims about the figures of Izzo, Nichani and Lee (2025), in the paper's order. */
public final class LengthFigures implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.of(
                        SimpleTaskFigure.CLAIMS,
                        ModPTaskFigure.CLAIMS,
                        Figure3.CLAIMS,
                        List.of(
                                NumberComparison.SIMPLE_TASK,
                                NumberComparison.MOD_P_TASK,
                                WordComparison.CLAIM,
                                BracketComparison.RECOGNITION,
                                BracketComparison.GENERATION))
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

package org.lemmata.figure.depth;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims about the figures of Richard (2024), in the paper's order. */
public final class DepthFigures implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.of(
                        Figure1.CLAIMS,
                        Figure3Left.CLAIMS,
                        Figure3Right.CLAIMS,
                        List.of(SingleSequenceLoss.CLAIM),
                        Figure4.CLAIMS,
                        Figure5.CLAIMS,
                        Figure6.CLAIMS,
                        Figure7.CLAIMS)
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

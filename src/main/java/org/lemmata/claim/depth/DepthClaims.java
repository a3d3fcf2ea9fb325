package org.lemmata.claim.depth;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.depth.figure.Figure1;
import org.lemmata.claim.depth.figure.Figure3Left;
import org.lemmata.claim.depth.figure.Figure3Right;
import org.lemmata.claim.depth.figure.Figure4;
import org.lemmata.claim.depth.figure.Figure5;
import org.lemmata.claim.depth.figure.Figure6;
import org.lemmata.claim.depth.figure.Figure7;

/** The claims of Richard (2024), in the paper's order. */
public final class DepthClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.<List<? extends Claim>>of(
                        List.of(
                                new Figure2(),
                                new Lemma51(),
                                new Theorem31Memorization(),
                                new Theorem31MemorizationPrinted(),
                                new Theorem31Loss(),
                                new Theorem31LossPrinted(),
                                new Stability(),
                                new StabilityPrinted(),
                                new Lemma52(),
                                new Theorem41Loss(),
                                new Theorem41Memorization(),
                                new Theorem41Generalization(),
                                new Theorem41Converse(),
                                new Claim53(),
                                new SeveralTypes(),
                                new SeveralTypesByPosition(),
                                new SeveralTypesCompleter(),
                                new Algorithm1()),
                        Figure1.CLAIMS,
                        Figure3Left.CLAIMS,
                        Figure3Right.CLAIMS,
                        Figure4.CLAIMS,
                        Figure5.CLAIMS,
                        Figure6.CLAIMS,
                        Figure7.CLAIMS)
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

package org.lemmata.figure.hierarchy;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims about the figures of Hayakawa and Sato (2024), in the paper's order. */
public final class HierarchyFigures implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return Stream.of(BracketFigure.CLAIMS, TextTables.CLAIMS)
                .<Claim>flatMap(List::stream)
                .toList();
    }
}

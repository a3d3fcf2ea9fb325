package org.lemmata.figure.parity;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claim about figure 4 of Kim and Suzuki, and two beyond the paper. */
public final class ParityFigures implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(Figure4.CLAIM, GeneralTransformer.CHAIN, GeneralTransformer.BITS);
    }
}

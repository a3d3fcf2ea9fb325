package org.lemmata.claim.symbol;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;

/** The claims of Boix-Adsera et al. (2024), in the paper's order. */
public final class SymbolClaims implements ClaimProvider {

    @Override
    public List<Claim> claims() {
        return List.of(Copying.values());
    }
}

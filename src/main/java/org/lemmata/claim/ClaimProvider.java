package org.lemmata.claim;

import java.util.List;

/**
 * The claims of one paper, found by {@link java.util.ServiceLoader}: a public class with a constructor of no
 * parameters, named in {@code META-INF/services/org.lemmata.claim.ClaimProvider} of its jar.
 */
public interface ClaimProvider {

    /** In the order in which they are shown; their ids are unlike all others. */
    List<Claim> claims();
}

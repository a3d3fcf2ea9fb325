package org.lemmata.claim;

import java.util.List;

/**
 * Claims of one paper, found by {@link java.util.ServiceLoader}. An implementation is a public class with a constructor
 * without parameters, named in {@code META-INF/services/org.lemmata.claim.ClaimProvider} of its jar.
 */
public interface ClaimProvider {

    /** The claims in display order. Their ids are unique among all papers. */
    List<Claim> claims();
}

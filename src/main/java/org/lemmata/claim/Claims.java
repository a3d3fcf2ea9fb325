package org.lemmata.claim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;

/** Every claim that there is, ours and other people's: those of each {@link ClaimProvider}. */
public final class Claims {

    private static final List<Claim> CLAIMS = ServiceLoader.load(ClaimProvider.class).stream()
            .flatMap(provider -> provider.get().claims().stream())
            .toList();

    private Claims() {}

    /** Every claim, in the order of the papers. */
    public static List<Claim> all() {
        return CLAIMS;
    }

    /**
     * The claims that words select: an id, or its first parts, such as a paper's key ({@code depth},
     * {@code depth.theorem-4.1}); all claims for no words. Each claim comes once.
     *
     * @throws IllegalArgumentException if a word selects none
     */
    public static List<Claim> select(List<String> words) {
        return select(words, false);
    }

    /**
     * The same.
     *
     * @param alone whether a word that is an id selects that claim alone, as settings ask for
     */
    public static List<Claim> select(List<String> words, boolean alone) {
        if (words.isEmpty()) {
            return CLAIMS;
        }
        var selected = new LinkedHashSet<Claim>();
        for (String word : words) {
            List<Claim> matching = CLAIMS.stream()
                    .filter(claim -> claim.id().equals(word) || claim.id().startsWith(word + "."))
                    .filter(claim -> claim.id().equals(word) || !alone || !isId(word))
                    .toList();
            if (matching.isEmpty()) {
                throw new IllegalArgumentException("claim: expected one of "
                        + String.join(", ", CLAIMS.stream().map(Claim::id).toList()) + " or a paper's key (" + keys()
                        + "), got " + Refuse.quoted(word));
            }
            selected.addAll(matching);
        }
        return List.copyOf(selected);
    }

    /** The grid of a figure, by the figure's id or that of a claim on it. */
    public static Optional<FigureGrid> grid(String id) {
        return figures()
                .filter(claim -> claim.id().equals(id) || claim.grid().id().equals(id))
                .map(FigureClaim::grid)
                .findFirst();
    }

    /** The grids of a paper's figures, each once. */
    public static List<FigureGrid> grids(String paper) {
        return figures()
                .map(FigureClaim::grid)
                .filter(grid -> grid.paper().equals(paper))
                .distinct()
                .toList();
    }

    private static Stream<FigureClaim> figures() {
        return CLAIMS.stream().filter(FigureClaim.class::isInstance).map(FigureClaim.class::cast);
    }

    private static boolean isId(String word) {
        return CLAIMS.stream().anyMatch(claim -> claim.id().equals(word));
    }

    private static String keys() {
        return CLAIMS.stream()
                .map(claim -> claim.statement().source().paper().key())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}

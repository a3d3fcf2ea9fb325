package org.lemmata.claim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.setting.Plugin;
import org.lemmata.source.Paper;
import org.lemmata.track.Evidence;

/** All claims of Lemmata and of plugins, from every {@link ClaimProvider}. */
public final class Claims {

    private static final String ID = "[A-Za-z0-9-]+([.][A-Za-z0-9_-]+)+";

    /** Loaded at first use: plugins are not known earlier. */
    private static final class Used {
        private static final List<Plugin.Found<Claim>> FOUND = found(Plugin.used());
        private static final List<Claim> CLAIMS =
                FOUND.stream().map(Plugin.Found::value).toList();
    }

    private Claims() {}

    /**
     * Lemmata's claims and the claims of {@code plugins}. The id of each claim must begin with the key of its paper. A
     * plugin's claims must not use the key of one of Lemmata's papers.
     *
     * @throws IllegalArgumentException if a plugin cannot be used, or an id is not legal
     */
    public static List<Plugin.Found<Claim>> found(List<Plugin> plugins) {
        List<Plugin.Found<Claim>> found =
                Plugin.found("claim", ClaimProvider.class, ClaimProvider::claims, Claims::id, plugins);
        for (Plugin.Found<Claim> claim : found) {
            Refuse.when(
                    !claim.plugin().isEmpty()
                            && Paper.ALL.stream().map(Paper::key).anyMatch(paper(claim.name())::equals),
                    "plugin " + claim.plugin() + ": claim",
                    "an id that begins with no key of Lemmata's papers",
                    Refuse.quoted(claim.name()));
        }
        return found;
    }

    private static String id(Claim claim) {
        String key = claim.statement().source().paper().key();
        Refuse.when(
                !claim.id().matches(ID) || !paper(claim.id()).equals(key),
                "claim",
                "an id that begins with its paper's key, such as " + key + ".theorem-1",
                Refuse.quoted(claim.id()));
        return claim.id();
    }

    /** The key of a claim's paper: the first word of the claim's id. */
    static String paper(String id) {
        return id.split("[.]", 2)[0];
    }

    /** The name of the plugin's jar that has the claim; "" for Lemmata's claims. */
    public static String plugin(Claim claim) {
        return Used.FOUND.stream()
                .filter(found -> found.value().equals(claim))
                .findFirst()
                .map(Plugin.Found::plugin)
                .orElse("");
    }

    /** The evidence of {@link Evidence#ofCheckout()}; for plugins' papers, the evidence of the current directory. */
    public static Evidence evidence() {
        Set<String> papers = Used.FOUND.stream()
                .filter(found -> !found.plugin().isEmpty())
                .map(found -> paper(found.name()))
                .collect(Collectors.toSet());
        return Evidence.ofCheckout(papers);
    }

    /** The keys of all papers, in the order of their claims. */
    public static List<String> papers() {
        return Used.CLAIMS.stream().map(claim -> paper(claim.id())).distinct().toList();
    }

    public static List<Claim> all() {
        return Used.CLAIMS;
    }

    /**
     * The claims that {@code words} select, each once. A word is an id or the beginning of an id, such as a paper's key
     * ({@code depth}, {@code depth.theorem-4.1}). An empty list selects all claims.
     *
     * @throws IllegalArgumentException if a word selects no claim
     */
    public static List<Claim> select(List<String> words) {
        if (words.isEmpty()) {
            return all();
        }
        var selected = new LinkedHashSet<Claim>();
        for (String word : words) {
            List<Claim> matching = all().stream()
                    .filter(claim -> claim.id().equals(word) || claim.id().startsWith(word + "."))
                    .toList();
            if (matching.isEmpty()) {
                throw new IllegalArgumentException(
                        "claim: expected an id that lemmata claims lists, its beginning, or a paper's key ("
                                + String.join(", ", papers())
                                + "), got " + Suggestion.quoted(word, names()));
            }
            selected.addAll(matching);
        }
        return List.copyOf(selected);
    }

    /** Words that {@link #select} accepts, for suggestions: ids, ids without their last part, figures and papers. */
    public static List<String> names() {
        return Stream.of(
                        all().stream().map(Claim::id),
                        all().stream().map(claim -> claim.id().replaceFirst("[.][a-z][^.]*$", "")),
                        figures().map(claim -> claim.grid().id()),
                        papers().stream())
                .flatMap(Function.identity())
                .distinct()
                .toList();
    }

    /** The grid of a figure, by the figure's id or the id of a claim about it. */
    public static Optional<FigureGrid> grid(String id) {
        return figures()
                .filter(claim -> claim.id().equals(id) || claim.grid().id().equals(id))
                .map(FigureClaim::grid)
                .findFirst();
    }

    /** The grids of a paper's figures, without duplicates. */
    public static List<FigureGrid> grids(String paper) {
        return figures()
                .map(FigureClaim::grid)
                .filter(grid -> grid.paper().equals(paper))
                .distinct()
                .toList();
    }

    static Stream<FigureClaim> figures() {
        return all().stream().filter(FigureClaim.class::isInstance).map(FigureClaim.class::cast);
    }
}

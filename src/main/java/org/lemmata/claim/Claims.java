package org.lemmata.claim;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.depth.Algorithm1;
import org.lemmata.claim.depth.Claim53;
import org.lemmata.claim.depth.Figure1;
import org.lemmata.claim.depth.Figure2;
import org.lemmata.claim.depth.Figure3Left;
import org.lemmata.claim.depth.Figure3Right;
import org.lemmata.claim.depth.Figure4;
import org.lemmata.claim.depth.Figure5;
import org.lemmata.claim.depth.Figure6;
import org.lemmata.claim.depth.Figure7;
import org.lemmata.claim.depth.Lemma51;
import org.lemmata.claim.depth.Lemma52;
import org.lemmata.claim.depth.SeveralTypes;
import org.lemmata.claim.depth.SeveralTypesByPosition;
import org.lemmata.claim.depth.SeveralTypesCompleter;
import org.lemmata.claim.depth.Stability;
import org.lemmata.claim.depth.StabilityPrinted;
import org.lemmata.claim.depth.Theorem31Loss;
import org.lemmata.claim.depth.Theorem31LossPrinted;
import org.lemmata.claim.depth.Theorem31Memorization;
import org.lemmata.claim.depth.Theorem31MemorizationPrinted;
import org.lemmata.claim.depth.Theorem41Converse;
import org.lemmata.claim.depth.Theorem41Generalization;
import org.lemmata.claim.depth.Theorem41Loss;
import org.lemmata.claim.depth.Theorem41Memorization;
import org.lemmata.claim.length.Hardmax;
import org.lemmata.claim.length.Identifiability;
import org.lemmata.claim.length.InfiniteScoresPrinted;
import org.lemmata.claim.length.LogitMarginCorrected;
import org.lemmata.claim.length.LogitMarginPrinted;
import org.lemmata.claim.length.ModPTaskValue;
import org.lemmata.claim.length.NumberComparison;
import org.lemmata.claim.length.SimpleTaskNorms;
import org.lemmata.claim.length.SimpleTaskNormsPrinted;
import org.lemmata.claim.length.SimpleTaskValue;
import org.lemmata.claim.length.SimpleTaskValuePrinted;
import org.lemmata.claim.length.Theorem41Bound;
import org.lemmata.claim.length.Theorem41BoundPrinted;
import org.lemmata.claim.length.Theorem41String;
import org.lemmata.claim.length.Theorem41StringPrinted;
import org.lemmata.claim.length.ThresholdingPrinted;
import org.lemmata.claim.length.WordComparison;

/** The one list of claims. */
public final class Claims {

    private static final List<Claim> CLAIMS = Stream.<List<? extends Claim>>of(
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
                    List.of(Figure1.values()),
                    List.of(Figure3Left.values()),
                    List.of(Figure3Right.values()),
                    List.of(Figure4.values()),
                    List.of(Figure5.values()),
                    List.of(Figure6.values()),
                    List.of(Figure7.values()),
                    List.of(
                            new SimpleTaskValue(),
                            new SimpleTaskValuePrinted(),
                            new SimpleTaskNorms(),
                            new SimpleTaskNormsPrinted(),
                            new ModPTaskValue()),
                    List.of(InfiniteScoresPrinted.values()),
                    List.of(
                            new Identifiability(),
                            new Hardmax(),
                            new ThresholdingPrinted(),
                            new LogitMarginCorrected(),
                            new LogitMarginPrinted(),
                            new Theorem41String(),
                            new Theorem41StringPrinted(),
                            new Theorem41Bound(),
                            new Theorem41BoundPrinted()),
                    List.of(org.lemmata.claim.length.Figure1.values()),
                    List.of(org.lemmata.claim.length.Figure2.values()),
                    List.of(org.lemmata.claim.length.Figure3.values()),
                    List.of(NumberComparison.SIMPLE_TASK, NumberComparison.MOD_P_TASK, new WordComparison()))
            .<Claim>flatMap(List::stream)
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
        if (words.isEmpty()) {
            return CLAIMS;
        }
        var selected = new LinkedHashSet<Claim>();
        for (String word : words) {
            List<Claim> matching = CLAIMS.stream()
                    .filter(claim -> claim.id().equals(word) || claim.id().startsWith(word + "."))
                    .toList();
            if (matching.isEmpty()) {
                throw new IllegalArgumentException("claim: expected one of "
                        + String.join(", ", CLAIMS.stream().map(Claim::id).toList()) + " or a paper's key (" + keys()
                        + "), got '"
                        + word + "'");
            }
            selected.addAll(matching);
        }
        return List.copyOf(selected);
    }

    /** The grid of a figure, by the figure's id or that of a claim on it. */
    public static Optional<FigureGrid> grid(String id) {
        return CLAIMS.stream()
                .filter(FigureClaim.class::isInstance)
                .map(FigureClaim.class::cast)
                .filter(claim -> claim.id().equals(id) || claim.grid().id().equals(id))
                .map(FigureClaim::grid)
                .findFirst();
    }

    /** The grids of a paper's figures, each once. */
    public static List<FigureGrid> grids(String paper) {
        return CLAIMS.stream()
                .filter(FigureClaim.class::isInstance)
                .map(claim -> ((FigureClaim) claim).grid())
                .filter(grid -> grid.paper().equals(paper))
                .distinct()
                .toList();
    }

    private static String keys() {
        return CLAIMS.stream()
                .map(claim -> claim.source().paper().key())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}

package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.task.hierarchy.BracketLanguage;

/**
 * A claim that a construction recognizes a language: no score has the wrong sign.
 *
 * @param language what is recognized
 * @param construction made for the strings of a case
 * @param quick the cases of the quick budget; others have these and more
 * @param standard what the standard budget has besides
 * @param full what the full one has besides
 */
record RecognizerClaim(
        Statement statement,
        BracketLanguage language,
        Function<BracketStrings, BracketTransformer> construction,
        List<BracketStrings> quick,
        List<BracketStrings> standard,
        List<BracketStrings> full)
        implements ComputedClaim {

    private static final long SEED = 2_401;

    private List<BracketStrings> cases(Budget budget) {
        return budget.growing(quick, standard, full);
    }

    @Override
    public String range(Budget budget) {
        return cases(budget).stream().map(BracketStrings::toString).collect(Collectors.joining("; "))
                + "; every prefix is a decision";
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        var tally = new Tally();
        for (BracketStrings strings : cases(budget)) {
            BracketTransformer transformer = construction.apply(strings);
            Decisions.Count count = new Decisions(transformer, language, computation.model(transformer))
                    .count(strings.strings(language, Tally.random(SEED)), tally);
            tally.atMost("wrong decisions, " + strings, (double) count.wrong(), "decisions", count.decisions(), 0);
        }
        return tally.finding("every decision is right", SEED);
    }
}

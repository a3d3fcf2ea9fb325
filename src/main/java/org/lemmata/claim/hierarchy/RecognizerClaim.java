package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.hierarchy.BracketLanguage;

/** Claims that a construction recognizes a language: no score has the wrong sign. */
final class RecognizerClaim {

    private static final long SEED = 2_401;

    private RecognizerClaim() {}

    /**
     * A claim.
     *
     * @param claim its first steps
     * @param language what is recognized
     * @param construction made for the strings of a case
     * @param quick the cases of the quick budget; others have these and more
     * @param standard what the standard budget has besides
     * @param full what the full one has besides
     */
    static ComputedClaim of(
            ComputedClaim.Builder claim,
            BracketLanguage language,
            Function<BracketStrings, BracketTransformer> construction,
            List<BracketStrings> quick,
            List<BracketStrings> standard,
            List<BracketStrings> full) {
        Function<Scope, List<BracketStrings>> cases = scope -> scope.each(
                scope.growing(quick, standard, full),
                one -> new BracketStrings(one.integer("k"), one.integer("maxLength"), one.integer("strings")),
                "k",
                "maxLength",
                "strings");
        return claim.settings("""
            k | 1..64 | 2 | bracket types; without any setting the cases of the budget are tested
            maxLength | 1..1000 | 20 | brackets of the strings
            strings | 0..10000 | 90 | how many are drawn; 0 for every string
            """)
                .range(scope ->
                        cases.apply(scope).stream()
                                        .map(BracketStrings::toString)
                                        .collect(Collectors.joining("; ")) + "; every prefix is a decision")
                .test((scope, computation) -> {
                    var tally = new Tally();
                    for (BracketStrings strings : cases.apply(scope)) {
                        BracketTransformer transformer = construction.apply(strings);
                        decide(transformer, language, computation.model(transformer), strings, SEED, tally);
                    }
                    return tally.finding("every decision is right", SEED);
                });
    }

    /** Counts the wrong decisions of a model on strings. */
    static void decide(
            BracketTransformer transformer,
            BracketLanguage language,
            LanguageModel model,
            BracketStrings strings,
            long seed,
            Tally tally) {
        Decisions.Count count =
                new Decisions(transformer, language, model).count(strings.strings(language, Tally.random(seed)), tally);
        tally.atMost("wrong decisions, " + strings, (double) count.wrong(), "decisions", count.decisions(), 0);
    }
}

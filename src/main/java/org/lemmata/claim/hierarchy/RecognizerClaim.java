package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.setting.Setting;
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
        implements AdjustableClaim {

    private static final long SEED = 2_401;

    private List<BracketStrings> cases(Scope scope) {
        return scope.each(
                scope.growing(quick, standard, full),
                one -> new BracketStrings(one.integer("k"), one.integer("maxLength"), one.integer("strings")),
                "k",
                "maxLength",
                "strings");
    }

    @Override
    public List<Setting> settings() {
        return Setting.numbers("""
            k | 1..64 | 2 | bracket types; without any setting the cases of the budget are tested
            maxLength | 1..1000 | 20 | brackets of the strings
            strings | 0..10000 | 90 | how many are drawn; 0 for every string
            """);
    }

    @Override
    public String range(Scope scope) {
        return cases(scope).stream().map(BracketStrings::toString).collect(Collectors.joining("; "))
                + "; every prefix is a decision";
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        for (BracketStrings strings : cases(scope)) {
            BracketTransformer transformer = construction.apply(strings);
            Decisions.Count count = new Decisions(transformer, language, computation.model(transformer))
                    .count(strings.strings(language, Tally.random(SEED)), tally);
            tally.atMost("wrong decisions, " + strings, (double) count.wrong(), "decisions", count.decisions(), 0);
        }
        return tally.finding("every decision is right", SEED);
    }
}

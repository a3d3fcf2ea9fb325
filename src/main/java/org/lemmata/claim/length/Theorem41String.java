package org.lemmata.claim.length;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.AuxiliaryString;
import org.lemmata.construct.length.AuxiliaryString.Scheme;
import org.lemmata.construct.length.LimitFunction;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1: the auxiliary string, corrected; {@link AuxiliaryString} has the proof.
 */
final class Theorem41String {

    static final long SEED = 4_100;

    /** What values are off by in binary64, relative to L. */
    private static final double ROUNDING = 1e-9;

    static final ComputedClaim CLAIM = ComputedClaim.corrected("length.theorem-4.1.string", Theorem41Cases.STRING, """
        For limit transformers f and g of one layer with one head and relu, and x of at least the hardmax length H
        there is a string z with |f(x) - f(z)| <= 2 L_f e, |g(x) - g(z)| <= 2 L_g e, and H <= |z| <= max(H + Delta
        - 1, Delta ceil((1 + 2 e) (tau + Delta + |Sigma| Delta / 4) / e²) + tau + Delta).
        """)
            .settings("""
                e | [0.02, 1] | | the total variation allowed; by default those of the budget
                """)
            .byBudget("seeds | 1..100000 | draws of (f, g, x)", "500", "10000", "30000")
            .range(scope -> """
                    {seeds} random (f, g, x): 2 to 4 tokens, Delta = 1 to 3, tau = 0 to 2, p = 1 to 12, from tables of
                    scores and from weights, attention alone or with ReLU, residual or not; e from
                    """ + resolutions(scope)
                    + "; x up to 4 times the bound, its classes of frequencies down to 10^-4; f and g"
                    + " evaluated on the sequences x and z in binary64")
            .test(Theorem41String::check);

    private Theorem41String() {}

    private static List<Double> resolutions(Scope scope) {
        return scope.settings().hasAny("e")
                ? scope.numbers("e")
                : scope.of(List.of(0.5, 0.2, 0.1), List.of(0.5, 0.2, 0.1, 0.05), List.of(0.5, 0.2, 0.1, 0.05));
    }

    private static Finding check(Scope scope, Computation computation) {
        List<Double> resolutions = resolutions(scope);
        return check(
                scope.integer("seeds"),
                random -> Theorem41Cases.draw(resolutions, random),
                one -> AuxiliaryString.of(one.f().attention(), one.g().attention(), one.x(), one.e()));
    }

    static Finding check(
            int count,
            Function<RandomGenerator, Theorem41Cases.Case> cases,
            Function<Theorem41Cases.Case, AuxiliaryString> strings) {
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        double maxError = 0;
        double maxVariation = 0;
        double maxLength = 0;
        Map<Scheme, Integer> schemes = new EnumMap<>(Scheme.class);
        for (int i = 0; i < count; i++) {
            Theorem41Cases.Case one = cases.apply(random);
            AuxiliaryString z = strings.apply(one);
            schemes.merge(z.scheme(), 1, Integer::sum);
            for (LimitFunction function : List.of(one.f(), one.g())) {
                double error = z.error(function, one.x());
                double allowed = 2 * function.norm() * one.e();
                double variation = z.totalVariation(function.attention(), one.x());
                maxError = Math.max(maxError, allowed > 0 ? error / allowed : 0);
                maxVariation = Math.max(maxVariation, variation / one.e());
                tally.require(
                        error <= allowed + ROUNDING * function.norm() && variation <= one.e() + ROUNDING,
                        () -> one.text() + ": " + z.scheme() + " moves " + (function == one.f() ? "f" : "g") + " by "
                                + error + " against " + allowed + ", its attention by " + variation);
            }
            maxLength = Math.max(maxLength, (double) z.length() / one.bound());
            tally.require(
                    one.hardmaxLength() <= z.length() && z.length() <= one.bound(),
                    () -> one.text() + ": |z| = " + z.length() + " against " + one.hardmaxLength() + " to "
                            + one.bound());
        }
        tally.atMost("maximum error over 2 L e", maxError, "", 2L * count, 1);
        tally.atMost("largest total variation of what is attended to, over e", maxVariation, "", 2L * count, 1);
        tally.atMost("maximum |z| over its bound", maxLength, "", count, 1);
        for (Scheme scheme : Scheme.values()) {
            tally.count(
                    "strings of the scheme " + scheme.name().toLowerCase(Locale.ROOT),
                    schemes.getOrDefault(scheme, 0),
                    count);
        }
        return tally.finding("every string keeps both errors and its length", SEED);
    }
}

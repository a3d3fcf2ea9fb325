package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.statistic.Measurement;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1, with constants: {@link GeneralizationBound}.
 *
 * <p>delta is exact, over all inputs of at most N tokens, which counts and last tokens stand for ({@link EveryInput});
 * or over all up to a shorter length, which asks for more. What is longer is drawn. Random pairs agree as they happen
 * to; two families of pairs ({@link Theorem41Pair#late}, {@link Theorem41Pair#hidden}) differ by what short inputs
 * cannot show, and say how long the shortest N is that would do.
 */
public final class Theorem41Bound implements ComputedClaim {

    static final long SEED = 4_120;

    private static final double ROUNDING = 1e-12;

    /** N of a pair: the bound under test. Tests put others here. */
    @FunctionalInterface
    interface LengthRule {
        long length(Theorem41Pair pair);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "length.theorem-4.1.bound",
                Theorem41Cases.BOUND,
                Form.CORRECTED,
                "Of limit transformers of one layer with one head and relu: if |f - g| <= delta on all inputs of at"
                    + " most N = max(H + Delta - 1, Delta ceil((1 + 2 e) (tau + Delta + |Sigma| Delta / 4) / e²) + tau"
                    + " + Delta) tokens, e = epsilon / (2 (L_f + L_g)), then |f - g| <= delta + epsilon on all"
                    + " inputs.");
    }

    @Override
    public String range(Budget budget) {
        return pairsOfAKind(budget) + " random pairs, and as many whose values alone differ, for each of (|Sigma|,"
                + " Delta, tau) = (2, 1, 0), (2, 1, 1), (3, 1, 0), (2, 2, 0) with N from 63 to 182: delta over all"
                + " inputs up to N, then 3,000 random ones up to 1,000 N; pairs of hardmax length 32 to 256, and"
                + " with a tent that no input of 4, 8, 16 or 32 tokens shows";
    }

    private static int pairsOfAKind(Budget budget) {
        return switch (budget) {
            case QUICK -> 3;
            case STANDARD -> 30;
            case FULL -> 100;
        };
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        List<Theorem41Pair> pairs = new ArrayList<>();
        for (int i = 0; i < pairsOfAKind(budget); i++) {
            for (double spread : new double[] {0, 0.05}) {
                pairs.add(Theorem41Pair.random(2, 1, 0, 0.1, spread, Integer.MAX_VALUE - 1, random));
                pairs.add(Theorem41Pair.random(2, 1, 1, 0.15, spread, Integer.MAX_VALUE - 1, random));
                pairs.add(Theorem41Pair.random(3, 1, 0, 0.2, spread, Integer.MAX_VALUE - 1, random));
                pairs.add(Theorem41Pair.random(2, 2, 0, 0.3, spread, Integer.MAX_VALUE - 1, random));
            }
        }
        return check(pairs, late(), hidden(), pair -> pair.bound().corrected());
    }

    static List<Theorem41Pair> late() {
        return List.of(Theorem41Pair.late(5, 0.2), Theorem41Pair.late(6, 0.2), Theorem41Pair.late(8, 0.1));
    }

    static List<Theorem41Pair> hidden() {
        return List.of(4, 8, 16, 32).stream()
                .map(m -> Theorem41Pair.hidden(m, 1, 1, 0.9))
                .toList();
    }

    static Finding check(
            List<Theorem41Pair> drawn, List<Theorem41Pair> late, List<Theorem41Pair> hidden, LengthRule rule) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED + 1);
        List<String> counterexamples = new ArrayList<>();
        List<Measurement> measured = new ArrayList<>();
        double maximum = 0;
        for (Theorem41Pair pair : drawn) {
            Theorem41Pair.Agreement agreement = pair.agreement(rule.length(pair), random);
            maximum = Math.max(maximum, excess(pair, agreement, rule, counterexamples));
        }
        if (!drawn.isEmpty()) {
            measured.add(Measurement.exactAtMost(
                    "maximum (|f - g| beyond N - delta) / epsilon, drawn pairs", maximum, "", drawn.size(), 1));
        }
        for (List<Theorem41Pair> family : List.of(late, hidden)) {
            for (Theorem41Pair pair : family) {
                long n = rule.length(pair);
                Theorem41Pair.Agreement agreement = pair.agreement(n, random);
                measured.add(Measurement.exactAtMost(
                        "(|f - g| beyond N - delta) / epsilon, " + pair.name(),
                        excess(pair, agreement, rule, counterexamples),
                        "",
                        1,
                        1));
                int minimum = agreement.minLength(pair.epsilon());
                boolean found = minimum < agreement.upTo().length;
                measured.add(Measurement.exactAtMost(
                        "the smallest N that would do" + (found ? ", " : ", or more, ") + pair.name(),
                        minimum,
                        "tokens",
                        1,
                        (double) n));
            }
        }
        return new Finding(
                Verdict.of(counterexamples, "no pair differs by more than delta + epsilon beyond N"),
                measured,
                List.of(SEED, SEED + 1));
    }

    private static double excess(
            Theorem41Pair pair, Theorem41Pair.Agreement agreement, LengthRule rule, List<String> counterexamples) {
        long n = rule.length(pair);
        double delta = agreement.delta(n);
        if (!(agreement.anywhere() <= delta + pair.epsilon() + ROUNDING)) {
            counterexamples.add(pair.name() + ": |f - g| <= " + delta + " up to " + n + " tokens, and "
                    + agreement.anywhere() + " beyond, epsilon = " + pair.epsilon());
        }
        return (agreement.anywhere() - delta) / pair.epsilon();
    }
}

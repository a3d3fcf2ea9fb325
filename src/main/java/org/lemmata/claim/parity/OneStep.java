package org.lemmata.claim.parity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.parity.TeacherForcing;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/** Kim and Suzuki (2024), theorem 5: one step with teacher forcing, by three oracles. */
final class OneStep implements AdjustableClaim {

    private static final long SEED = 5_500;

    private static final ParityLink LINK = new ParityLink.Polynomial();

    /** What an oracle may be off by, over d^-2: the leading term is 2c / (m - 1)² >= 2 d^-2. */
    private static final double OFF = 0.1;

    /** A size with its lambda. */
    record Case(ParitySize size, double lambda) {

        @Override
        public String toString() {
            return size + " at lambda = " + lambda;
        }
    }

    @Override
    public Statement statement() {
        return new Statement(
                "parity.theorem-5",
                new Source(Paper.PARITY, "theorem 5"),
                Form.AS_STATED,
                "One step from W = 0 with teacher forcing, by any gradient oracle that is off by O(d^(-2 - epsilon /"
                        + " 8)), learns any parity of k bits, and the loss is small for all inputs; read as every sign"
                        + " right and |y^ - y| below 1/2 on fresh inputs, eta = lambda d² / (2c).");
    }

    @Override
    public List<Setting> settings() {
        var settings = new ArrayList<>(ParitySize.SETTINGS);
        settings.addAll(Setting.table("lambda | | about the score of a child; 20 for a size that is given\n"));
        return List.copyOf(settings);
    }

    private static List<Case> cases(Budget budget) {
        return budget.growing(
                List.of(
                        new Case(new ParitySize(16, 8, 30_000), 20),
                        new Case(new ParitySize(32, 32, 60_000), 24),
                        new Case(new ParitySize(64, 32, 30_000), 20)),
                List.of(new Case(new ParitySize(128, 64, 60_000), 20), new Case(new ParitySize(256, 128, 100_000), 20)),
                List.of());
    }

    private static List<Case> cases(Budget budget, Settings settings) {
        List<ParitySize> sizes = ParitySize.of(settings, List.of());
        double lambda = settings.real("lambda").orElse(20.0);
        if (sizes.isEmpty() && settings.text("lambda").isPresent()) {
            throw new IllegalArgumentException("lambda: expected d, k and n beside it, got none");
        }
        return sizes.isEmpty()
                ? cases(budget)
                : List.of(new Case(sizes.getFirst(), new TeacherForcing(lambda, LINK).lambda()));
    }

    private static int tests(Budget budget) {
        return budget.of(20_000, 100_000, 1_000_000);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return "(d, k, n) = " + cases(budget, settings) + "; phi = -1 + 4t² - 2t⁴; random subsets, " + tests(budget)
                + " fresh inputs; the exact gradient, one off by " + OFF
                + " d^-2 in a random direction, and one rounded to"
                + " multiples of " + OFF + " d^-2";
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(
                cases(budget, settings), tests(budget), computation.kernels().workers());
    }

    static Finding check(List<Case> cases, int tests, Workers workers) {
        var tally = new Tally();
        long seed = SEED;
        for (Case one : cases) {
            int d = one.size().bits();
            ParityDraw draw = one.size().draw(tests, seed);
            double off = OFF / ((double) d * d);
            List<GradientOracle> oracles = List.of(
                    GradientOracle.exact(),
                    GradientOracle.noisy(off, Tally.random(seed)),
                    GradientOracle.rounding(off));
            double most = 0;
            long wrong = 0;
            for (GradientOracle oracle : oracles) {
                ParityTransformer.Errors errors = new ParityTransformer(
                                new TeacherForcing(one.lambda(), LINK)
                                        .learn(draw.tree(), draw.signs(), oracle, workers),
                                LINK,
                                workers)
                        .errors(draw.fresh());
                most = Math.max(most, errors.maxError());
                wrong += errors.wrong();
                String oracleName = List.of("exact", "noisy", "rounding").get(oracles.indexOf(oracle));
                tally.require(
                        errors.wrong() == 0 && errors.maxError() < 0.5,
                        () -> one + ", " + oracleName + " oracle: " + errors.wrong() + " of " + tests
                                + " wrong, maximum error " + errors.maxError());
            }
            tally.atMost("wrong answers, " + one, (double) wrong, "", 3L * tests, 0);
            tally.atMost("maximum of |y^ - y|, " + one, most, "", 3L * tests, 0.5);
            seed++;
        }
        long[] seeds = new long[cases.size()];
        Arrays.setAll(seeds, i -> SEED + i);
        return tally.finding("every fresh input is answered right", seeds);
    }
}

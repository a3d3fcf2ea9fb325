package org.lemmata.claim.parity;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.construct.parity.TeacherForcing;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Kim and Suzuki (2024), sections 3.1 to 3.3: the same chain learned from final answers alone, with teacher forcing,
 * and generated with and without self-consistency. That final answers can be learned from at all is the positive
 * control, k = 4.
 */
final class Separation implements ComputedClaim {

    static final long SEED = 12_000;

    private static final ParityLink LINK = new ParityLink.Polynomial();

    private static final int TESTS = 5_000;

    /** Near the error of a coin, 1/2. */
    private static final double NOT_LEARNED = 0.4;

    private static final double LEARNED = 0.05;

    static final FinalAnswerTraining ADAM = new FinalAnswerTraining(400, 0.1, LINK);

    /** A way to learn, and what is said of its error. */
    enum Way {
        FINAL_ANSWER("final answers alone", false),
        TEACHER_FORCING("teacher forcing", true),
        SELF_CONSISTENCY("generated, with self-consistency", true),
        GENERATED("generated, without self-consistency", false);

        private final String label;
        private final boolean learns;

        Way(String label, boolean learns) {
            this.label = label;
            this.learns = learns;
        }
    }

    @Override
    public Statement statement() {
        return new Statement(
                "parity.separation",
                new Source(Paper.PARITY, "sections 3.1 to 3.3"),
                Form.AS_STATED,
                "From final answers alone parity of 8 bits and more is not learned; with teacher forcing it is by one"
                    + " step, and through the generated chain by log2 k steps where self-consistency is checked; read"
                    + " as errors on fresh inputs of at least 0.4, and of 0. Where it is not checked, the error is"
                    + " measured alone.");
    }

    @Override
    public String size(Budget budget) {
        return "reduced: d = " + sizes(budget).stream().map(ParitySize::bits).toList() + " in place of all to 256";
    }

    @Override
    public String range(Budget budget) {
        return ParitySize.text(sizes(budget)) + ", " + seeds(budget) + " seeds each; final answers: " + ADAM.steps()
                + " steps of Adam at " + ADAM.rate()
                + " on 2,000 samples, and (16, 4) as the positive control, of which"
                + " one seed at least learns; the other ways as in theorems 5 and 7";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD);
    }

    private static List<ParitySize> sizes(Budget budget) {
        return budget.growing(
                List.of(new ParitySize(16, 8, 20_000), new ParitySize(32, 16, 20_000)),
                List.of(new ParitySize(64, 32, 30_000), new ParitySize(128, 64, 60_000)),
                List.of());
    }

    private static int seeds(Budget budget) {
        return budget.of(2, 5, 5);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(sizes(budget), seeds(budget), ADAM, computation.kernels().workers());
    }

    static Finding check(List<ParitySize> sizes, int seeds, FinalAnswerTraining adam, Workers workers) {
        var tally = new Tally();
        double control = Double.POSITIVE_INFINITY;
        for (long seed = SEED; seed < SEED + seeds; seed++) {
            control = Math.min(control, error(Way.FINAL_ANSWER, new ParitySize(16, 4, 2_000), seed, adam, workers));
        }
        double best = control;
        tally.require(best <= LEARNED, () -> "the positive control does not learn: error " + best);
        tally.atMost("least error from final answers alone, (16, 4)", best, "", seeds, LEARNED);
        var series = new ArrayList<Figure.Series>();
        for (Way way : Way.values()) {
            var errors = new ArrayList<Double>();
            for (ParitySize size : sizes) {
                double mean = 0;
                for (long seed = SEED; seed < SEED + seeds; seed++) {
                    double error = error(way, size, seed, adam, workers);
                    long from = seed;
                    tally.require(
                            way == Way.GENERATED || (way.learns ? error == 0 : error >= NOT_LEARNED),
                            () -> way.label + ", " + size + ", seed " + from + ": error " + error);
                    mean += error / seeds;
                }
                tally.measure(Measurement.exact("error, " + way.label + ", " + size, mean, "", (long) seeds * TESTS));
                errors.add(mean);
            }
            series.add(new Figure.Series(
                    way.label, sizes.stream().map(size -> (double) size.bits()).toList(), errors));
        }
        Finding finding = tally.finding(
                "what is said of each way holds at each size and seed",
                LongStream.range(SEED, SEED + seeds).toArray());
        return new Finding(
                finding.verdict(),
                finding.measured(),
                finding.seeds(),
                List.of(new Figure(
                        "Parity with and without intermediate supervision",
                        "Errors on fresh inputs, k = d / 2, beside sections 3.1 to 3.3; 1/2 is chance.",
                        "d",
                        "share of wrong answers",
                        series)),
                List.of(new TrivialAnswer("a coin: error", 0.5)));
    }

    private static double error(Way way, ParitySize size, long seed, FinalAnswerTraining adam, Workers workers) {
        ParitySize drawn = way == Way.FINAL_ANSWER ? new ParitySize(size.bits(), size.size(), 2_000) : size;
        ParityDraw draw = drawn.draw(TESTS, seed);
        SelfConsistency corrected = SelfConsistency.corrected(size.bits(), size.size(), LINK);
        SelfConsistency training = way == Way.GENERATED ? corrected.withThreshold(0) : corrected;
        GradientOracle exact = GradientOracle.exact();
        ChainWeights weights = switch (way) {
            case FINAL_ANSWER -> adam.learn(draw, seed, workers);
            case TEACHER_FORCING -> new TeacherForcing(20, LINK).learn(draw.tree(), draw.signs(), exact, workers);
            case SELF_CONSISTENCY, GENERATED ->
                training.learn(draw.tree(), draw.signs(), draw.augmented(), exact, workers);
        };
        return new ParityTransformer(weights, LINK, workers)
                .errors(draw.fresh())
                .rate();
    }
}

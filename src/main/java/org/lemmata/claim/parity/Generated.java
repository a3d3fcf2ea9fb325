package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.parity.SelfConsistency;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Kim and Suzuki (2024), theorem 7: log2 k steps through the generated chain. Corrected, as printed, and with each
 * correction removed.
 */
enum Generated implements AdjustableClaim {
    CORRECTED(
            "parity.theorem-7",
            Form.CORRECTED,
            "With a filter of threshold 1.6 to 1.8, weights rounded to multiples of 12 and a rate eta_l = lambda"
                + " d_(l-1)² / (2c) for each level, log2 k steps without teacher forcing learn any parity of k bits;"
                + " read as every sign right and |y^ - y| below 1e-4 on fresh inputs, for every seed."),
    PRINTED(
            "parity.theorem-7.printed",
            Form.PRINTED,
            "As printed: with a threshold epsilon_0 below 1, here 1/2, weights rounded to integers and one rate eta ="
                    + " lambda d² / (2c), log2 k steps without teacher forcing learn any parity of k bits."),
    CONTROLS(
            "parity.theorem-7.controls",
            Form.CORRECTED,
            "Each correction counts: of theorem 7 without the filter, with a threshold of 1/2, without rounding,"
                    + " rounded to integers, and with one rate for all levels, each fails for every seed.");

    static final long SEED = 7_000;

    private static final int TESTS = 5_000;

    private static final ParityLink LINK = new ParityLink.Polynomial();

    private static final List<ParitySize> SIZES = List.of(
            new ParitySize(16, 8, 10_000),
            new ParitySize(16, 16, 10_000),
            new ParitySize(32, 16, 10_000),
            new ParitySize(32, 32, 10_000),
            new ParitySize(64, 32, 15_000),
            new ParitySize(64, 64, 20_000));

    private final String id;
    private final Form form;
    private final String text;

    Generated(String id, Form form, String text) {
        this.id = id;
        this.form = form;
        this.text = text;
    }

    /** How training goes at a size. */
    interface Training {
        SelfConsistency at(ParitySize size);
    }

    /** Training with a name. */
    record Variant(String name, Training training) {}

    @Override
    public Statement statement() {
        return new Statement(id, new Source(Paper.PARITY, "theorem 7"), form, text);
    }

    @Override
    public List<Setting> settings() {
        return ParitySize.SETTINGS;
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD);
    }

    private List<ParitySize> sizes(Budget budget, Settings settings) {
        int largest = this == CORRECTED ? 5 : 3;
        List<ParitySize> all = this == CORRECTED ? SIZES : SIZES.subList(0, 4);
        return ParitySize.of(settings, budget == Budget.QUICK ? SIZES.subList(0, largest) : all);
    }

    private static int seeds(Budget budget) {
        return budget.of(2, 20, 20);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return ParitySize.text(sizes(budget, settings))
                + "; phi = -1 + 4t² - 2t⁴, lambda = 12 (14 for k < d <= 16), n' = 4" + " log2 d augmented samples; "
                + seeds(budget) + " seeds each, " + TESTS + " fresh inputs";
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        List<ParitySize> sizes = sizes(budget, settings);
        Workers workers = computation.kernels().workers();
        return switch (this) {
            case CORRECTED -> check(sizes, seeds(budget), Generated::corrected, workers);
            case PRINTED ->
                check(sizes, seeds(budget), size -> SelfConsistency.printed(size.bits(), size.size(), LINK), workers);
            case CONTROLS -> checkControls(sizes, seeds(budget), controls(), workers);
        };
    }

    static SelfConsistency corrected(ParitySize size) {
        return SelfConsistency.corrected(size.bits(), size.size(), LINK);
    }

    static List<Variant> controls() {
        return List.of(
                new Variant("without the filter", size -> corrected(size).withThreshold(0)),
                new Variant("threshold 1/2", size -> corrected(size).withThreshold(0.5)),
                new Variant("without rounding", size -> corrected(size).withGrid(0)),
                new Variant("rounded to integers", size -> corrected(size).withGrid(1)),
                new Variant("one rate", size -> corrected(size).withRateByLevel(false)));
    }

    private static ParityTransformer.Errors errors(
            ParitySize size, long seed, SelfConsistency training, Workers workers) {
        ParityDraw draw = size.draw(TESTS, seed);
        ChainWeights weights =
                training.learn(draw.tree(), draw.signs(), draw.augmented(), GradientOracle.exact(), workers);
        var model = new ParityTransformer(weights, LINK, workers);
        return model.errors(draw.fresh(), model.filtered(draw.augmented(), training.threshold()));
    }

    static Finding check(List<ParitySize> sizes, int seeds, Training training, Workers workers) {
        var tally = new Tally();
        for (ParitySize size : sizes) {
            int learned = 0;
            double most = 0;
            for (long seed = SEED; seed < SEED + seeds; seed++) {
                ParityTransformer.Errors errors = errors(size, seed, training.at(size), workers);
                boolean all = errors.wrong() == 0 && errors.maxError() < 1e-4;
                long from = seed;
                tally.require(
                        all,
                        () -> String.format(
                                Locale.ROOT,
                                "%s, seed %d: %d of %d wrong, maximum error %.3g, by level %s",
                                size,
                                from,
                                errors.wrong(),
                                errors.samples(),
                                errors.maxError(),
                                Arrays.toString(errors.errorByLevel())));
                learned += all ? 1 : 0;
                most = Math.max(most, errors.maxError());
            }
            tally.measure(Measurement.share("seeds that learn all, " + size, seeds, learned));
            tally.measure(Measurement.exact("maximum of |y^ - y|, " + size, most, "", (long) seeds * TESTS));
        }
        return tally.finding("every seed learns", seedsFrom(seeds));
    }

    static Finding checkControls(List<ParitySize> sizes, int seeds, List<Variant> controls, Workers workers) {
        var tally = new Tally();
        for (Variant control : controls) {
            int learned = 0;
            for (ParitySize size : sizes) {
                for (long seed = SEED; seed < SEED + seeds; seed++) {
                    ParityTransformer.Errors errors =
                            errors(size, seed, control.training().at(size), workers);
                    long from = seed;
                    tally.require(
                            errors.wrong() > 0, () -> control.name() + ": " + size + ", seed " + from + " learns");
                    learned += errors.wrong() > 0 ? 0 : 1;
                }
            }
            tally.measure(Measurement.share("seeds that learn all, " + control.name(), sizes.size() * seeds, learned));
        }
        return tally.finding("no seed learns", seedsFrom(seeds));
    }

    private static long[] seedsFrom(int seeds) {
        return LongStream.range(SEED, SEED + seeds).toArray();
    }
}

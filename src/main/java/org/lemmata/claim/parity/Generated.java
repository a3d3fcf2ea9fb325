package org.lemmata.claim.parity;

import java.util.ArrayList;
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
import org.lemmata.statistic.Interval;
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
                + " read as every sign right and |y^ - y| below 1e-4 on fresh inputs, with probability 1 - exp(-sqrt"
                + " d), the theorem's from epsilon = 1 on."),
    PRINTED(
            "parity.theorem-7.printed",
            Form.PRINTED,
            "As printed: with a threshold epsilon_0 below 1, here 1/2, weights rounded to integers and one rate eta ="
                    + " lambda d² / (2c), log2 k steps without teacher forcing learn any parity of k bits."),
    CONTROLS(
            "parity.theorem-7.controls",
            Form.CORRECTED,
            "Each correction counts: of theorem 7 without the filter, with a threshold of 1/2, without rounding,"
                + " rounded to integers, and with one rate for all levels, each learns for significantly fewer seeds"
                + " than with all corrections.");

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
            var failed = new ArrayList<String>();
            double most = 0;
            for (long seed = SEED; seed < SEED + seeds; seed++) {
                ParityTransformer.Errors errors = errors(size, seed, training.at(size), workers);
                most = Math.max(most, errors.maxError());
                if (!isLearned(errors)) {
                    failed.add(String.format(
                            Locale.ROOT,
                            "%s, seed %d: %d of %d wrong, maximum error %.3g, by level %s",
                            size,
                            seed,
                            errors.wrong(),
                            errors.samples(),
                            errors.maxError(),
                            Arrays.toString(errors.errorByLevel())));
                }
            }
            tally.require(
                    Interval.proportion(seeds, failed.size()).low() <= Math.exp(-Math.sqrt(size.bits())),
                    () -> failed.size() + " of " + seeds + " seeds fail, the first: " + failed.getFirst());
            tally.measure(Measurement.share("seeds that learn all, " + size, seeds, seeds - failed.size()));
            tally.measure(Measurement.exact("maximum of |y^ - y|, " + size, most, "", (long) seeds * TESTS));
        }
        return tally.finding("no more seeds fail than the theorem allows", seedsFrom(seeds));
    }

    private static boolean isLearned(ParityTransformer.Errors errors) {
        return errors.wrong() == 0 && errors.maxError() < 1e-4;
    }

    static Finding checkControls(List<ParitySize> sizes, int seeds, List<Variant> controls, Workers workers) {
        var tally = new Tally();
        Measurement whole = learned(sizes, seeds, new Variant("all corrections", Generated::corrected), workers);
        tally.measure(whole);
        for (Variant control : controls) {
            Measurement share = learned(sizes, seeds, control, workers);
            tally.measure(share);
            tally.require(
                    share.interval().high() < whole.interval().low(),
                    () -> share.name() + ": " + share.value() + ", with all corrections " + whole.value());
        }
        return tally.finding("each control learns for significantly fewer seeds", seedsFrom(seeds));
    }

    /** The share of sizes and seeds that learn all. */
    private static Measurement learned(List<ParitySize> sizes, int seeds, Variant variant, Workers workers) {
        int learned = 0;
        for (ParitySize size : sizes) {
            for (long seed = SEED; seed < SEED + seeds; seed++) {
                learned += isLearned(errors(size, seed, variant.training().at(size), workers)) ? 1 : 0;
            }
        }
        return Measurement.share("seeds that learn all, " + variant.name(), sizes.size() * seeds, learned);
    }

    private static long[] seedsFrom(int seeds) {
        return LongStream.range(SEED, SEED + seeds).toArray();
    }
}

package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;

/** Izzo, Nichani and Lee (2025), section 5 and appendix A.2: a Delta-periodic limit transformer expresses ModPTask. */
public final class ModPTaskValue implements AdjustableClaim {

    private static final long SEED = 5_202;

    private static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000, 100_000);

    /** What rounding may take: 1e-14 in binary64, a unit roundoff in fewer bits. */
    private static final double TIGHT = 1e-14;

    /** A construction's settings, for every index; {@code bits} of 24 run on the kernels in binary32. */
    record Size(int period, int p, int bits) {

        @Override
        public String toString() {
            return "Delta = " + period + ", p = " + p + ", " + bits + " bits";
        }
    }

    /** What the claim is tested on: the model of a construction. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(ModPTaskByPeriodicPositions construction);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "length.mod-p-task",
                ModPTaskByPeriodicPositions.SOURCE,
                Form.CORRECTED,
                "A limit transformer of one layer with Delta-periodic positions, whose scores are p at p bits where t"
                    + " = k mod Delta and 0 elsewhere, gives the average of the tokens at those positions, to 1e-14 in"
                    + " binary64, at every length from Delta on; L = 1, corrected, and hardmax comes at 2 tokens,"
                    + " whatever Delta is.");
    }

    @Override
    public List<Setting> settings() {
        return List.of(
                new Setting("period", "5", "Delta, 1 to 256; without any setting those of the budget are tested"),
                new Setting("p", "10", "bits of the thresholded softmax, 1 to 126"),
                new Setting(
                        "bits", "53", "significand bits of weights and answer, 2 to 53: with 24 it runs in binary32"));
    }

    private static List<Size> sizes(Budget budget, Settings settings) {
        return settings.isEmpty()
                ? sizes(budget)
                : List.of(new Size(
                        settings.requiredInteger("period", 1, 1 << 8),
                        settings.requiredInteger("p", 1, 126),
                        settings.requiredInteger("bits", 2, 53)));
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return sizes(budget, settings).stream().map(Size::toString).collect(Collectors.joining("; "))
                + "; k = 0, 1 and Delta - 1;"
                + " every input of Delta to " + exhaustiveLength(budget) + " tokens, and " + draws(budget)
                + " drawn by the task of each length of " + LENGTHS + " from Delta on; to 2^-24 with 24 bits;"
                + " L and the hardmax length for Delta = 2, 3, 5, 10 and 64 at p = 10";
    }

    static List<Size> sizes(Budget budget) {
        List<Size> sizes = new ArrayList<>(List.of(
                new Size(1, 10, 53),
                new Size(2, 1, 53),
                new Size(3, 10, 53),
                new Size(5, 10, 24),
                new Size(10, 10, 53)));
        if (budget != Budget.QUICK) {
            sizes.addAll(List.of(new Size(5, 126, 53), new Size(64, 10, 53), new Size(200, 3, 24)));
        }
        return sizes;
    }

    private static int exhaustiveLength(Budget budget) {
        return budget == Budget.QUICK ? 8 : 12;
    }

    private static int draws(Budget budget) {
        return switch (budget) {
            case QUICK -> 2;
            case STANDARD -> 16;
            case FULL -> 128;
        };
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return ClosedFormConstants.added(
                check(sizes(budget, settings), exhaustiveLength(budget), LENGTHS, draws(budget), computation::model),
                forms());
    }

    /** Section 5: Delta = p and L = Theta(1). The corrected L is 1 for the residual; there is no feed-forward part. */
    private static List<ClosedFormConstants.Case> forms() {
        return Stream.of(2, 3, 5, 10, 64)
                .map(period -> new ClosedFormConstants.Case(
                        "Delta = " + period,
                        LimitFunction.of(new ModPTaskByPeriodicPositions(period, 1, 10, 53, period).build()),
                        1))
                .toList();
    }

    static Finding check(List<Size> sizes, int exhaustive, List<Integer> lengths, int draws, Models models) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        int maxLength = IntStream.concat(
                        IntStream.of(exhaustive), lengths.stream().mapToInt(n -> n))
                .max()
                .orElseThrow();
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (Size size : sizes) {
            double allowed = Math.max(TIGHT, Math.scalb(1.0, -size.bits()));
            double maximum = 0;
            long count = 0;
            for (int index : IntStream.of(0, 1, size.period() - 1)
                    .filter(index -> index < size.period())
                    .distinct()
                    .toArray()) {
                LanguageModel model = models.of(
                        new ModPTaskByPeriodicPositions(size.period(), index, size.p(), size.bits(), maxLength));
                for (TaskInputs some : inputs(size.period(), index, exhaustive, lengths, draws, random)) {
                    var task = task(size.period(), index, some.length());
                    var distance = some.distance(model, task::value, allowed);
                    int k = index;
                    distance.counterexamples().forEach(text -> counterexamples.add(size + ", k = " + k + ", " + text));
                    maximum = Math.max(maximum, distance.maximum());
                    count += some.inputs().size();
                }
            }
            measured.add(Measurement.exactAtMost(
                    "maximum error to length " + maxLength + ", " + size, maximum, "", count, allowed));
        }
        return new Finding(
                Verdict.of(counterexamples, "every answer is the average, but for the rounding of a quotient"),
                measured,
                List.of(SEED));
    }

    private static ModPTask task(int period, int index, int length) {
        return new ModPTask(period, index, new LengthRange(length, length));
    }

    private static List<TaskInputs> inputs(
            int period, int index, int exhaustive, List<Integer> lengths, int draws, RandomGenerator random) {
        List<TaskInputs> inputs = new ArrayList<>(IntStream.rangeClosed(period, exhaustive)
                .mapToObj(length -> TaskInputs.all(2, length))
                .toList());
        for (int length : lengths) {
            if (length >= period) {
                inputs.add(TaskInputs.drawn(task(period, index, length), length, draws, random));
            }
        }
        return inputs;
    }
}

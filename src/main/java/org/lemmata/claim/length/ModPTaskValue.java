package org.lemmata.claim.length;

import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;

/** Izzo, Nichani and Lee (2025), section 5 and appendix A.2: a Delta-periodic limit transformer expresses ModPTask. */
final class ModPTaskValue {

    private static final long SEED = 5_202;

    /** The error allowed for rounding in binary64; with fewer bits, the unit roundoff. */
    private static final double TIGHT = 1e-14;

    /** A construction's settings, for every index; {@code bits} of 24 run on the kernels in binary32. */
    record Size(int period, int p, int bits) {

        @Override
        public String toString() {
            return "Delta = " + period + ", p = " + p + ", " + bits + " bits";
        }
    }

    static final ComputedClaim CLAIM = ComputedClaim.corrected(
                    "length.mod-p-task", ModPTaskByPeriodicPositions.SOURCE, """
                    A limit transformer of one layer with Delta-periodic positions, whose scores are p at p bits where
                    t = k mod Delta and 0 elsewhere, gives the average of the tokens at those positions, to 1e-14 in
                    binary64, at every length from Delta on; L = 1, corrected, and hardmax comes at 2 tokens, whatever
                    Delta is.
                    """)
            .settings(TaskInputs.settings("""
                period | 1..256 | 5 | Delta; without period, p and bits the sizes of the budget are tested
                """))
            .range(scope -> """
                %s; k = 0, 1 and Delta - 1; every input of Delta to %s tokens, and %s drawn by the task of each
                length of {lengths} from Delta on; to 2^-24 with 24 bits; L and the hardmax length for Delta = 2,
                3, 5, 10 and 64 at p = 10
                """.formatted(
                            sizes(scope).stream().map(Size::toString).collect(Collectors.joining("; ")),
                            exhaustiveLength(scope.budget()),
                            draws(scope.budget())))
            .test(ModPTaskValue::check);

    private static List<Size> sizes(Scope scope) {
        return scope.cases(
                "period, p, bits",
                row -> new Size(
                        row.get(0).intValue(), row.get(1).intValue(), row.get(2).intValue()),
                "1,10,53; 2,1,53; 3,10,53; 5,10,24; 10,10,53",
                "5,126,53; 64,10,53; 200,3,24");
    }

    private static int exhaustiveLength(Budget budget) {
        return budget.of(8, 12, 12);
    }

    private static int draws(Budget budget) {
        return budget.of(2, 16, 128);
    }

    private static Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        check(
                sizes(scope),
                exhaustiveLength(scope.budget()),
                scope.integers("lengths"),
                draws(scope.budget()),
                computation::model,
                tally);
        TaskInputs.addConstants(forms(), tally);
        return tally.finding("every answer is the average, but for the rounding of a quotient", SEED);
    }

    /** Section 5: Delta = p and L = Theta(1). The corrected L is 1: there is no feed-forward part. */
    private static List<TaskInputs.Case> forms() {
        return Stream.of(2, 3, 5, 10, 64)
                .map(period -> new TaskInputs.Case(
                        "Delta = " + period,
                        LimitFunction.of(new ModPTaskByPeriodicPositions(period, 1, 10, 53, period).build()),
                        1))
                .toList();
    }

    static void check(
            List<Size> sizes,
            int exhaustive,
            List<Integer> lengths,
            int draws,
            Function<ModPTaskByPeriodicPositions, LanguageModel> models,
            Tally tally) {
        RandomGenerator random = Tally.random(SEED);
        int maxLength = Math.max(exhaustive, Collections.max(lengths));
        for (Size size : sizes) {
            double allowed = Math.max(TIGHT, Math.scalb(1.0, -size.bits()));
            int period = size.period();
            Tally.Extreme errors = tally.atMost("maximum error to length " + maxLength + ", " + size, "", allowed);
            for (int index : IntStream.of(0, 1, period - 1)
                    .filter(index -> index < period)
                    .distinct()
                    .toArray()) {
                LanguageModel model =
                        models.apply(new ModPTaskByPeriodicPositions(period, index, size.p(), size.bits(), maxLength));
                IntFunction<ModPTask> tasks = length -> new ModPTask(period, index, new LengthRange(length, length));
                for (TaskInputs some : TaskInputs.of(2, period, exhaustive, lengths, draws, tasks::apply, random)) {
                    ModPTask task = tasks.apply(some.length());
                    errors.add(some.distance(model, task::value, allowed, size + ", k = " + index + ", ", tally));
                    errors.count(some.inputs().size());
                }
            }
        }
    }
}

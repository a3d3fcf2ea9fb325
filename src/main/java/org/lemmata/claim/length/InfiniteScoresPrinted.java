package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.Finding;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.Construction;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/**
 * The constructions of appendix A.2 as printed, with infinite scores: section 3.1's softmax of them, and section 3.2's,
 * which subtracts the maximum, is no number.
 *
 * @param id in the ledger
 * @param choice of the appendix
 * @param construction with finite scores
 * @param bound of its error
 * @param minimum the shortest input: from Delta on for ModPTask
 * @param target the task's value
 */
record InfiniteScoresPrinted(
        String id,
        String choice,
        Construction construction,
        double bound,
        int minimum,
        ToDoubleFunction<int[]> target) {

    private static final int LONGEST = 4;

    private static final LengthRange LENGTHS = new LengthRange(1, 100);

    static final FixedClaim SIMPLE_TASK =
            claim("""
                omega | (-inf, inf) | 1 | frequency
                knots | 2..65536 | 17 | points of [-1, 1] where the answer is exact
                """, settings -> simpleTask(settings.number("omega"), settings.integer("knots")));

    static final FixedClaim MOD_P_TASK =
            claim("""
                period | 2..64 | 2 | Delta
                index | 0..63 | 1 | k, below Delta
                """, settings -> modPTask(settings.integer("period"), settings.integer("index")));

    static InfiniteScoresPrinted simpleTask(double omega, int knots) {
        var construction = new SimpleTaskByPiecewiseLinearSine(omega, knots, 10, 53, LENGTHS.maximum());
        return new InfiniteScoresPrinted(
                "length.simple-task.scores.printed",
                "Choose K, Q so that the score is infinite at keys 0 and 1, and 0 at keys 2",
                construction,
                construction.errorBound(),
                1,
                new SimpleTask(new LinkFunction.Sine(omega), LENGTHS)::value);
    }

    static InfiniteScoresPrinted modPTask(int period, int index) {
        var construction = new ModPTaskByPeriodicPositions(period, index, 10, 53, LENGTHS.maximum());
        return new InfiniteScoresPrinted(
                "length.mod-p-task.printed",
                "Choose K, Q so that the score is infinite at positions k mod p, and 0 elsewhere",
                construction,
                construction.errorBound(),
                period,
                new ModPTask(period, index, LENGTHS)::value);
    }

    private static FixedClaim claim(String settings, Function<Settings, InfiniteScoresPrinted> made) {
        InfiniteScoresPrinted any = made.apply(new Settings(Setting.numbers(settings), Map.of()));
        return new FixedClaim(
                new Statement(
                        any.id,
                        any.construction.source(),
                        Form.PRINTED,
                        "As printed: \"" + any.choice
                                + "\"; the output is then the task's value, within the bound of finite scores."),
                settings,
                "the weights of the finite construction with infinity for the score's p, in binary64; every input of 1"
                        + " or Delta to " + LONGEST + " tokens more",
                (given, computation) ->
                        made.apply(given).check(weights -> new ReferenceTransformer(withInfiniteKeys(weights))));
    }

    Finding check(Function<ExactParameters, LanguageModel> models) {
        LanguageModel model = models.apply(construction.build());
        var tally = new Tally();
        long count = 0;
        for (int length = minimum; length < minimum + LONGEST; length++) {
            TaskInputs inputs = TaskInputs.all(construction.vocabulary().size(), length);
            inputs.distance(model, target, bound, "", tally);
            count += inputs.inputs().size();
        }
        tally.atMost("answers that are not within " + bound, tally.counterexamples(), "answers", count, 0);
        return tally.finding("every answer is within the bound");
    }

    private static ExactParameters withInfiniteKeys(ExactParameters weights) {
        ParameterView keys = weights.architecture().view(ParameterRole.KEY, 0);
        double[] values = weights.values().clone();
        Arrays.setAll(
                values,
                i -> i >= keys.offset() && i < keys.offset() + keys.size() && values[i] > 0
                        ? Double.POSITIVE_INFINITY
                        : values[i]);
        return new ExactParameters(weights.architecture(), values);
    }
}

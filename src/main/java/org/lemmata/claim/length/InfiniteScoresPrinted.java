package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
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
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/**
 * The constructions of appendix A.2 as printed, with infinite scores: section 3.1's softmax of them, and section 3.2's,
 * which subtracts the maximum, is no number.
 */
public enum InfiniteScoresPrinted implements ComputedClaim {
    SIMPLE_TASK(
            "length.simple-task.scores.printed",
            "Choose K, Q so that the score is infinite at keys 0 and 1, and 0 at keys 2"),
    MOD_P_TASK(
            "length.mod-p-task.printed",
            "Choose K, Q so that the score is infinite at positions k mod p, and 0 elsewhere");

    private static final int LONGEST = 4;

    private static final int LENGTH = 100;

    private final String id;
    private final String choice;

    InfiniteScoresPrinted(String id, String choice) {
        this.id = id;
        this.choice = choice;
    }

    @Override
    public Statement statement() {
        return new Statement(
                id,
                construction().source(),
                Form.PRINTED,
                "As printed: \"" + choice
                        + "\"; the output is then the task's value, within the bound of finite scores.");
    }

    @Override
    public String range(Budget budget) {
        return "the weights of the finite construction with infinity for the score's p, in binary64; every input of "
                + minimum() + " to " + LONGEST + " tokens";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(weights -> new ReferenceTransformer(withInfiniteKeys(weights)));
    }

    Finding check(Function<ExactParameters, LanguageModel> models) {
        Construction construction = construction();
        double bound = switch (construction) {
            case SimpleTaskByPiecewiseLinearSine simple -> simple.errorBound();
            case ModPTaskByPeriodicPositions modP -> modP.errorBound();
            default -> throw new AssertionError(construction);
        };
        LanguageModel model = models.apply(construction.build());
        var tally = new Tally();
        long count = 0;
        for (int length = minimum(); length <= LONGEST; length++) {
            TaskInputs inputs = TaskInputs.all(construction.vocabulary().size(), length);
            inputs.distance(model, target(), bound, "", tally);
            count += inputs.inputs().size();
        }
        tally.atMost("answers that are not within " + bound, tally.counterexamples(), "answers", count, 0);
        return tally.finding("every answer is within the bound");
    }

    private Construction construction() {
        return switch (this) {
            case SIMPLE_TASK -> new SimpleTaskByPiecewiseLinearSine(1, 17, 10, 53, LENGTH);
            case MOD_P_TASK -> new ModPTaskByPeriodicPositions(2, 1, 10, 53, LENGTH);
        };
    }

    /** From Delta on for ModPTask. */
    private int minimum() {
        return this == MOD_P_TASK ? 2 : 1;
    }

    private ToDoubleFunction<int[]> target() {
        var any = new LengthRange(1, LENGTH);
        return switch (this) {
            case SIMPLE_TASK -> new SimpleTask(new LinkFunction.Sine(1), any)::value;
            case MOD_P_TASK -> new ModPTask(2, 1, any)::value;
        };
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

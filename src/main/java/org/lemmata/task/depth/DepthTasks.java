package org.lemmata.task.depth;

import java.util.List;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;
import org.lemmata.task.depth.logic.AnswerForm;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.depth.logic.ExpressionLaw;
import org.lemmata.task.depth.logic.HeldOutFunctions;
import org.lemmata.task.depth.logic.TruthTable;

/** The tasks of Richard (2024). */
public final class DepthTasks implements TaskProvider {

    /** The maximum length of a sequence; a model's position table has one row per token. */
    private static final int MAX_WINDOW = 1 << 24;

    @Override
    public List<Catalogue.Entry<Task>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        DyckWords.NAME,
                        "balanced words of N pairs of one bracket type, uniform among those with a depth in a window",
                        DyckWords.SOURCE,
                        Setting.table("""
                            N | 16 | pairs of brackets in a word, 1 to %s
                            minDepth | 1 | minimum depth of a word
                            maxDepth | = N | maximum depth of a word; N by default
                            """.formatted(DyckWords.MAX_PAIRS)),
                        DepthTasks::dyckWords),
                new Catalogue.Entry<>(
                        BooleanExpressions.NAME,
                        "Boolean expressions of k clauses of depth q, by algorithm 1, with their simplified forms",
                        BooleanExpressions.SOURCE,
                        Setting.table("""
                            variables | 4 | variables, 1 to %s
                            constants | true | whether false and true are also leaves
                            k | 5 | clauses per expression, 1 to %s
                            q | 3 | maximum depth of a clause, 0 to %s
                            form | %s | the simplified form: shortest (fewest leaves), or two-level (as SymPy's)
                            window | 1024 | tokens per sequence of equalities, the last cut off; 0 for one whole equality
                            heldOut | 0 | number of simplified forms that are held out
                            heldOutDepth | = q | depth of the expressions from which they are chosen; q by default
                            heldOutSeed | 1 | random seed for choosing them
                            outOfSample | false | whether to draw only expressions with a held-out form
                            """.formatted(
                                        TruthTable.MAX_VARIABLES,
                                        ExpressionLaw.MAX_CLAUSES,
                                        ExpressionLaw.MAX_DEPTH,
                                        AnswerForm.SHORTEST.label())),
                        DepthTasks::booleanExpressions));
    }

    private static DyckWords dyckWords(Settings settings) {
        int pairs = settings.requiredInteger("N", 1, DyckWords.MAX_PAIRS);
        return new DyckWords(
                pairs, settings.requiredInteger("minDepth", 1, pairs), settings.requiredInteger("maxDepth", 1, pairs));
    }

    private static Task booleanExpressions(Settings settings) {
        int variables = settings.requiredInteger("variables", 1, TruthTable.MAX_VARIABLES);
        int depth = settings.requiredInteger("q", 0, ExpressionLaw.MAX_DEPTH);
        var law = new ExpressionLaw(
                variables,
                settings.flag("constants"),
                settings.requiredInteger("k", 1, ExpressionLaw.MAX_CLAUSES),
                depth);
        var heldOut = HeldOutFunctions.choose(
                law.withDepth(settings.requiredInteger("heldOutDepth", 0, ExpressionLaw.MAX_DEPTH)),
                settings.requiredInteger("heldOut", 0, Integer.MAX_VALUE),
                settings.seed("heldOutSeed"));
        Task inSample = new BooleanExpressions(
                law,
                AnswerForm.of(settings.required("form", "shortest or two-level")),
                settings.requiredInteger("window", 0, MAX_WINDOW),
                heldOut);
        return settings.flag("outOfSample")
                ? inSample.outOfSample()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "outOfSample: expected false where nothing is held out, got true"))
                : inSample;
    }
}

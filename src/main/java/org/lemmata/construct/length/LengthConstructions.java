package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;
import org.lemmata.token.Batch;

/** The constructions of Izzo, Nichani and Lee (2025). */
public final class LengthConstructions implements ConstructionProvider {

    private static final int MAX_KNOTS = 1 << 16;

    /** The maximum number of tokens; memory is proportional to tokens times columns. */
    private static final int MAX_LENGTH = 1 << 22;

    private static final int MAX_PERIOD = 1 << 8;

    private static final String LIMIT = """
        p | 10 | bits of the thresholded softmax, 1 to 126
        bits | 53 | significand bits of weights and answer, 2 to 53: with 24 it runs in binary32
        maxLength | 100000 | the largest number of tokens
        """;

    @Override
    public List<Catalogue.Entry<ConstructionRun>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        "simple-task",
                        "sin(omega (c0 - c1) / (c0 + c1)) of the counts of the tokens 0 and 1, piecewise linearly",
                        SimpleTaskByPiecewiseLinearSine.SOURCE,
                        Setting.table("""
                            omega | 1 | frequency
                            knots | 65 | points of [-1, 1] where the answer is exact, 2 to %s
                            """.formatted(MAX_KNOTS) + LIMIT),
                        LengthConstructions::simpleTask),
                new Catalogue.Entry<>(
                        "mod-p-task",
                        "the average of the tokens at the positions that are the index modulo the period",
                        ModPTaskByPeriodicPositions.SOURCE,
                        Setting.table("""
                            period | 5 | of the positions, 1 to %s
                            index | 1 | 0 to period - 1; positions count from 1
                            """.formatted(MAX_PERIOD) + LIMIT),
                        LengthConstructions::modPTask));
    }

    private static ConstructionRun simpleTask(Settings settings) {
        double omega = settings.requiredReal("omega");
        var construction = new SimpleTaskByPiecewiseLinearSine(
                omega,
                settings.requiredInteger("knots", 2, MAX_KNOTS),
                settings.requiredInteger("p", 1, 126),
                settings.requiredInteger("bits", 2, 53),
                settings.requiredInteger("maxLength", 1, MAX_LENGTH));
        var task = new SimpleTask(SimpleTask.sine(omega), new LengthRange(1, 1));
        return new RegressionRun(construction, task::value);
    }

    private static ConstructionRun modPTask(Settings settings) {
        int period = settings.requiredInteger("period", 1, MAX_PERIOD);
        int index = settings.requiredInteger("index", 0, period - 1);
        var construction = new ModPTaskByPeriodicPositions(
                period,
                index,
                settings.requiredInteger("p", 1, 126),
                settings.requiredInteger("bits", 2, 53),
                settings.requiredInteger("maxLength", 1, MAX_LENGTH));
        var task = new ModPTask(period, index, new LengthRange(period, period));
        return new RegressionRun(construction, task::value);
    }

    /**
     * Reads tokens separated by blanks. Returns the regression model's output at the last token, and the value of the
     * task that the model expresses.
     *
     * @param task the task's value of a sequence of the construction's tokens
     */
    private record RegressionRun(Construction construction, ToDoubleFunction<int[]> task) implements ModelRun {

        @Override
        public Map<String, Object> answer(LanguageModel model, String line) {
            Refuse.when(line.isEmpty(), "input", "at least 1 token", "none");
            int[] tokens = Arrays.stream(line.split("\\s+"))
                    .mapToInt(construction.vocabulary()::id)
                    .toArray();
            int maxLength = model.architecture().maxLength();
            Refuse.when(tokens.length > maxLength, "input", "at most " + maxLength + " tokens", tokens.length);
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("value", model.lastLogits(Batch.of(List.of(tokens)))[0]);
            answer.put("target", task.applyAsDouble(tokens));
            return answer;
        }
    }
}

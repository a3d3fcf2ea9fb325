package org.lemmata.construct.length;

import java.util.List;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/** The constructions of Izzo, Nichani and Lee (2025). */
public final class LengthConstructions implements ConstructionProvider {

    /** Units of the network of SimpleTask. */
    private static final int MAX_KNOTS = 1 << 16;

    /** Tokens and columns of a limit transformer, of which there are products. */
    private static final int MAX_LENGTH = 1 << 22;

    private static final int MAX_PERIOD = 1 << 8;

    /** Of the limit transformers. */
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
        var task = new SimpleTask(new LinkFunction.Sine(omega), new LengthRange(1, 1));
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
}

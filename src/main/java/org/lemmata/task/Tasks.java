package org.lemmata.task;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.logic.AnswerForm;
import org.lemmata.task.depth.logic.BooleanExpressions;
import org.lemmata.task.depth.logic.ExpressionLaw;
import org.lemmata.task.depth.logic.HeldOutFunctions;
import org.lemmata.task.depth.logic.TruthTable;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/** The one list of tasks. */
public final class Tasks {

    private static final String LINK = "link";
    private static final String SINE = "sine";
    private static final String OMEGA = "omega";
    private static final String COEFFICIENTS = "coefficients";
    private static final String LENGTH = "length";
    private static final String MIN_LENGTH = "minLength";
    private static final String DEFAULT_LENGTH = "16";

    public static final Catalogue<Task> CATALOGUE = new Catalogue<>(
            "task",
            List.of(
                    new Catalogue.Entry<>(
                            DyckWords.NAME,
                            "balanced words of N pairs of one bracket type, uniform among those with a depth in a"
                                    + " window",
                            DyckWords.SOURCE,
                            List.of(
                                    new Setting("N", "16", "pairs of brackets in a word, 1 to " + DyckWords.MAX_PAIRS),
                                    new Setting("minDepth", "1", "minimum depth of a word"),
                                    Setting.sameAs("maxDepth", "N", "maximum depth of a word; N by default")),
                            Tasks::dyckWords),
                    new Catalogue.Entry<>(
                            BooleanExpressions.NAME,
                            "Boolean expressions of k clauses of depth q, by algorithm 1, with their simplified forms",
                            BooleanExpressions.SOURCE,
                            List.of(
                                    new Setting("variables", "4", "variables, 1 to " + TruthTable.MAX_VARIABLES),
                                    new Setting("constants", "true", "whether false and true are leaves, too"),
                                    new Setting("k", "5", "clauses, 1 to " + ExpressionLaw.MAX_CLAUSES),
                                    new Setting("q", "3", "maximum depth of a clause, 0 to " + ExpressionLaw.MAX_DEPTH),
                                    new Setting(
                                            "form",
                                            AnswerForm.SHORTEST.label(),
                                            "the simplified form: shortest (fewest leaves), or two-level (as SymPy's)"),
                                    new Setting(
                                            "window",
                                            "1024",
                                            "tokens of a sequence of equalities, the last cut off; 0 for one a"
                                                    + " sequence"),
                                    new Setting("heldOut", "0", "simplified forms held out of what is drawn"),
                                    Setting.sameAs(
                                            "heldOutDepth",
                                            "q",
                                            "q of the expressions they are chosen from; q by default"),
                                    new Setting("heldOutSeed", "1", "seed of that choice"),
                                    new Setting(
                                            "outOfSample",
                                            "false",
                                            "whether to draw what is held out, and nothing else")),
                            Tasks::booleanExpressions),
                    new Catalogue.Entry<>(
                            SimpleTask.NAME,
                            "sigma((c0 - c1) / (c0 + c1)) of the counts of 0 and 1 among the symbols 0, 1, 2",
                            SimpleTask.SOURCE,
                            List.of(
                                    new Setting(
                                            LINK, SINE, "sigma: sine of omega z, identity, absolute, or polynomial"),
                                    new Setting(OMEGA, "", "factor of z, of sine; 1 by default"),
                                    new Setting(COEFFICIENTS, "", "a_0,a_1,... of a_0 + a_1 z + ..., of polynomial"),
                                    new Setting(LENGTH, DEFAULT_LENGTH, "N, the maximum length of a sequence"),
                                    new Setting(MIN_LENGTH, "1", "the minimum; lengths are uniform between")),
                            Tasks::simpleTask),
                    new Catalogue.Entry<>(
                            ModPTask.NAME,
                            "the mean of the bits at the positions that are k mod p",
                            ModPTask.SOURCE,
                            List.of(
                                    new Setting("period", "2", "p, from 1 to " + ModPTask.MAX_PERIOD),
                                    new Setting("index", "0", "k, from 0 to p - 1; positions count from 1"),
                                    new Setting(LENGTH, DEFAULT_LENGTH, "N, the maximum length of a sequence"),
                                    new Setting(
                                            MIN_LENGTH,
                                            "",
                                            "the minimum; lengths are uniform between; p by default, so that each"
                                                    + " residue has a position")),
                            Tasks::modPTask)));

    /** Of a sequence: a model's position table has as many rows. */
    private static final int MAX_WINDOW = 1 << 24;

    private Tasks() {}

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

    private static Task simpleTask(Settings settings) {
        String link = settings.required(LINK, "sine, identity, absolute or polynomial");
        for (var of : Map.of(OMEGA, SINE, COEFFICIENTS, "polynomial").entrySet()) {
            if (!link.equals(of.getValue()) && settings.text(of.getKey()).isPresent()) {
                throw new IllegalArgumentException(
                        of.getKey() + ": expected none but for " + of.getValue() + ", got one for " + link);
            }
        }
        LinkFunction sigma = switch (link) {
            case SINE -> new LinkFunction.Sine(settings.real(OMEGA).orElse(1.0));
            case "identity" -> new LinkFunction.Identity();
            case "absolute" -> new LinkFunction.Absolute();
            case "polynomial" -> new LinkFunction.Polynomial(settings.reals(COEFFICIENTS));
            default ->
                throw new IllegalArgumentException(
                        LINK + ": expected sine, identity, absolute or polynomial, got '" + link + "'");
        };
        return new SimpleTask(sigma, lengths(settings, 1));
    }

    private static Task modPTask(Settings settings) {
        int period = settings.requiredInteger("period", 1, ModPTask.MAX_PERIOD);
        return new ModPTask(period, settings.requiredInteger("index", 0, period - 1), lengths(settings, period));
    }

    private static LengthRange lengths(Settings settings, int minimum) {
        int length = settings.requiredInteger(LENGTH, 1, LengthRange.MAX_LENGTH);
        Optional<Integer> given = settings.integer(MIN_LENGTH, 1, length);
        if (given.isEmpty() && minimum > length) {
            throw new IllegalArgumentException(
                    LENGTH + ": expected at least " + minimum + ", or a " + MIN_LENGTH + ", got " + length);
        }
        return new LengthRange(given.orElse(minimum), length);
    }
}

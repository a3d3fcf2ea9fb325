package org.lemmata.task.length;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.lemmata.argument.Refuse;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;

/** The tasks of Izzo, Nichani and Lee (2025). */
public final class LengthTasks implements TaskProvider {

    private static final String LINK = "link";
    private static final String SINE = "sine";
    private static final String OMEGA = "omega";
    private static final String COEFFICIENTS = "coefficients";
    private static final String LENGTH = "length";
    private static final String MIN_LENGTH = "minLength";

    @Override
    public List<Catalogue.Entry<Task>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        SimpleTask.NAME,
                        "sigma((c0 - c1) / (c0 + c1)) of the counts of 0 and 1 among the symbols 0, 1, 2",
                        SimpleTask.SOURCE,
                        Setting.table("""
                            link | sine | sigma: sine of omega z, identity, absolute, or polynomial
                            omega | | factor of z, of sine; 1 by default
                            coefficients | | a_0,a_1,... of a_0 + a_1 z + ..., of polynomial
                            length | 16 | N, the maximum length of a sequence
                            minLength | 1 | the minimum; lengths are uniform in between
                            """),
                        LengthTasks::simpleTask),
                new Catalogue.Entry<>(
                        ModPTask.NAME,
                        "the mean of the bits at the positions that are k mod p",
                        ModPTask.SOURCE,
                        Setting.table("""
                            period | 2 | p, from 1 to %s
                            index | 0 | k, from 0 to p - 1; positions count from 1
                            length | 16 | N, the maximum length of a sequence
                            minLength | | the minimum; lengths are uniform in between; p by default, so that each residue
                              has a position
                            """.formatted(ModPTask.MAX_PERIOD)),
                        LengthTasks::modPTask));
    }

    private static Task simpleTask(Settings settings) {
        String link = settings.required(LINK, "sine, identity, absolute or polynomial");
        for (var of : Map.of(OMEGA, SINE, COEFFICIENTS, "polynomial").entrySet()) {
            if (!link.equals(of.getValue()) && settings.text(of.getKey()).isPresent()) {
                throw new IllegalArgumentException(
                        of.getKey() + ": expected none, except for " + of.getValue() + ", got one for " + link);
            }
        }
        DoubleUnaryOperator sigma = switch (link) {
            case SINE -> SimpleTask.sine(settings.real(OMEGA).orElse(1.0));
            case "identity" -> DoubleUnaryOperator.identity();
            case "absolute" -> Math::abs;
            case "polynomial" -> polynomial(settings.reals(COEFFICIENTS));
            default ->
                throw new IllegalArgumentException(
                        LINK + ": expected sine, identity, absolute or polynomial, got " + Refuse.quoted(link));
        };
        return new SimpleTask(sigma, lengths(settings, 1));
    }

    /** a_0 + a_1 z + a_2 z^2 + ..., with coefficients whose magnitudes have a sum that is finite in binary32. */
    private static DoubleUnaryOperator polynomial(List<Double> coefficients) {
        // No value is larger than the sum of the magnitudes.
        double most = coefficients.stream().mapToDouble(Math::abs).sum();
        if (!Float.isFinite((float) most)) {
            throw new IllegalArgumentException(
                    "coefficients: expected at least one, with a sum of magnitudes that is finite in binary32, got "
                            + coefficients);
        }
        return z -> {
            double value = 0;
            for (double coefficient : coefficients.reversed()) {
                value = value * z + coefficient;
            }
            return value;
        };
    }

    private static Task modPTask(Settings settings) {
        int period = settings.requiredInteger("period", 1, ModPTask.MAX_PERIOD);
        return new ModPTask(period, settings.requiredInteger("index", 0, period - 1), lengths(settings, period));
    }

    private static LengthRange lengths(Settings settings, int minimum) {
        int length = settings.requiredInteger(LENGTH, 1, LengthRange.MAX_LENGTH);
        Optional<Integer> given = settings.integer(MIN_LENGTH, 1, length);
        Refuse.when(
                given.isEmpty() && minimum > length, LENGTH, "at least " + minimum + ", or a " + MIN_LENGTH, length);
        return new LengthRange(given.orElse(minimum), length);
    }
}

package org.lemmata.track;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;
import org.lemmata.statistic.Center;

/**
 * How two runs are compared.
 *
 * @param center the statistic that represents the scores of a side
 * @param alpha the maximum probability that at least one interval misses its true ratio, between 0 and 1
 * @param margin the relative change up to which a ratio counts as the same: 0.02 for 2%
 * @param margins margins for some benchmarks; the last margin that matches a row counts
 * @param allowed the permitted differences between the runs
 * @param include selects the rows whose key contains a match
 * @param metrics the secondary metrics to compare in addition to the scores
 */
public record ComparisonOptions(
        Center center,
        double alpha,
        double margin,
        List<Margin> margins,
        Set<Allowed> allowed,
        Pattern include,
        List<String> metrics) {

    /** The defaults: 95% over all rows, a margin of 2%, no permitted differences, all rows. */
    public static final ComparisonOptions DEFAULT = new ComparisonOptions(
            Center.MEAN_OF_MEDIANS, 0.05, 0.02, List.of(), Set.of(), Pattern.compile(""), List.of());

    public enum Allowed {
        /** CPU, cores, vector width, JDK, JVM. */
        MACHINE,
        /** Threads, warm-up, measurement, version of JMH, and {@link #JVM_ARGUMENTS}. */
        SETTINGS,
        JVM_ARGUMENTS,
        FORKS;

        /** The word on the command line, such as "jvm-arguments". */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * A margin for some rows.
     *
     * @param rows matches a part of the key ({@link BenchmarkRow#key})
     */
    public record Margin(Pattern rows, double margin) {
        public Margin {
            checkMargin(margin);
        }
    }

    public ComparisonOptions {
        Refuse.when(!(alpha > 0 && alpha < 1), "alpha", "a number between 0 and 1", alpha);
        checkMargin(margin);
        margins = List.copyOf(margins);
        Set<Allowed> all = EnumSet.noneOf(Allowed.class);
        all.addAll(allowed);
        if (all.contains(Allowed.SETTINGS)) {
            all.add(Allowed.JVM_ARGUMENTS);
        }
        allowed = Set.copyOf(all);
        metrics = List.copyOf(metrics);
    }

    public ComparisonOptions allowing(Allowed difference) {
        Set<Allowed> more = EnumSet.of(difference);
        more.addAll(allowed);
        return new ComparisonOptions(center, alpha, margin, margins, more, include, metrics);
    }

    double marginOf(String key) {
        return margins.stream()
                .filter(each -> each.rows.matcher(key).find())
                .reduce((first, last) -> last)
                .map(Margin::margin)
                .orElse(margin);
    }

    private static void checkMargin(double margin) {
        Refuse.when(!(margin >= 0 && margin < Double.POSITIVE_INFINITY), "margin", "a number of at least 0", margin);
    }
}

package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.lemmata.experiment.SplitAnswers;
import org.lemmata.statistic.Measurement;

/** Correct answers of a model and of trivial baselines as a table, by split and length. */
public final class AnswerTable {

    private static final String PLACE = "%-12s %6s %8s";
    private static final String NUMBER = "  %9s";
    private static final String INTERVAL = "  %-24s";

    private static final Set<String> WITH_INTERVALS = Set.of("exact", "accuracy", "margin");

    private AnswerTable() {}

    /** Prints one table per split: a row for all its examples, then one row per length. */
    public static void print(PrintWriter out, List<SplitAnswers> rows) {
        for (SplitAnswers row : rows) {
            if (row.length().isEmpty()) {
                String titles = row.measured().keySet().stream()
                        .map(kind -> String.format(Locale.ROOT, column(kind), kind))
                        .collect(Collectors.joining());
                out.println();
                out.println(
                        (String.format(Locale.ROOT, PLACE, "split", "length", "examples") + titles).stripTrailing());
            }
            String values = row.measured().entrySet().stream()
                    .map(each ->
                            String.format(Locale.ROOT, column(each.getKey()), text(each.getKey(), each.getValue())))
                    .collect(Collectors.joining());
            String length = row.length().isEmpty()
                    ? "all"
                    : Integer.toString(row.length().getAsInt());
            long examples = row.measured().firstEntry().getValue().n();
            out.println((String.format(Locale.ROOT, PLACE, row.split(), length, examples)
                            + values
                            + (row.isLearned() ? "" : "not learned"))
                    .stripTrailing());
        }
    }

    private static String column(String kind) {
        return WITH_INTERVALS.contains(kind) ? INTERVAL : NUMBER;
    }

    private static String text(String kind, Measurement each) {
        return WITH_INTERVALS.contains(kind)
                ? String.format(
                        Locale.ROOT,
                        "%.3f [%.3f, %.3f]",
                        each.value(),
                        each.interval().low(),
                        each.interval().high())
                : String.format(Locale.ROOT, "%.4g", each.value());
    }
}

package org.lemmata.cli.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.report.plot.NumberText;
import org.lemmata.statistic.Median;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;

/** A comparison as an ASCII table for a terminal, slower rows first, and its exit code. */
public final class ComparisonText {

    /**
     * The maximum number of forks per side. More forks would take hours, during which the speed of a machine may
     * change.
     */
    private static final int MOST_FORKS = 100;

    private static final int DIGITS = 4;

    private ComparisonText() {}

    public static String of(Comparison comparison) {
        var text = new StringBuilder();
        boolean ratios = comparison.ofRatios();
        text.append(ratios ? "Ratios within " : "Speed of ")
                .append(comparison.current())
                .append(ratios ? ", compared with those of " : " relative to ")
                .append(comparison.baseline());
        Comparison.Method method = comparison.method();
        boolean itself = method != null && method.itself();
        text.append(itself ? ", which is the same code: any difference is noise\n" : "\n");
        if (method != null) {
            text.append(line(method, ratios)).append('\n');
        }
        comparison
                .differences()
                .forEach(
                        line -> text.append(ratios ? "" : "note: ").append(line).append('\n'));
        if (method != null && method.otherJvms()) {
            text.append("the JVMs differ, so the code is not judged (exit code 3); --allow machine compares anyway\n");
        }
        if (!comparison.refused().isEmpty()) {
            return text.append("not compared: ")
                    .append(comparison.refused())
                    .append('\n')
                    .toString();
        }
        text.append('\n')
                .append(table(comparison.rows(), itself, ratios))
                .append('\n')
                .append(method == null ? "" : columns(comparison, method))
                .append('\n')
                .append(summary(comparison))
                .append('\n');
        return text.toString();
    }

    private static String columns(Comparison comparison, Comparison.Method method) {
        var columns = new LinkedHashMap<String, String>();
        columns.put(
                "ratio",
                comparison.ofRatios()
                        ? "now over before, each how many times as fast as its reference in the same run"
                        : "how many times as fast; above 1 is faster");
        columns.put(
                "interval",
                "where the true ratio lies, at " + percent(1 - method.alpha())
                        + (method.compared() > 1 ? " for all rows together" : ""));
        columns.put(
                "verdict",
                "slower: whole interval below 1 / (1 + margin); faster: above 1 + margin; same: between; else"
                        + " inconclusive");
        if (comparison.open().stream().anyMatch(row -> row.verdict() != Change.INCONCLUSIVE)) {
            columns.put(
                    "probably",
                    "the " + percent(1 - method.alpha())
                            + " interval of only this row excludes 1, which happens to up to " + percent(method.alpha())
                            + " of unchanged rows");
        }
        if (!comparison.open().isEmpty()) {
            columns.put("takes", "forks per version that would decide the row, if their spread stays the same");
        }
        if (method.itself()) {
            columns.put(
                    "noise floor", "half the width of the interval; about half of all runs find a change of this size");
        }
        return columns.entrySet().stream()
                .map(column -> String.format(Locale.ROOT, "%-12s %s\n", column.getKey(), column.getValue()))
                .collect(Collectors.joining());
    }

    /**
     * 1 if a row is slower or has a verdict in {@code failures}, or is faster in an A/A run; otherwise 3 if the
     * comparison is {@linkplain Comparison#inconclusive inconclusive}. If the JVMs differ, no row is decided: always 3.
     */
    public static int exitCode(Comparison comparison, Set<Change> failures) {
        Comparison.Method method = comparison.method();
        if (method != null && method.otherJvms()) {
            return ExitCode.INCONCLUSIVE;
        }
        boolean falseAlarm = method != null
                && method.itself()
                && !comparison.with(Change.FASTER).isEmpty();
        if (falseAlarm
                || comparison.rows().stream()
                        .anyMatch(row -> row.verdict() == Change.SLOWER || failures.contains(row.verdict()))) {
            return ExitCode.CONTRARY;
        }
        return comparison.inconclusive() ? ExitCode.INCONCLUSIVE : ExitCode.CLEAN;
    }

    private static String line(Comparison.Method method, boolean ratios) {
        String center = method.center().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String all = method.compared() <= 1 && method.looks() <= 1
                ? ""
                : ", which is " + percent(1 - method.alpha()) + " for "
                        + (method.compared() <= 1 ? "the row" : "all " + method.compared() + " rows (Bonferroni)")
                        + (method.looks() > 1 ? " and " + method.looks() + " looks, stricter at the earlier ones" : "");
        return "method: " + center + (ratios ? ", ratios within each run" : pairing(method)) + "; intervals at "
                + percent(method.level()) + all
                + (method.sharedFreedom() == 0
                        ? ""
                        : "; rows share a variance, worth up to " + NumberText.digits(method.sharedFreedom(), 2)
                                + " degrees of freedom in each");
    }

    private static String pairing(Comparison.Method method) {
        if (method.duets() == 0) {
            return method.paired() ? ", forks in turn, A B B A" : ", forks of two runs";
        }
        int others = method.compared() - method.duets();
        return ", forks of A and B at the same time" + (others > 0 ? " (of " + others + " rows in turn)" : "");
    }

    private static String table(List<ComparisonRow> rows, boolean itself, boolean ratios) {
        var lines = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("verdict", "ratio", "interval", "margin", "forks", "takes"));
        if (itself) {
            head.add("noise floor");
        }
        if (ratios) {
            head.addAll(List.of("before", "now", "compared with"));
        }
        head.add("benchmark");
        lines.add(head);
        rows.stream()
                .sorted(Comparator.comparing(ComparisonRow::verdict)
                        .thenComparingDouble(row -> Double.isNaN(row.ratio()) ? Double.POSITIVE_INFINITY : row.ratio()))
                .forEach(row -> lines.add(cells(row, itself)));
        return Columns.text(lines);
    }

    private static List<String> cells(ComparisonRow row, boolean itself) {
        boolean known = !Double.isNaN(row.ratio());
        String takes = !row.verdict().isOpen() || !known || row.forks() < 2
                ? "-"
                : row.forksNeeded() == null ? "1000+" : Integer.toString(row.forksNeeded());
        var cells = new ArrayList<>(List.of(
                row.verdict().word(),
                known ? digits(row.ratio()) : "-",
                known && !row.isInformative()
                        ? ComparisonRow.NO_INFORMATION
                        : known
                                ? "[" + digits(row.interval().low()) + ", "
                                        + digits(row.interval().high()) + "]"
                                : "-",
                percent(row.margin()),
                row.forks() == 0 ? "-" : Integer.toString(row.forks()),
                takes));
        if (itself) {
            cells.add(known && row.isInformative() ? digits(row.noiseFloor()) : "-");
        }
        ComparisonRow.Within within = row.within();
        if (within != null) {
            cells.addAll(List.of(ratio(within.before()), ratio(within.now()), within.beside()));
        }
        cells.add(row.shortName() + (row.note().isEmpty() ? "" : "; " + row.note()));
        return cells;
    }

    public static String ratio(double ratio) {
        return Double.isNaN(ratio) ? "-" : digits(ratio);
    }

    public static String slower(Comparison comparison) {
        return comparison.with(Change.SLOWER).stream()
                .map(row -> row.shortName() + " " + digits(row.ratio()))
                .collect(Collectors.joining("; ", "slower than in " + comparison.baseline() + ": ", ""));
    }

    private static String summary(Comparison comparison) {
        String counts = Stream.of(Change.values())
                .filter(verdict -> !comparison.with(verdict).isEmpty())
                .map(verdict -> comparison.with(verdict).size() + " " + verdict.word())
                .collect(Collectors.joining(", "));
        Comparison.Method method = comparison.method();
        int different = comparison.with(Change.SLOWER).size()
                + comparison.with(Change.FASTER).size();
        if (method != null && method.itself() && different > 0) {
            counts += "; the code was compared with itself, so " + different
                    + (different == 1 ? " verdict is" : " verdicts are")
                    + " wrong: do not trust comparisons on this machine";
        }
        return comparison.rows().isEmpty() ? "no rows" : counts + geometricMean(comparison);
    }

    /** The geometric mean of all known ratios; empty for fewer than two, or for ratios within runs. */
    private static String geometricMean(Comparison comparison) {
        double[] logs = comparison.rows().stream()
                .mapToDouble(ComparisonRow::ratio)
                .filter(ratio -> ratio > 0 && Double.isFinite(ratio))
                .map(Math::log)
                .toArray();
        return logs.length < 2 || comparison.ofRatios()
                ? ""
                : "; geometric mean of " + logs.length + " ratios "
                        + digits(Math.exp(Arrays.stream(logs).average().orElseThrow()));
    }

    static String percent(double share) {
        return new BigDecimal(100 * share)
                        .setScale(DIGITS, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    static String digits(double value) {
        if (!Double.isFinite(value) || value == 0) {
            return Double.isInfinite(value) ? "inf" : "0";
        }
        return NumberText.digits(value, DIGITS);
    }

    /**
     * The recommended next step after {@code bench} compared two sides: one line, with a command if possible.
     *
     * @param command the words of the current command
     * @param start the first words of a command for the same jar
     */
    public static String nextStep(Comparison comparison, List<String> command, List<String> start) {
        Comparison.Method method = comparison.method();
        boolean itself = method != null && method.itself();
        List<ComparisonRow> slower = comparison.with(Change.SLOWER);
        int leftOut = comparison.with(Change.LEFT_OUT).size();
        boolean others = itself
                ? !noiseFloors(comparison).isEmpty()
                : !slower.isEmpty() || !comparison.open().isEmpty();
        if (leftOut > 0 && !others) {
            return "next: " + leftOut + (leftOut == 1 ? " row is" : " rows are")
                    + " mostly left out, because other programs ran: try again when they have ended, or with --in-turn";
        }
        return "next: "
                + (itself
                        ? floors(comparison)
                        : slower.isEmpty() ? undecided(comparison.open(), command) : profileSlower(slower, start));
    }

    private static String profileSlower(List<ComparisonRow> slower, List<String> start) {
        ComparisonRow first = slower.stream()
                .min(Comparator.comparingDouble(ComparisonRow::ratio))
                .orElseThrow();
        String[] names = first.benchmark().replaceFirst(":.*", "").split("\\.", -1);
        var command = new ArrayList<>(start);
        command.add(names[names.length - 2] + "." + names[names.length - 1] + "$");
        first.params().forEach((name, value) -> command.addAll(List.of("-p", name + "=" + value)));
        command.addAll(List.of("-f", "1", "--prof", "async"));
        return "to see where the time goes: " + shellLine(command)
                + "; to test this machine for false alarms: --aa instead of --against";
    }

    private static String undecided(List<ComparisonRow> rows, List<String> command) {
        if (rows.isEmpty()) {
            return "nothing is slower; to measure the smallest visible change: --aa instead of --against";
        }
        int[] takes = rows.stream()
                .map(ComparisonRow::forksNeeded)
                .filter(forks -> forks != null && forks <= MOST_FORKS)
                .mapToInt(Integer::intValue)
                .toArray();
        if (takes.length > 0) {
            return shellLine(withForks(command, Arrays.stream(takes).max().getAsInt())) + " should decide "
                    + (takes.length < rows.size() ? takes.length + " of " : "") + rows.size()
                    + (rows.size() == 1 ? " row" : " rows") + ", if their spread stays the same";
        }
        if (rows.stream().allMatch(row -> Double.isNaN(row.ratio()))) {
            return "the versions never ran together, because other programs ran: try again when they have ended, or"
                    + " with --in-turn";
        }
        return rows.stream().allMatch(row -> row.forks() < 2)
                ? "one fork per version shows no spread between forks: measure more, such as -f 10"
                : "more than " + MOST_FORKS
                        + " forks per version would be needed; measure the noise with --aa instead of"
                        + " --against, and set --margin above it; longer iterations or a quieter machine also help";
    }

    private static List<Double> noiseFloors(Comparison comparison) {
        return comparison.rows().stream()
                .filter(row -> row.verdict() != Change.LEFT_OUT && row.isInformative())
                .map(ComparisonRow::noiseFloor)
                .filter(Double::isFinite)
                .sorted()
                .toList();
    }

    private static String floors(Comparison comparison) {
        List<Double> floors = noiseFloors(comparison);
        return floors.isEmpty()
                ? "these forks have no noise floor: try more of them (-f 10), longer iterations or a quieter"
                        + " machine"
                : "with this number of forks, differences below " + digits(Median.of(floors))
                        + (floors.size() == 1 ? "" : " (median row; " + digits(floors.getLast()) + " the noisiest)")
                        + " are noise; use four times as many forks to halve that, or set --margin above it";
    }

    static List<String> withForks(List<String> command, int forks) {
        var others = new ArrayList<String>();
        for (int i = 0; i < command.size(); i++) {
            String argument = command.get(i);
            if (argument.equals("-f")) {
                i++;
            } else if (!argument.startsWith("-f=")) {
                boolean text = argument.startsWith("--args=")
                        || (i > 0 && command.get(i - 1).equals("--args"));
                others.add(text ? argument.replaceAll("(?<=[\\s=]|^)-f[ =]\\d+\\s?", "") : argument);
            }
        }
        others.addAll(List.of("-f", Integer.toString(forks)));
        return others;
    }

    static String shellLine(List<String> command) {
        return command.stream()
                .map(word -> word.matches("(?!~)[\\w./=:,+@%~-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}

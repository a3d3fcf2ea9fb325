package org.lemmata.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.lemmata.statistic.Median;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;

/** Recommends the next step after {@code bench} compared two sides: one line, with a command if possible. */
public final class NextStep {

    /**
     * The maximum number of forks per side. More forks would take hours, during which the speed of a machine may
     * change.
     */
    private static final int MOST_FORKS = 100;

    private NextStep() {}

    /**
     * The recommendation, without a line break.
     *
     * @param command the words of the current command
     * @param start the first words of a command for the same jar
     */
    public static String of(Comparison comparison, List<String> command, List<String> start) {
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
                        : slower.isEmpty() ? undecided(comparison.open(), command) : profile(slower, start));
    }

    private static String profile(List<ComparisonRow> slower, List<String> start) {
        ComparisonRow first = slower.stream()
                .min(Comparator.comparingDouble(ComparisonRow::ratio))
                .orElseThrow();
        String[] names = first.benchmark().replaceFirst(":.*", "").split("\\.", -1);
        var command = new ArrayList<>(start);
        command.add(names[names.length - 2] + "." + names[names.length - 1] + "$");
        first.params().forEach((name, value) -> command.addAll(List.of("-p", name + "=" + value)));
        command.addAll(List.of("-f", "1", "--prof", "async"));
        return "to see where the time goes: " + line(command)
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
            return line(withForks(command, Arrays.stream(takes).max().getAsInt())) + " decides "
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
                ? "these forks have no noise floor: try more of them (-f 10), longer iterations or a quieter machine"
                : "with this number of forks, differences below " + ComparisonText.digits(Median.of(floors))
                        + (floors.size() == 1
                                ? ""
                                : " (median row; " + ComparisonText.digits(floors.getLast()) + " the noisiest)")
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

    static String line(List<String> command) {
        return command.stream()
                .map(word -> word.matches("(?!~)[\\w./=:,+@%~-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}

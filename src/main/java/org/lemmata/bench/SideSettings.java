package org.lemmata.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.track.ScoreUnit;

/**
 * Gives both sides of a run equal measurement settings before it starts. The annotations of another benchmark, or of
 * the same benchmark at another commit, may differ.
 */
public final class SideSettings {

    /** Options for which both sides can use the greater value. */
    private static final List<String> GREATER = List.of("-wi", "-w", "-wbs", "-i", "-r", "-bs");

    private static final Pattern AMOUNT = Pattern.compile("(\\d+)([a-z]*)");

    private SideSettings() {}

    /**
     * A plan of two sides. If their annotations differ in warm-up or measurement, both sides get the greater value as
     * an option.
     *
     * @param against the second side, in the user's words
     * @param progress receives the options that were added
     * @throws IllegalArgumentException if another known setting differs: mode, unit, threads, JVM and its arguments, or
     *     the version of JMH
     */
    public static BenchmarkPlan alike(BenchmarkSide a, BenchmarkSide b, String against, Consumer<String> progress)
            throws IOException {
        requireOneVersion(a.jar(), b.jar(), against);
        BenchmarkList ofA = a.jar().list();
        BenchmarkList ofB = b.jar().list();
        var cellsOfA = new ArrayList<BenchmarkCell>();
        var cellsOfB = new ArrayList<BenchmarkCell>();
        Map<List<String>, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(a.cells().size(), b.cells().size()); i++) {
            BenchmarkCell cellOfA = a.cells().get(i);
            BenchmarkCell cellOfB = b.cells().get(i);
            Optional<BenchmarkList.Entry> entryOfA = ofA.entry(cellOfA.benchmark());
            Optional<BenchmarkList.Entry> entryOfB = ofB.entry(cellOfB.benchmark());
            List<String> added = entryOfA.isPresent() && entryOfB.isPresent()
                    ? added(cellOfA, entryOfA.get(), cellOfB, entryOfB.get(), against)
                    : List.of();
            cellsOfA.add(cellOfA.withOptions(added));
            cellsOfB.add(cellOfB.withOptions(added));
            counts.merge(added, 1, Integer::sum);
        }
        counts.forEach((added, count) -> {
            if (!added.isEmpty()) {
                progress.accept("both sides of " + count + (count == 1 ? " benchmark" : " benchmarks") + " run with "
                        + String.join(" ", added) + ", the larger of their annotated values");
            }
        });
        return new BenchmarkPlan(List.of(a.with(cellsOfA), b.with(cellsOfB)), against);
    }

    private static void requireOneVersion(BenchmarkJar a, BenchmarkJar b, String against) throws IOException {
        Optional<String> ofA = a.jmhVersion();
        Optional<String> ofB = b.jmhVersion();
        if (ofA.isPresent() && ofB.isPresent() && !ofA.equals(ofB)) {
            throw new IllegalArgumentException(
                    "--against " + against + ": expected JMH " + ofA.get() + " on both sides, got " + ofB.get());
        }
    }

    /** The options that both cells need to be measured equally. */
    private static List<String> added(
            BenchmarkCell a, BenchmarkList.Entry ofA, BenchmarkCell b, BenchmarkList.Entry ofB, String against) {
        var added = new ArrayList<String>();
        ofA.settings().forEach((option, valueOfA) -> {
            String valueOfB = ofB.settings().getOrDefault(option, "");
            if (valueOfA.equals(valueOfB) || a.options().contains(option)) {
                return;
            }
            OptionalLong amountOfA = amount(valueOfA);
            OptionalLong amountOfB = amount(valueOfB);
            if (!GREATER.contains(option) || amountOfA.isEmpty() || amountOfB.isEmpty()) {
                throw new IllegalArgumentException("--against " + against + ": expected the " + option + " of "
                        + a.shortKey() + ", " + said(valueOfA) + ", also for " + b.shortKey() + ", got "
                        + said(valueOfB)
                        + "; pass " + option + " to set it for both");
            }
            added.add(option);
            added.add(amountOfA.getAsLong() >= amountOfB.getAsLong() ? valueOfA : valueOfB);
        });
        return added;
    }

    private static String said(String value) {
        return value.isEmpty() ? "none" : value;
    }

    /** The value of a count, or of a time in nanoseconds; empty if the text is neither. */
    static OptionalLong amount(String text) {
        Matcher matcher = AMOUNT.matcher(text.replace(" ", "").toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        // JMH's options accept "m" for minutes.
        String unit = matcher.group(2).equals("m") ? "min" : matcher.group(2);
        Optional<Double> nanos =
                unit.isEmpty() ? Optional.of(1.0) : ScoreUnit.of(unit + "/op").map(ScoreUnit::nanos);
        return nanos.stream()
                .mapToLong(each -> Long.parseLong(matcher.group(1)) * each.longValue())
                .findFirst();
    }
}

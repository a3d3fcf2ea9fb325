package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.GitCommit;
import org.lemmata.track.ScoreUnit;

/**
 * Finds the other side of a comparison: benchmarks in another jar, at another commit, or another benchmark. Gives both
 * sides equal measurement settings, because their annotations may differ.
 */
public final class Opponent {

    /** Options for which both sides can use the greater value. */
    private static final List<String> GREATER = List.of("-wi", "-w", "-wbs", "-i", "-r", "-bs");

    private static final Pattern AMOUNT = Pattern.compile("(\\d+)([a-z]*)");

    private Opponent() {}

    /**
     * The other side for {@code cells}.
     *
     * @param text the path of a jar, a commit, or a regular expression of benchmarks; tried in this order
     * @param builds builds commits; empty if that is not possible here
     * @param progress receives a message for each benchmark that the other jar lacks and that is therefore left out
     * @throws IllegalArgumentException if the text is none of these, the other jar lacks all cells, or a cell does not
     *     match exactly one benchmark
     */
    public static BenchmarkSide of(
            String text,
            BenchmarkJar jar,
            List<BenchmarkCell> cells,
            Optional<CommitBuilds> builds,
            Consumer<String> progress)
            throws IOException {
        if (Files.isRegularFile(Path.of(text))) {
            return inJar(BenchmarkJar.open(Path.of(text)).on(jar.jvm()), cells, progress);
        }
        Optional<String> commit = builds.flatMap(each -> GitCommit.ofRevision(each.checkout(), text));
        if (commit.isEmpty()) {
            String noCommit = text.endsWith(".jar") ? ": no such file" : CommitBuilds.fault(Path.of(""));
            return benchmark(text, jar, cells, noCommit);
        }
        BenchmarkJar other = builds.get().build(commit.get(), CommitBuilds.title(text, commit.get()));
        return inJar(other.on(jar.jvm()), cells, progress);
    }

    /** The same cells in another jar, without the cells that the jar lacks. */
    private static BenchmarkSide inJar(BenchmarkJar jar, List<BenchmarkCell> cells, Consumer<String> progress)
            throws IOException {
        Map<String, Set<String>> known = jar.annotatedCells(JmhArguments.parse(List.of())).stream()
                .collect(Collectors.toMap(
                        BenchmarkCell::benchmark, cell -> cell.params().keySet(), (first, second) -> first));
        var there = new ArrayList<BenchmarkCell>();
        var lines = new LinkedHashSet<String>();
        var lacking = new ArrayList<BenchmarkSession.Unmeasured>();
        for (BenchmarkCell cell : cells) {
            Set<String> params = known.get(cell.benchmark());
            if (params != null && params.equals(cell.params().keySet())) {
                there.add(cell);
            } else {
                lacking.add(new BenchmarkSession.Unmeasured(
                        cell.benchmark(),
                        cell.params(),
                        params == null ? Change.NEW : Change.GONE,
                        params == null ? "not in the baseline" : "the baseline has the parameters " + params));
                lines.add("--against: expected " + cell.benchmark() + " in " + jar.file()
                        + (params == null
                                ? ", got none"
                                : " with the parameters " + cell.params().keySet() + ", got " + params));
            }
        }
        if (there.isEmpty() && !lines.isEmpty()) {
            throw new IllegalArgumentException(lines.getFirst());
        }
        lines.forEach(line -> progress.accept("left out: " + line));
        return new BenchmarkSide("B", jar, there, lacking);
    }

    /**
     * For each cell, the benchmark that matches, with the parameter values in {@code text}, otherwise those of the
     * cell. If several match, the one in the class of the cell counts; it is an error if not exactly one remains.
     *
     * @param text a regular expression, optionally followed by {@code -p name=value}
     */
    private static BenchmarkSide benchmark(String text, BenchmarkJar jar, List<BenchmarkCell> cells, String noCommit)
            throws IOException {
        JmhArguments asked = JmhArguments.parse(JmhArguments.words(text));
        int choosing = 2 * (asked.values("-p").size() + asked.values("-e").size());
        Refuse.when(
                asked.forks().isPresent() || asked.options().size() > choosing,
                "--against " + text,
                "a benchmark and -p",
                "other options; pass them outside of --against, for both sides");
        List<String> given = asked.parameters();
        List<BenchmarkCell> candidates;
        try {
            List<String> words = new ArrayList<>(asked.includes());
            words.addAll(options(cells));
            candidates = jar.cells(JmhArguments.parse(words).overriddenBy(asked), 1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--against: expected a jar, a commit or a regular expression of benchmarks, got " + text + noCommit,
                    e);
        }
        var partners = new ArrayList<BenchmarkCell>();
        for (BenchmarkCell cell : cells) {
            List<BenchmarkCell> fitting = candidates.stream()
                    .filter(each -> each.params().entrySet().stream()
                            .allMatch(param -> given.contains(param.getKey())
                                    || param.getValue()
                                            .equals(cell.params().getOrDefault(param.getKey(), param.getValue()))))
                    .toList();
            List<BenchmarkCell> ofClass = fitting.stream()
                    .filter(each -> each.benchmarkClass().equals(cell.benchmarkClass()))
                    .toList();
            List<BenchmarkCell> chosen = ofClass.isEmpty() ? fitting : ofClass;
            String expected = "one benchmark with the parameters of " + cell.shortKey();
            Refuse.when(chosen.size() != 1, "--against " + text, expected, chosen.size());
            partners.add(new BenchmarkCell(
                    chosen.getFirst().benchmark(), chosen.getFirst().params(), cell.options(), cell.forks()));
        }
        return new BenchmarkSide("B", jar, partners);
    }

    /** Options with every value that a parameter has in {@code cells}. */
    private static List<String> options(List<BenchmarkCell> cells) {
        var params = new LinkedHashMap<String, LinkedHashSet<String>>();
        for (BenchmarkCell cell : cells) {
            cell.params()
                    .forEach((name, value) -> params.computeIfAbsent(name, key -> new LinkedHashSet<>())
                            .add(value));
        }
        var options = new ArrayList<String>();
        params.forEach((name, values) -> options.addAll(List.of("-p", name + "=" + String.join(",", values))));
        return options;
    }

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

package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.GitCommit;

/** Finds the other side of a comparison: benchmarks in another jar, at another commit, or another benchmark. */
public final class Opponent {

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
}

package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** What benchmarks are compared with in one run: a jar, a commit of the checkout, or another benchmark. */
public final class Opponent {

    private static final Path COMMITS = Path.of("target", "commits");

    private Opponent() {}

    /**
     * The other side of {@code cells}.
     *
     * @param text the path of a jar, what git takes for a commit, or a regular expression of benchmarks, looked at in this
     *     order
     * @param progress told what takes long
     * @throws IllegalArgumentException if it is none of them, or has no partner for one of the cells
     */
    public static BenchmarkSide of(
            String text, BenchmarkJar jar, List<BenchmarkCell> cells, Consumer<String> progress) throws IOException {
        if (Files.isRegularFile(Path.of(text))) {
            return inJar(BenchmarkJar.open(Path.of(text)), cells);
        }
        Optional<String> commit = git("rev-parse", "--verify", "--quiet", text + "^{commit}");
        if (commit.isPresent()) {
            return inJar(build(commit.get().strip(), progress), cells);
        }
        return benchmark(text, jar, cells);
    }

    /** The same cells in another jar. */
    private static BenchmarkSide inJar(BenchmarkJar jar, List<BenchmarkCell> cells) throws IOException {
        List<String> known = jar.cells(new JmhArguments(List.of(), OptionalInt.empty(), List.of(), false), 1).stream()
                .map(BenchmarkCell::benchmark)
                .distinct()
                .toList();
        for (BenchmarkCell cell : cells) {
            if (!known.contains(cell.benchmark())) {
                throw new IllegalArgumentException("--against: expected " + cell.benchmark() + " in " + jar.file() + ", got none");
            }
        }
        return new BenchmarkSide("B", jar, cells);
    }

    /** Checked out and built beside this tree's own build; built once. */
    private static BenchmarkJar build(String commit, Consumer<String> progress) throws IOException {
        Path tree = COMMITS.resolve(commit.substring(0, 12)).toAbsolutePath();
        Path jar = tree.resolve(BenchmarkJar.BUILT);
        if (!Files.exists(jar)) {
            progress.accept("building " + commit + " in " + tree);
            git("worktree", "prune");
            if (!Files.exists(tree)) {
                Files.createDirectories(COMMITS);
                if (git("worktree", "add", "--detach", tree.toString(), commit).isEmpty()) {
                    throw new IOException(tree + ": expected git to check out " + commit + ", it failed");
                }
            }
            Path log = COMMITS.resolve(commit.substring(0, 12) + ".log");
            Process maven = new ProcessBuilder("mvn", "-B", "-ntp", "-P", "jmh", "-DskipTests", "package")
                    .directory(tree.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (waitFor(maven) != 0 || !Files.exists(jar)) {
                throw new IOException(log + ": expected mvn -P jmh -DskipTests package of " + commit + " to succeed, it failed");
            }
        }
        return BenchmarkJar.open(jar);
    }

    /** For each cell the one benchmark that matches, has its parameters and, where several do, its class. */
    private static BenchmarkSide benchmark(String text, BenchmarkJar jar, List<BenchmarkCell> cells) throws IOException {
        List<BenchmarkCell> candidates;
        try {
            candidates = jar.cells(new JmhArguments(List.of(text), OptionalInt.empty(), options(cells), false), 1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--against: expected a jar, a commit or a regular expression of benchmarks, got " + text, e);
        }
        var partners = new ArrayList<BenchmarkCell>();
        for (BenchmarkCell cell : cells) {
            List<BenchmarkCell> equal = candidates.stream()
                    .filter(each -> each.params().equals(cell.params()))
                    .toList();
            List<BenchmarkCell> ofClass = equal.stream()
                    .filter(each -> each.benchmarkClass().equals(cell.benchmarkClass()))
                    .toList();
            List<BenchmarkCell> chosen = ofClass.isEmpty() ? equal : ofClass;
            if (chosen.size() != 1) {
                throw new IllegalArgumentException("--against " + text + ": expected one benchmark with the parameters of "
                        + cell.shortKey() + ", got " + chosen.size());
            }
            partners.add(new BenchmarkCell(
                    chosen.getFirst().benchmark(), cell.params(), cell.options(), cell.forks()));
        }
        return new BenchmarkSide("B", jar, partners);
    }

    /** Every value that a parameter has in one of the cells. */
    private static List<String> options(List<BenchmarkCell> cells) {
        var params = new LinkedHashMap<String, LinkedHashSet<String>>();
        for (BenchmarkCell cell : cells) {
            cell.params().forEach((name, value) ->
                    params.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(value));
        }
        var options = new ArrayList<String>();
        params.forEach((name, values) -> options.addAll(List.of("-p", name + "=" + String.join(",", values))));
        return options;
    }

    private static Optional<String> git(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return waitFor(process) == 0 ? Optional.of(output) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static int waitFor(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new IOException("interrupted", e);
        }
    }
}

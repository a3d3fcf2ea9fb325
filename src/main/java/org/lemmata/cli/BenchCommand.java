package org.lemmata.cli;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.bench.BenchmarkCell;
import org.lemmata.bench.BenchmarkFiles;
import org.lemmata.bench.BenchmarkJar;
import org.lemmata.bench.BenchmarkPlan;
import org.lemmata.bench.BenchmarkRunner;
import org.lemmata.bench.BenchmarkSide;
import org.lemmata.bench.BenchmarkSuite;
import org.lemmata.bench.CommitBuilds;
import org.lemmata.bench.Duets;
import org.lemmata.bench.JmhArguments;
import org.lemmata.bench.Opponent;
import org.lemmata.bench.Profiling;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.terminal.TerminalProgress.BenchProgress;
import org.lemmata.cli.text.Columns;
import org.lemmata.cli.text.ComparisonText;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.report.PeerRatios;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.GitCommit;
import org.lemmata.track.JmhResults;
import org.lemmata.track.ProfileDirectory;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        description = {
            "Run JMH benchmarks of any jar, or compare them with another version.",
            "Each fork is a separate process. With --against or --aa, one fork of each of the two versions (sides) "
                    + "runs at the same time (a duet).",
            "Writes jmh-results/NAME.json in JMH's format, and a record of the machine to NAME.run.json."
        },
        exitCodeList = {
            "0:No benchmark is slower.",
            "1:A benchmark is slower than in the other version; with --aa, one differs.",
            "2:Bad input, or a benchmark failed; one line on standard error names it.",
            "3:A benchmark has no verdict.",
            "130:Interrupted; the same command resumes."
        },
        footer = {
            "  lemmata bench MatMul -f 5",
            "  lemmata bench --jar target/my.jar --build \"mvn -q package\" --against main",
            "  lemmata bench --jar new.jar --against old.jar --margin 5%%"
        })
final class BenchCommand extends JsonCommand {

    private static final String GC = "gc.";

    private static final int FORKS = 3;
    private static final int FORKS_OF_SIDES = 10;

    @Parameters(
            arity = "0..*",
            paramLabel = "JMH OPTION",
            description = "Regular expressions of benchmarks, and options of JMH: -f 10 -p length=128 -prof gc. "
                    + "-l lists the benchmarks; --args=-h prints JMH's help. The default of -f is 3, or "
                    + "10 per side with --against or --aa.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--args",
            paramLabel = "TEXT",
            description = "More options of JMH in one argument, separated by blanks. May be empty.")
    private String text = "";

    @Option(
            names = "--prof",
            paramLabel = "NAME",
            description = "A profiler, as for JMH's -prof: async, jfr, gc, perfasm or another. May be empty.")
    private String profilers = "";

    @Option(
            names = "--suite",
            paramLabel = "FILE",
            description = "A file with one line per benchmark: its name and its JMH options. Used only if you "
                    + "name no benchmark.")
    private @Nullable Path suite;

    @Option(
            names = "--against",
            paramLabel = "JAR|COMMIT|BENCHMARK",
            description = "Compare with the same benchmarks of another jar or commit, or with other benchmarks.")
    private @Nullable String against;

    @Option(names = "--aa", description = "Compare the build with itself to measure noise (A/A run).")
    private boolean aa;

    @Option(
            names = "--in-turn",
            description = "Alternate the forks of the two sides (A B B A) instead of running them simultaneously. "
                    + "Use this if memory bandwidth, which simultaneous forks share, limits a benchmark.")
    private boolean inTurn;

    @Option(
            names = "--beside-reference",
            description = "Run each benchmark at the same time as its reference: a method scalar... of the same class, "
                    + "or else MachineBenchmark.fma. Select the reference as well. Not with --against or --aa.")
    private boolean besideReference;

    @Option(
            names = "--until-decided",
            description = "Stop a benchmark once it has its verdict: after 4 forks per side at the earliest (2 with "
                    + "--beside-reference), and after -f forks at the latest.")
    private boolean untilDecided;

    @Option(
            names = "--limit-minutes",
            paramLabel = "MINUTES",
            description = "Start no fork after this many minutes. The results then contain the forks so far, "
                    + "without verdicts; repeat the command to run the other forks.")
    private double limitMinutes = Double.POSITIVE_INFINITY;

    @Mixin
    private final GateOptions gate = new GateOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of the results (default: latest, or profile with a profiler).")
    private @Nullable String name;

    @Option(names = "--results", paramLabel = "DIR", description = "The directory for results (default: jmh-results).")
    private Path directory = BenchmarkFiles.DIRECTORY;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "A JMH jar of any project (default: target/lemmata-benchmarks.jar, rebuilt "
                    + "in the user's cache directory if sources are newer).")
    private @Nullable Path file;

    @Option(
            names = "--build",
            paramLabel = "COMMAND",
            description = "The command that builds --jar in a checkout, without a shell. The jar is then built from "
                    + "your current files, and --against accepts commits.")
    private String build = "";

    @Option(
            names = "--clean",
            description = "Delete the cached builds of commits, then exit. Otherwise the last five are kept.")
    private boolean clean;

    private String runsOn = "";

    @Override
    public Integer call() throws IOException {
        try (Interruption interruption = new Interruption()) {
            return measure(interruption);
        } catch (InterruptedIOException e) {
            return stopped();
        }
    }

    private int stopped() {
        err().println("bench: stopped; repeat the command to continue");
        return ExitCode.INTERRUPTED;
    }

    private int measure(Interruption interruption) throws IOException {
        if (clean) {
            text().println("deleted " + CommitBuilds.clean(CommitBuilds.CACHE, 0) + " builds in " + CommitBuilds.CACHE);
            return ExitCode.CLEAN;
        }
        refuseOptions();
        ComparisonOptions options = gate.in(ComparisonOptions.DEFAULT);
        try (CommitBuilds builds = builds(interruption).orElse(null)) {
            return measure(interruption, options, Optional.ofNullable(builds));
        }
    }

    private int measure(Interruption interruption, ComparisonOptions options, Optional<CommitBuilds> builds)
            throws IOException {
        BenchmarkJar jar = jar(builds);
        JmhArguments arguments = arguments(jar);
        jar = jar.onJvmOf(arguments);
        if (arguments.listing()) {
            text().print(jar.answer(arguments));
            return ExitCode.CLEAN;
        }
        runsOn = "forks run on " + jar.runsOn();
        BenchmarkPlan plan = plan(jar, arguments, builds);
        if (plan.sides().size() == 2) {
            String other = plan.title(1);
            if (plan.sameCode()) {
                text().println(plan.title(0) + " and " + other + " have the same classes: no row can be slower, and"
                        + " nothing is measured; --aa measures the noise");
                return ExitCode.CLEAN;
            }
            tell("comparing " + plan.title(0) + " (A) with " + (aa ? BenchmarkPlan.ITSELF : "the baseline " + other)
                    + " (B)");
        }
        List<RunRecord> records = new ArrayList<>();
        for (BenchmarkSide side : plan.sides()) {
            records.add(
                    side.jar().equals(jar) && !records.isEmpty()
                            ? records.getFirst()
                            : side.jar().record(arguments));
        }
        String chosen = name != null ? name : arguments.profiles() ? "profile" : "latest";
        var files = BenchmarkFiles.named(directory, chosen);
        Path log = Path.of("target", "bench", chosen + ".log");
        Files.createDirectories(log.toAbsolutePath().getParent());
        PrintWriter err = err();
        BenchmarkRunner.End end;
        long start = System.nanoTime();
        BooleanSupplier over = () -> System.nanoTime() - start >= limitMinutes * 6e10;
        try (BenchProgress progress = new BenchProgress(err, runsOn, limitMinutes * 60)) {
            end = new BenchmarkRunner(plan, records, files, options)
                    .run(log, progress, interruption::isRequested, over);
        }
        return switch (end) {
            case COMPLETE, LIMITED -> print(files, plan, options, end);
            case FAILED -> {
                Path rest = files.incomplete().results(plan.sides().getFirst());
                err.println("bench: no results, since a benchmark failed; "
                        + (Files.exists(rest) ? "the rows that ran are in " + rest + ", " : "")
                        + "JMH's output is in " + log);
                yield ExitCode.USAGE;
            }
            case STOPPED -> stopped();
        };
    }

    private JmhArguments arguments(BenchmarkJar jar) throws IOException {
        List<String> all = new ArrayList<>(words);
        all.addAll(JmhArguments.words(text));
        for (String profiler : JmhArguments.words(profilers)) {
            all.addAll(List.of("-prof", profiler));
        }
        return Profiling.withLocations(JmhArguments.parse(all), jar);
    }

    private void refuseOptions() throws IOException {
        Refuse.when(aa && against != null, "--aa", "no --against with it", String.valueOf(against));
        boolean sides = aa || against != null;
        gate.refuseOthers();
        if (!sides) {
            GateOptions.refuse(commandLine(), List.of("--json", "--in-turn"), "--against or --aa with it", "neither");
        }
        boolean alone = !sides && !besideReference;
        Refuse.when(untilDecided && alone, "--until-decided", "--against, --aa or --beside-reference", "none");
        Refuse.when(sides && besideReference, "--beside-reference", "neither --against nor --aa with it", "one");
        Refuse.when(!(limitMinutes >= 0), "--limit-minutes", "a number of at least 0", limitMinutes);
        requireJsonPlace();
    }

    /** Prints a message; once the JVM of the forks is known, the first message is preceded by its description. */
    private void tell(String line) {
        if (!runsOn.isEmpty()) {
            err().println("bench: " + runsOn);
            runsOn = "";
        }
        err().println("bench: " + line);
    }

    /** The builder of other commits; empty if this command cannot build any. */
    private Optional<CommitBuilds> builds(Interruption interruption) throws IOException {
        Path here = Path.of("");
        if (build.isBlank()) {
            Optional<CommitBuilds> ours = CommitBuilds.ofThisProgram(this::tell, interruption::isRequested);
            boolean ofCommit = file != null
                    && against != null
                    && !Files.isRegularFile(Path.of(against))
                    && GitCommit.ofRevision(here, against).isPresent();
            if (ours.isPresent() || !ofCommit) {
                return ours;
            }
            build = CommitBuilds.usualCommand(here);
            tell("commits are built with: " + build + " (--build names another command)");
        }
        if (file == null || file.isAbsolute()) {
            throw new IllegalArgumentException(
                    "--build: expected --jar with it, the relative path of the jar that it builds, got "
                            + (file == null ? "none" : file));
        }
        List<String> command = JmhArguments.words(build);
        CommitBuilds.require(here, command, System.getenv());
        return Optional.of(new CommitBuilds(
                CommitBuilds.CACHE, here, file, command, this::tell, interruption::isRequested, new ArrayList<>()));
    }

    private BenchmarkJar jar(Optional<CommitBuilds> builds) throws IOException {
        boolean asItIs = file != null && build.isBlank();
        return builds.isPresent() && !asItIs
                ? builds.get().workingTree()
                : BenchmarkJar.open(file == null ? BenchmarkJar.BUILT : file);
    }

    private BenchmarkPlan plan(BenchmarkJar jar, JmhArguments arguments, Optional<CommitBuilds> builds)
            throws IOException {
        boolean sides = aa || against != null;
        int forks = sides ? FORKS_OF_SIDES : FORKS;
        Consumer<String> progress = this::tell;
        List<BenchmarkCell> cells = suite != null && arguments.includes().isEmpty()
                ? BenchmarkSuite.cells(suite, jar, arguments, forks)
                : jar.fittingCells(arguments, forks, progress);
        var side = new BenchmarkSide("A", jar, cells);
        if (!sides) {
            return besideReference
                    ? Duets.besideReferences(side, progress).untilDecided(untilDecided)
                    : new BenchmarkPlan(List.of(side), "");
        }
        BenchmarkPlan plan = new BenchmarkPlan(List.of(side, new BenchmarkSide("B", jar, cells)), BenchmarkPlan.ITSELF);
        if (against != null) {
            BenchmarkSide other = Opponent.of(against, jar, cells, builds, progress);
            side = other.lacking().isEmpty() ? side : new BenchmarkSide("A", jar, other.cells());
            plan = Opponent.alike(side, other, against, progress);
        }
        return (inTurn ? plan : Duets.ofSides(plan, progress)).untilDecided(untilDecided);
    }

    /** Prints the results and, for two sides, their comparison, which decides the exit code. */
    private int print(BenchmarkFiles files, BenchmarkPlan plan, ComparisonOptions options, BenchmarkRunner.End end)
            throws IOException {
        for (BenchmarkSide side : plan.sides()) {
            Path results = files.results(side);
            List<BenchmarkRow> rows = JmhResults.read(results);
            text().print(PeerRatios.text(rows));
            if (side.cells().stream().anyMatch(cell -> cell.options().contains("-prof"))) {
                Instant began = RunRecord.read(RunRecord.beside(results)).time();
                text().print(profiles(ProfileDirectory.ROOT, rows, began));
            }
            text().print(plan.sides().size() == 1 ? scores(rows) : "");
            text().println("results: " + results);
        }
        if (plan.sides().size() == 1) {
            return ExitCode.CLEAN;
        }
        Comparison comparison = gate.accepted(files.compared(options), err());
        printJson(comparison);
        text().print("\n" + ComparisonText.of(comparison));
        text().println(
                        end == BenchmarkRunner.End.LIMITED
                                ? "next: repeat the command to run the other forks and get verdicts"
                                : nextStep(comparison));
        return ComparisonText.exitCode(comparison, gate.failures());
    }

    private String nextStep(Comparison comparison) {
        Path script = RunRecord.codeDirectory().resolveSibling("bin").resolve("lemmata");
        boolean elsewhere =
                Files.exists(script) && !script.startsWith(Path.of("").toAbsolutePath());
        List<String> start = new ArrayList<>(List.of(elsewhere ? script.toString() : "bin/lemmata", "bench"));
        List<String> command = new ArrayList<>(start);
        List<String> given = commandLine().getParseResult().originalArgs();
        command.addAll(given.subList(given.indexOf("bench") + 1, given.size()));
        if (file != null) {
            start.addAll(List.of("--jar", file.toString()));
        }
        if (!build.isBlank()) {
            start.addAll(List.of("--build", build));
        }
        return ComparisonText.nextStep(comparison, command, start);
    }

    /** The scores of a run in JMH's layout: a line per row, a column per parameter. */
    static String scores(List<BenchmarkRow> rows) {
        List<String> params = rows.stream()
                .flatMap(row -> row.params().keySet().stream())
                .distinct()
                .toList();
        var lines = new ArrayList<List<String>>();
        lines.add(scoreLine(
                "Benchmark",
                params.stream().map(name -> "(" + name + ")").toList(),
                List.of("Mode", "Cnt", "Score", "Error", "Units")));
        for (BenchmarkRow row : rows) {
            int count = row.samples().stream().mapToInt(List::size).sum();
            lines.add(scoreLine(
                    row.simpleClass() + "." + row.method(),
                    params.stream()
                            .map(name -> row.params().getOrDefault(name, "N/A"))
                            .toList(),
                    List.of(
                            row.mode(),
                            count == 0 ? "" : Integer.toString(count),
                            number(row.score()),
                            Double.isNaN(row.error()) ? "" : "± " + number(row.error()),
                            row.unit())));
        }
        return Columns.text(lines, 1 + params.size() + 2, 1 + params.size() + 3);
    }

    private static List<String> scoreLine(String name, List<String> params, List<String> rest) {
        return Stream.of(List.of(name), params, rest)
                .flatMap(List::stream)
                .map(Refuse::printable)
                .toList();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 0.01 || value == 0 ? "%.3f" : "%.3e", value);
    }

    /**
     * A line for each file that a run wrote and for each garbage collection metric.
     *
     * @param root the directory of all profiles
     * @param since the start of the run; older files belong to other runs
     */
    static String profiles(Path root, List<BenchmarkRow> rows, Instant since) throws IOException {
        var text = new StringBuilder();
        for (BenchmarkRow row : rows) {
            Path directory = ProfileDirectory.of(root, row.benchmark(), row.mode(), row.params());
            for (String file : List.of(ProfileDirectory.FLAME_GRAPH, ProfileDirectory.TEXT)) {
                Path profile = directory.resolve(file);
                if (Files.exists(profile)
                        && !Files.getLastModifiedTime(profile).toInstant().isBefore(since)) {
                    text.append("profile: ").append(profile).append('\n');
                }
            }
            row.secondary().forEach((name, metric) -> {
                if (name.replace("·", "").startsWith(GC)) {
                    text.append(String.format(
                            Locale.ROOT,
                            "%s: %s %.4g %s%n",
                            Refuse.printable(row.key()),
                            name.replace("·", ""),
                            metric.score(),
                            metric.unit()));
                }
            });
        }
        return text.toString();
    }
}

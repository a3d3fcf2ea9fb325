package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.ForkRun;
import org.lemmata.track.History;
import org.lemmata.track.JmhMerge;
import org.lemmata.track.JmhResults;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RatioComparison;
import org.lemmata.track.RunRecord;

/**
 * Runs a plan, fork by fork. For each side, it writes a results file in JMH's format and a run record.
 *
 * <p>If a benchmark fails, the run fails. The other benchmarks still run, but their rows are written as incomplete
 * results and replace no older results. An interrupted run continues if the same plan is run again.
 */
public final class BenchmarkRunner {

    public interface Listener {

        /**
         * Called before the first fork.
         *
         * @param forks the number of forks
         * @param before the number of forks that already ran
         * @param seconds the minimum time of the remaining forks
         * @param aside the file to which forks of another plan were moved; null if there were none
         */
        void begins(int forks, int before, double seconds, @Nullable Path aside);

        /**
         * Called after a fork.
         *
         * @param benchmark the short name with parameters, and the side if it is the second
         * @param score the primary score in six digits, and its unit
         */
        void ran(String benchmark, String score, double seconds);

        /** Receives a message, such as the failure of a fork. The remaining forks of its cell are then skipped. */
        void say(String line);
    }

    @FunctionalInterface
    interface Look {
        Comparison at(ComparisonSide soFar) throws IOException;
    }

    public enum End {
        COMPLETE,
        /** The time limit was reached. The results contain the forks that ended before it. */
        LIMITED,
        FAILED,
        STOPPED
    }

    private static final Set<Change> DECIDED = EnumSet.of(Change.SLOWER, Change.FASTER, Change.SAME);

    private final BenchmarkPlan plan;
    private final List<RunRecord> records;
    private final BenchmarkFiles files;
    private final Cores cores;
    private final Path lock;
    private final Look look;
    private final List<String> hashes = new ArrayList<>();
    private final List<String> stamps = new ArrayList<>();

    /** Locks on the builds of the sides, held until this process ends. */
    private final List<LockedFile> builds = new ArrayList<>();

    /** @param records the machine and commit of each side */
    public BenchmarkRunner(BenchmarkPlan plan, List<RunRecord> records, BenchmarkFiles files, ComparisonOptions options)
            throws IOException {
        this(
                plan,
                records,
                files,
                DuetMeeting.LOCK,
                soFar -> plan.sides().size() == 1
                        ? RatioComparison.of(soFar, BenchmarkFiles.PORTABLE, files.history())
                        : files.incomplete().compared(options));
    }

    /**
     * @param lock the lock file of JMH, held during duets
     * @param look computes the verdicts so far
     */
    BenchmarkRunner(BenchmarkPlan plan, List<RunRecord> records, BenchmarkFiles files, Path lock, Look look)
            throws IOException {
        this.lock = lock;
        this.look = look;
        this.plan = plan;
        cores = Cores.available();
        this.records = List.copyOf(records);
        this.files = files;
        for (BenchmarkSide side : plan.sides()) {
            CommitBuilds.use(side.jar().file()).ifPresent(builds::add);
            stamps.add(side.jar().stamp());
            hashes.add(side.jar().hash());
        }
    }

    /**
     * Runs the remaining forks. If the time runs out, the results contain the forks that have ended, equally many per
     * side, and a later run with the same plan adds the missing forks.
     *
     * @param log the file for the output of JMH; emptied if no fork ran before
     * @param stop polled often; when it returns true, the run ends and can be continued later
     * @param over polled before each fork or pair, and while another run of JMH continues; when it returns true, the
     *     time is over
     * @throws IOException if a file cannot be written, a build changes, or another run of this name continues
     */
    public End run(Path log, Listener listener, BooleanSupplier stop, BooleanSupplier over) throws IOException {
        boolean limited = false;
        Runnable waiting =
                () -> listener.say("bench: waiting for another run of JMH on this machine, which has the lock on "
                        + lock + "; --limit-minutes limits the wait");
        Path barrier = DuetMeeting.jar(plan.sides().getFirst().jar());
        try (var fork = new ForkProcess(log, stop, over, waiting, lock, barrier);
                BenchmarkJournal journal = BenchmarkJournal.open(files.journal(), identity())) {
            if (journal.results().isEmpty()) {
                Files.deleteIfExists(log);
            }
            List<BenchmarkPlan.Turn> trials = plan.trials();
            List<BenchmarkPlan.Turn> turns = plan.turns();
            int forks = steps(turns).size();
            int before = (int)
                    steps(turns).stream().filter(journal.results()::containsKey).count();
            double seconds = plan.seconds(Stream.concat(trials.stream(), turns.stream())
                    .filter(turn -> !journal.has(turn))
                    .toList());
            listener.begins(forks, before, seconds, journal.aside());
            var failedCells = new BitSet();
            var unsupportedCells = new BitSet();
            var decidedCells = new BitSet();
            int next = 2 * plan.sides().size();
            turns.addAll(0, trials);
            for (int i = 0; i < turns.size(); i++) {
                if (i == trials.size() && i > 0) {
                    turns = plan.inTurn(withThreads(trials, journal)).turns();
                    turns.addAll(0, trials);
                }
                BenchmarkPlan.Turn turn = turns.get(i);
                if (plan.looks() > 0 && i >= trials.size() && turn.own().fork() >= next) {
                    look(turns.subList(trials.size(), i), journal, decidedCells);
                    int decided = decidedCells.cardinality();
                    if (decided > 0) {
                        listener.say("bench: " + decided
                                + (decided == 1 ? " benchmark has its verdicts" : " benchmarks have their verdicts")
                                + "; only the others get fork " + (next + 1));
                    }
                    next += plan.sides().size();
                }
                if (decidedCells.get(turn.own().cell())
                        || journal.has(turn)
                        || turn.forks().stream()
                                .anyMatch(step -> failedCells.get(step.cell()) || unsupportedCells.get(step.cell()))) {
                    continue;
                }
                if (stop.getAsBoolean()) {
                    return End.STOPPED;
                }
                limited = over.getAsBoolean();
                if (limited) {
                    break;
                }
                try {
                    run(turn, fork, journal, listener);
                } catch (ForkProcess.FailedBenchmarkException e) {
                    requireSameBuilds();
                    BenchmarkPlan.Step failed = turn.forks().get(e.launch);
                    if (e.unsupported) {
                        turn.forks().forEach(step -> unsupportedCells.set(step.cell()));
                    } else {
                        failedCells.set(failed.cell());
                    }
                    listener.say("lemmata: " + name(failed)
                            + (e.unsupported
                                    ? ": left out, since this processor lacks an instruction that it uses: "
                                    : ": failed: ")
                            + e.getMessage());
                } catch (ForkProcess.StoppedException e) {
                    limited = !stop.getAsBoolean() && over.getAsBoolean();
                    if (limited) {
                        break;
                    }
                    return End.STOPPED;
                }
            }
            files.incomplete().discard();
            turns.removeAll(trials);
            boolean cut = limited;
            turns.removeIf(turn -> cut && !isWhole(turn, journal));
            turns.removeIf(turn -> decidedCells.get(turn.own().cell()) && !journal.has(turn));
            if (limited && complete(journal, turns).isEmpty()) {
                listener.say(limited(0, forks));
                return End.STOPPED;
            }
            if (!failedCells.isEmpty() || complete(journal, turns).isEmpty()) {
                write(files.incomplete(), journal, turns, "", unsupportedCells);
                return End.FAILED;
            }
            if (plan.sides().size() == 1) {
                files.discardSecondSide();
            }
            int ran = steps(turns).size();
            String note = limited ? "cut by --limit-minutes after " + ran + " of " + forks + " forks" : "";
            write(files, journal, turns, note, unsupportedCells);
            if (limited) {
                listener.say(limited(ran, forks));
                return End.LIMITED;
            }
            remember();
            journal.discard();
            return End.COMPLETE;
        }
    }

    /** Whether all forks of a turn ran, with two sides also the fork with the same index on the other side. */
    private boolean isWhole(BenchmarkPlan.Turn turn, BenchmarkJournal journal) {
        BenchmarkPlan.Step own = turn.own();
        return journal.has(turn)
                && IntStream.range(0, plan.sides().size())
                        .mapToObj(side -> new BenchmarkPlan.Step(side, own.cell(), own.fork()))
                        .allMatch(journal.results()::containsKey);
    }

    private void run(BenchmarkPlan.Turn turn, ForkProcess process, BenchmarkJournal journal, Listener listener)
            throws IOException, ForkProcess.FailedBenchmarkException, ForkProcess.StoppedException {
        var launches = new ArrayList<ForkProcess.Launch>();
        for (BenchmarkPlan.Step step : turn.forks()) {
            BenchmarkJar jar = plan.sides().get(step.side()).jar();
            int own = turn.isDuet() ? cores.processor(plan.place(turn, step)) : -1;
            int other = turn.isDuet() ? cores.processor(1 - plan.place(turn, step)) : -1;
            launches.add(new ForkProcess.Launch(jar, plan.cell(step), step.fork(), own, other));
        }
        List<ForkProcess.Result> results = process.run(launches);
        requireSameBuilds();
        Map<BenchmarkPlan.Step, ForkProcess.Result> forks = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            forks.put(turn.forks().get(i), results.get(i));
        }
        journal.add(forks);
        forks.forEach((step, result) -> {
            if (step.fork() != BenchmarkPlan.TRIAL) {
                listener.ran(name(step), score(result), result.run().seconds() / forks.size());
            } else if (trial(result).hasThreads()) {
                listener.say("bench: " + plan.cell(step).shortKey()
                        + " runs in turn, not as a duet: its other threads have "
                        + trial(result).percent() + " of the processor time");
            }
        });
    }

    private String name(BenchmarkPlan.Step step) {
        return plan.cell(step).shortKey() + (step.side() == 0 ? "" : ", side B");
    }

    private static String limited(int forks, int of) {
        return "bench: time limit reached: the results have " + forks + " of " + of
                + " forks; repeat the command to run the others";
    }

    private static Set<Integer> withThreads(List<BenchmarkPlan.Turn> trials, BenchmarkJournal journal) {
        return trials.stream()
                .map(BenchmarkPlan.Turn::own)
                .filter(step -> journal.results().containsKey(step)
                        && trial(Objects.requireNonNull(journal.results().get(step)))
                                .hasThreads())
                .map(BenchmarkPlan.Step::cell)
                .collect(Collectors.toSet());
    }

    private static BenchmarkSession.Trial trial(ForkProcess.Result result) {
        JsonNode row = result.rows().getFirst();
        List<Double> scores = new ArrayList<>();
        row.at("/primaryMetric/rawData/0").forEach(score -> scores.add(score.asDouble()));
        JsonNode others = row.at("/secondaryMetrics/duet.others/rawData/0");
        return new BenchmarkSession.Trial(
                row.path("mode").asText().equals("thrpt") ? Collections.max(scores) : Collections.min(scores),
                others.path(others.size() - 1).asDouble());
    }

    /**
     * Rejects builds that changed during the run. A user who edits code during a run may also rebuild it, and forks of
     * another build must not be mixed in.
     */
    private void requireSameBuilds() throws IOException {
        for (int i = 0; i < hashes.size(); i++) {
            BenchmarkJar jar = plan.sides().get(i).jar();
            String stamp = jar.stamp();
            if (!stamp.equals(stamps.get(i)) && !jar.hash().equals(hashes.get(i))) {
                throw new MalformedFileException(
                        jar.file(),
                        "",
                        "expected the same classes for the whole run, got another build of them; repeat the command"
                                + " to start with this build");
            }
            stamps.set(i, stamp);
        }
    }

    /** Adds the first side to the history, unless the run used profilers, because they change the measurements. */
    private void remember() throws IOException {
        BenchmarkSide side = plan.sides().getFirst();
        if (side.cells().stream().noneMatch(cell -> cell.options().contains("-prof"))) {
            Path results = files.results(side);
            History.append(files.history(), JmhResults.read(results), RunRecord.read(RunRecord.beside(results)));
        }
    }

    /** Everything that must be equal for all forks: the plan and the machine, but not the commit or the time. */
    private String identity() throws IOException {
        var identity = new StringBuilder(plan.hash());
        for (RunRecord record : records) {
            MachineIdentity machine = record.machine();
            identity.append(String.join(
                    "|", "", machine.cpu(), Integer.toString(machine.cores()), machine.simd(), machine.jdk()));
        }
        return identity.toString();
    }

    private static String score(ForkProcess.Result result) {
        JsonNode metric = result.rows().getFirst().path("primaryMetric");
        return String.format(
                Locale.ROOT,
                "%.6g %s",
                metric.path("score").asDouble(),
                metric.path("scoreUnit").asText());
    }

    /** Adds to {@code decided} the cells that have their verdicts after {@code turns}. */
    private void look(List<BenchmarkPlan.Turn> turns, BenchmarkJournal journal, BitSet decided) throws IOException {
        List<BenchmarkCell> cells = plan.sides().getFirst().cells();
        write(files.incomplete(), journal, turns.stream().filter(journal::has).toList(), "", new BitSet());
        Path soFar = files.incomplete().results(plan.sides().getFirst());
        if (!Files.exists(soFar)) {
            return;
        }
        List<ComparisonRow> rows =
                look.at(ComparisonSide.read(files.name(), soFar)).rows();
        for (int i = 0; i < cells.size(); i++) {
            int cell = i;
            List<ComparisonRow> own = rows.stream()
                    .filter(row -> row.benchmark().equals(cells.get(cell).benchmark())
                            && row.params().equals(cells.get(cell).params()))
                    .toList();
            if ((plan.sides().size() == 2 || plan.duets().containsKey(cell))
                    && !own.isEmpty()
                    && own.stream().allMatch(row -> DECIDED.contains(row.verdict()))) {
                decided.set(cell);
            }
        }
    }

    private static List<BenchmarkPlan.Step> steps(List<BenchmarkPlan.Turn> turns) {
        return turns.stream().flatMap(turn -> turn.forks().stream()).toList();
    }

    /** The cells in {@code turns} that have a result for every fork there. */
    private static BitSet complete(BenchmarkJournal journal, List<BenchmarkPlan.Turn> turns) {
        List<BenchmarkPlan.Step> steps = steps(turns);
        var complete = new BitSet();
        steps.forEach(step -> complete.set(step.cell()));
        steps.stream()
                .filter(step -> !journal.results().containsKey(step))
                .forEach(step -> complete.clear(step.cell()));
        return complete;
    }

    /** Writes the rows of the complete cells of each side; writes nothing if no cell is complete. */
    private void write(
            BenchmarkFiles to, BenchmarkJournal journal, List<BenchmarkPlan.Turn> turns, String cut, BitSet unsupported)
            throws IOException {
        BitSet complete = complete(journal, turns);
        var unmeasured = new ArrayList<>(plan.sides().getLast().lacking());
        List<BenchmarkCell> cells = plan.sides().getFirst().cells();
        for (int i = 0; i < cells.size() && !cut.isEmpty(); i++) {
            if (!complete.get(i) && !unsupported.get(i)) {
                BenchmarkCell cell = cells.get(i);
                unmeasured.add(new BenchmarkSession.Unmeasured(
                        cell.benchmark(), cell.params(), Change.INCONCLUSIVE, "not measured: time limit reached"));
            }
        }
        for (int i = 0; i < plan.sides().size() && !complete.isEmpty(); i++) {
            int side = i;
            // Sorted by cell and fork, so that both sides have the same order.
            List<BenchmarkPlan.Step> steps = steps(turns).stream()
                    .filter(step -> step.side() == side && complete.get(step.cell()))
                    .sorted(Comparator.comparingInt(BenchmarkPlan.Step::cell)
                            .thenComparingInt(BenchmarkPlan.Step::fork))
                    .toList();
            Map<String, List<JsonNode>> rows = new LinkedHashMap<>();
            List<ForkRun> forks = new ArrayList<>();
            for (BenchmarkPlan.Step step : steps) {
                ForkProcess.Result result =
                        Objects.requireNonNull(journal.results().get(step));
                forks.add(result.run());
                for (JsonNode row : result.rows()) {
                    rows.computeIfAbsent(step.cell() + row.path("mode").asText(), key -> new ArrayList<>())
                            .add(row);
                }
            }
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            rows.values().forEach(each -> array.add(JmhMerge.merge(each)));
            Path file = to.results(plan.sides().get(i));
            // Deleted first, because an older run's record would pair these rows with forks that did not run with them.
            Files.deleteIfExists(RunRecord.beside(file));
            AtomicFile.write(file, Json.indented(array) + "\n");
            records.get(side)
                    .withSession(new BenchmarkSession(
                            journal.session(),
                            plan.sides().get(side).name(),
                            plan.title(side),
                            plan.against(),
                            hashes.get(side),
                            plan.looks(),
                            forks,
                            cut,
                            unmeasured,
                            trials(side, journal)))
                    .write(RunRecord.beside(file));
        }
    }

    /** The trials of a side. If both sides are equal, the trials of the first side count for both. */
    private static Map<String, BenchmarkSession.Trial> trials(int side, BenchmarkJournal journal) {
        var trials = new LinkedHashMap<String, BenchmarkSession.Trial>();
        journal.results().forEach((step, result) -> {
            if (step.fork() == BenchmarkPlan.TRIAL && step.side() <= side) {
                trials.put(result.run().row(), trial(result));
            }
        });
        return trials;
    }
}

package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Form;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Statement;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.kernel.Kernels;
import org.lemmata.train.Checkpoint;
import picocli.CommandLine;

/**
 * A run that is killed with SIGKILL and resumed ends with the bits of an undisturbed run. If {@code verify --nice} is
 * killed and repeated, no cell is lost or recorded twice; its priority is not lowered, because only {@code bin/lemmata}
 * does so.
 *
 * <p>Existing checkpoints, not the clock, determine when to kill. Every process except the first therefore makes
 * progress, however slow the machine is; the clock only decides at which instruction it ends.
 */
class KilledTrainingTest {

    /**
     * Everything that a checkpoint must store: dropout, a shuffled set over several epochs, moments, the best
     * parameters, a schedule. Most of the 20000 positions are unused: they make checkpoints of 5 MB, which take time to
     * write.
     */
    private static final String CONFIG = """
        seed: 5
        steps: 180
        batch: 4
        curve: 1
        task: {name: dyck-words, settings: {N: 4}}
        data: {train: 50, validation: 8, test: 8}
        model: {width: 16, layers: 1, dropout: 0.1, max-length: 20000}
        schedule: {kind: cosine, warm-up: 20}
        evaluation: {every: 20, completions: 2}
        checkpoint: {every: 3}
        """;

    private static final int STEPS_TO_CHECKPOINT = 3;
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d+)\\.safetensors");

    /** When to kill a process. */
    private enum Moment {
        /** At any time after its start. */
        EARLY,
        /** At any time after some more checkpoints. */
        LATER,
        /** After some more checkpoints, while the file of another is being written. */
        WHILE_WRITING
    }

    @TempDir
    private Path directory;

    private Path config;
    private Path undisturbed;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @TempDir
    private Path killed;

    private final List<Path> errors = new ArrayList<>();
    private int kills;
    private int leftovers;

    @BeforeEach
    void nameFiles() {
        config = directory.resolve("run.yaml");
        undisturbed = directory.resolve("undisturbed");
    }

    private void trainUndisturbed(int steps) throws IOException {
        Files.writeString(config, CONFIG.replace("steps: 180", "steps: " + steps));
        CommandLineRun.clean("train %s --out %s", config, undisturbed);
    }

    /** A limit on file sizes has the effect of a full disk, but needs no disk. */
    @Test
    @Tag("long")
    void aRunThatCannotWriteACheckpointNamesItAndGoesOnLater() throws Exception {
        trainUndisturbed(60);
        while (kills == 0) {
            live(Moment.LATER);
        }
        List<String> limited = List.of("sh", "-c", "ulimit -f 5000; export LC_ALL=C; exec \"$0\" \"$@\"");
        try (ChildJvm child = ChildJvm.start(directory, limited, List.of(), arguments())) {
            assertThat(child.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(child.errorLines().getLast())
                    .startsWith("lemmata: " + checkpoints())
                    .endsWith(": cannot be written: File too large");
        }
        assertThat(partFiles()).isZero();
        CommandLineRun.clean(String.join(" ", arguments()));
        assertSameEnd();
    }

    @Test
    @Tag("long")
    void aRunWhoseCurveIsRemovedEnds() throws Exception {
        // More steps than it can take before the file is deleted.
        Files.writeString(config, CONFIG.replace("steps: 180", "steps: 1000000"));
        try (ChildJvm child = start()) {
            child.await(() -> newestStep() > 0);
            Files.delete(killed.resolve("curve.jsonl"));
            assertThat(child.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(child.errorLines().getLast())
                    .endsWith("curve.jsonl: expected the file that this run writes, got none: it was removed");
        }
    }

    @Test
    @Tag("long")
    void aRunKilledAtAnyMomentsEndsWithTheSameBits() throws Exception {
        int times = Integer.getInteger("lemmata.kills", 10);
        trainUndisturbed(18 * times);
        live(Moment.EARLY);
        for (int life = 1; kills < times || leftovers == 0; life++) {
            assertThat(life)
                    .as("lives, kills %d, leftovers %d, seed %d", kills, leftovers, seed)
                    .isLessThan(4 * times + 30);
            live(life % 2 == 0 ? Moment.LATER : Moment.WHILE_WRITING);
        }
        try (ChildJvm last = start()) {
            assertThat(last.exitCode()).as("seed %d, %s", seed, errors()).isZero();
        }
        assertSameEnd();
        // No kill leaves a checkpoint that must be rejected.
        assertThat(errors()).doesNotContain("safetensors: ");
    }

    @Test
    @Tag("long")
    void aDamagedCheckpointIsNamedAndTheOneBeforeItGoesOn() throws Exception {
        trainUndisturbed(60);
        while (kills == 0) {
            live(Moment.LATER);
        }
        Path newest = Checkpoint.file(checkpoints(), newestStep());
        byte[] bytes = Files.readAllBytes(newest);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        Files.write(newest, bytes);
        CommandLineRun run = CommandLineRun.line("train %s --out %s --resume", config, killed);
        assertThat(run.code()).as("seed %d: %s", seed, run).isZero();
        assertThat(run.errLines().stream().filter(line -> line.contains("safetensors: ")))
                .as("seed %d", seed)
                .singleElement()
                .asString()
                .startsWith("train: " + newest + ": ")
                .contains("expected", "got");
        assertSameEnd();
    }

    /** Starts or resumes the run, and kills it; a run that ended before the kill is deleted. */
    private void live(Moment moment) throws Exception {
        long until = moment == Moment.EARLY ? 0 : newestStep() + STEPS_TO_CHECKPOINT * (2L + random.nextInt(4));
        try (ChildJvm child = start()) {
            child.await(() -> newestStep() >= until);
            switch (moment) {
                case EARLY -> Thread.sleep(random.nextInt(700));
                case LATER -> Thread.sleep(random.nextInt(30));
                case WHILE_WRITING -> {
                    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
                    while (partFiles() == 0 && child.process().isAlive() && System.nanoTime() < deadline) {
                        Thread.onSpinWait();
                    }
                    assertThat(System.nanoTime())
                            .as("seed %d, %s", seed, errors())
                            .isLessThan(deadline);
                }
            }
            int code = child.kill();
            if (code == ChildJvm.KILLED) {
                kills++;
                leftovers += partFiles() > 0 ? 1 : 0;
            } else {
                assertThat(code).as("seed %d, %s", seed, errors()).isZero();
                deleteRun();
            }
        }
    }

    private void deleteRun() throws IOException {
        for (Path file : files(checkpoints())) {
            Files.delete(file);
        }
        for (Path file : files(killed)) {
            Files.delete(file);
        }
    }

    private ChildJvm start() throws IOException {
        ChildJvm child = ChildJvm.start(directory, arguments());
        errors.add(child.errors());
        return child;
    }

    private List<String> arguments() {
        return List.of("train", config.toString(), "--out", killed.toString(), "--resume");
    }

    private String errors() throws IOException {
        var all = new StringBuilder();
        for (Path each : errors) {
            all.append(Files.readString(each));
        }
        return all.toString();
    }

    private Path checkpoints() {
        return killed.resolve("checkpoints");
    }

    /** The step of the newest checkpoint; 0 if there is none. */
    private long newestStep() {
        long newest = 0;
        for (Path file : files(checkpoints())) {
            Matcher name = CHECKPOINT.matcher(file.getFileName().toString());
            if (name.matches()) {
                newest = Math.max(newest, Long.parseLong(name.group(1)));
            }
        }
        return newest;
    }

    private long partFiles() {
        return files(checkpoints()).stream()
                .filter(file -> file.toString().endsWith(".part"))
                .count();
    }

    private static List<Path> files(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertSameEnd() throws IOException {
        assertThat(killed.resolve("weights.safetensors"))
                .as("seed %d", seed)
                .hasSameBinaryContentAs(undisturbed.resolve("weights.safetensors"));
        assertThat(curve(killed)).as("seed %d", seed).isEqualTo(curve(undisturbed));
        assertThat(result(killed)).as("seed %d", seed).isEqualTo(result(undisturbed));
        for (String inside : List.of("", "checkpoints")) {
            assertThat(names(killed.resolve(inside))).as("seed %d", seed).isEqualTo(names(undisturbed.resolve(inside)));
        }
        Checkpoint one = last(undisturbed);
        Checkpoint other = last(killed);
        assertThat(withoutClock(other)).as("seed %d", seed).isEqualTo(withoutClock(one));
        assertThat(other.arrays().keySet()).isEqualTo(one.arrays().keySet());
        one.arrays()
                .forEach((name, values) -> assertThat(other.arrays().get(name))
                        .as("%s, seed %d", name, seed)
                        .isEqualTo(values));
    }

    private static Checkpoint last(Path run) throws IOException {
        return Checkpoint.readLatest(
                        run.resolve("checkpoints"), line -> assertThat(line).isNull())
                .orElseThrow();
    }

    /** The state without its time, and without length and checksum of the curve, which contains times. */
    private static Map<String, String> withoutClock(Checkpoint checkpoint) {
        var state = new TreeMap<>(checkpoint.state());
        assertThat(state.remove("seconds")).isNotNull();
        assertThat(state.remove("curve_length")).isNotNull();
        assertThat(state.remove("curve_crc32c")).isNotNull();
        return state;
    }

    private static List<String> names(Path directory) {
        return files(directory).stream()
                .map(file -> file.getFileName().toString())
                .sorted()
                .toList();
    }

    private static List<JsonNode> curve(Path run) throws IOException {
        try (Stream<String> lines = Files.lines(run.resolve("curve.jsonl"))) {
            return lines.map(line -> without(line, "seconds", "tokensPerSecond"))
                    .toList();
        }
    }

    private static JsonNode result(Path run) throws IOException {
        return without(Files.readString(run.resolve("result.json")), "seconds", "environment");
    }

    private static JsonNode without(String json, String... fields) {
        ObjectNode object = (ObjectNode) CommandLineRun.json(json);
        assertThat(object.remove(List.of(fields)).size()).isPositive();
        return object;
    }

    private static final int CELLS = 200;

    /** The command line of {@code verify}, for a figure of {@value #CELLS} probes. */
    public static void main(String[] args) throws IOException {
        var claim = new FigureClaim(
                new Statement("depth.killed.small", "figure 0", Form.AS_STATED, "Probes are below 1."),
                Form.AS_STATED.paper(),
                new FigureGrid("depth.killed", KilledTrainingTest.class, "killed-figure.yaml"),
                new Sizes("probes", "of 3 sizes", "of 2 sizes"),
                (cells, judgement) ->
                        judgement.add("all recorded", cells.records().size() == CELLS, false));
        var command = new VerifyCommand();
        new CommandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(args);
        System.exit(command.verify(List.of(claim), Computation.unrounded(Kernels.scalar())));
    }

    /** The cells of the claim's figure, below the directory that {@code --evidence} names. */
    private Path cells(String name) {
        return directory.resolve(name).resolve("evidence/depth");
    }

    private ChildJvm start(String name) throws IOException {
        return ChildJvm.start(
                directory,
                List.of(),
                List.of("-Dlemmata.nice=true"),
                KilledTrainingTest.class,
                List.of(("--nice --budget standard --limit-hours 1 --evidence %1$s/evidence --work %1$s/work"
                                + " --json %1$s/claims.json")
                        .formatted(directory.resolve(name))
                        .split(" ")));
    }

    /** Runs to the end; returns the recorded cells with their measurements. */
    private List<String> end(String name) throws Exception {
        try (ChildJvm child = start(name)) {
            assertThat(child.exitCode()).as("%s", child.errorLines()).isZero();
        }
        return SweepBits.lines(cells(name)).stream()
                .map(line -> line.replaceFirst(",\"run\":\\{.*", ""))
                .toList();
    }

    @Tag("long")
    @Test
    void evidenceIsTheSameHoweverOftenItIsKilled() throws Exception {
        Path evidence = cells("killed");
        int times = Integer.getInteger("lemmata.kills", 5);
        List<Long> recorded = new ArrayList<>();
        for (int kills = 0; kills < times; kills++) {
            try (ChildJvm child = start("killed")) {
                // Every second process finishes some cells; the others may be killed before they start to work.
                long target = kills % 2 == 0 ? SweepBits.count(evidence) + 1 + random.nextInt(4) : 0;
                child.await(() -> SweepBits.count(evidence) >= target);
                Thread.sleep(random.nextInt(kills % 2 == 0 ? 60 : 1000));
                assertThat(child.kill())
                        .as("%s, %s", recorded, child.errorLines())
                        .isEqualTo(ChildJvm.KILLED);
                recorded.add(SweepBits.count(evidence));
            }
        }
        assertThat(recorded)
                .isSorted()
                .last()
                .satisfies(last -> assertThat(last).isBetween(1L, CELLS - 1L));
        assertThat(end("killed")).hasSize(CELLS).doesNotHaveDuplicates().isEqualTo(end("undisturbed"));
    }
}

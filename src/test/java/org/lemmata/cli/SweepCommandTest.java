package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.cli.SweepCommand.SweepPlanText;
import org.lemmata.file.Json;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepEstimate;
import org.lemmata.sweep.TrialSpeed;

class SweepCommandTest {

    @TempDir
    private Path directory;

    private Path config() {
        return directory.resolve("grid.yaml");
    }

    private Path out() {
        return directory.resolve("out");
    }

    private CommandLineRun sweep(String yaml, String... more) throws IOException {
        Files.writeString(config(), yaml);
        List<String> words = List.of(more);
        String place = words.contains("--out") ? "" : "--out " + out();
        return CommandLineRun.line("sweep %s %s %s", config(), String.join(" ", words), place);
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(out().resolve(file));
    }

    @Test
    void everyCellLeavesItsLineItsRowAndItsDirectory() throws IOException {
        CommandLineRun run =
                sweep("{trial: probe, axes: {size: 1..3}, seeds: 2}").clean();
        assertThat(run.outLines()).containsExactly("sweep: 6 of 6 cells done; " + out().resolve("results.jsonl"));
        assertThat(run.err()).isEmpty();
        assertThat(lines("results.csv")).hasSize(7);
        assertThat(lines("results.jsonl")).hasSize(6).allSatisfy(line -> {
            JsonNode record = CommandLineRun.json(line);
            assertThat(record.at("/status").asText()).isEqualTo("done");
            assertThat(record.at("/measurements/1/value").asText()).isEqualTo("NaN");
            assertThat(record.at("/run/environment/commit").isMissingNode()).isFalse();
            assertThat(record.at("/run/environment/jdk").isMissingNode()).isFalse();
            Path cell = out().resolve("cells").resolve(record.at("/cell").asText());
            assertThat(cell.resolve("config.yaml")).exists();
            assertThat(cell.resolve("result.json")).hasContent(line);
        });
    }

    @Test
    void theSameCommandGoesOnAndDoesNothingTwice() throws IOException {
        sweep("{trial: probe, axes: {size: 1..3}}");
        List<String> before = lines("results.jsonl");
        CommandLineRun again = sweep("{trial: probe, axes: {size: 1..4}}").clean();
        assertThat(again.outLines())
                .containsExactly("sweep: 4 of 4 cells done, 3 of them before; " + out().resolve("results.jsonl"));
        assertThat(lines("results.jsonl")).hasSize(4).startsWith(before.toArray(String[]::new));
    }

    /** The sweep file in the directory is a configuration that includes the chosen budget and overrides. */
    @Test
    void theDirectoryTellsWhatWasRun() throws IOException {
        String yaml = "{trial: probe, axes: {size: 1..3}, budgets: {quick: {axes.size: [7]}}}";
        sweep(yaml, "--budget", "quick", "seeds=[4]").clean();
        List<String> before = lines("results.jsonl");
        CommandLineRun again = CommandLineRun.line("sweep %s --out %s", out().resolve(SweepDirectory.SWEEP), out());
        assertThat(again.outLines())
                .containsExactly("sweep: 1 of 1 cells done, 1 of them before; " + out().resolve("results.jsonl"));
        assertThat(lines("results.jsonl")).isEqualTo(before);
    }

    @Test
    void aDryRunTouchesNothing() throws IOException {
        CommandLineRun run =
                sweep("{trial: probe, axes: {size: [1, 2, 1]}}", "--dry-run").clean();
        assertThat(run.out()).contains("size=1", "size=2");
        assertThat(out()).doesNotExist();
        CommandLineRun machine = sweep("{trial: probe, axes: {size: [1, 2]}}", "--dry-run", "--json");
        assertThat(machine.json().at("/cells/1/axes/size").asText()).isEqualTo("2");
        assertThat(out()).doesNotExist();
    }

    @Test
    void theSummaryIsJsonWhereThatIsAskedFor() throws IOException {
        CommandLineRun run = sweep("{trial: probe, axes: {behaviour: [work, throw]}}", "--json")
                .exits(1);
        JsonNode summary = run.json();
        assertThat(summary.at("/cells").asInt()).isEqualTo(2);
        assertThat(summary.at("/done").asInt()).isEqualTo(1);
        assertThat(summary.at("/failed").asInt()).isEqualTo(1);
    }

    @Test
    void aCellThatThrowsIsRecordedAndTheRestGoesOn() throws IOException {
        String yaml = "{trial: probe, axes: {behaviour: [throw, work, recurse, break], size: 1..2}}";
        for (int time = 0; time < 2; time++) {
            CommandLineRun run = sweep(yaml);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.outLines())
                    .containsExactly("sweep: 2 of 8 cells done, " + (time > 0 ? "2 of them before, " : "")
                            + "6 failed; " + out().resolve("results.jsonl"));
            assertThat(run.errLines())
                    .hasSize(6)
                    .allMatch(line ->
                            line.matches("sweep: cell [0-9a-f]{16} failed: (IllegalStateException: a fault; of two"
                                    + " lines|StackOverflowError|InternalError: broken)"));
            assertThat(lines("results.jsonl")).hasSize(8 + 6 * time);
            assertThat(lines("results.csv")).hasSize(9);
        }
        try (var cells = Files.list(out().resolve("cells"))) {
            assertThat(cells.filter(cell -> Files.exists(cell.resolve("failure.txt"))))
                    .hasSize(6);
        }
    }

    @Test
    void aCellThatStumblesIsTriedAgain() throws IOException {
        sweep("{trial: probe, base: {behaviour: stumble}, axes: {failures: 0..2}}")
                .clean();
        assertThat(lines("results.jsonl").stream().map(line -> line.replaceFirst(".*\"attempts\":([0-9]+).*", "$1")))
                .containsExactlyInAnyOrder("1", "2", "3");
        CommandLineRun refused = sweep("{trial: probe, base: {behaviour: stumble, failures: 4}, retries: 1}")
                .exits(1);
        assertThat(refused.errLines()).singleElement().asString().endsWith(" failed: stumbled 2 times");
        sweep("{trial: probe, base: {behaviour: stumble, failures: 4}, retries: 2}")
                .clean();
    }

    /** FILE stands for the configuration. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {trial: probe, axes: {size: []}} | FILE: line 1: axes.size: expected at least one value, got an empty list
        {trial: probe, sizes: [1]} | FILE: line 1: sizes: unknown, expected one of trial, base, with, axes, zip, where, seeds, threads, memory, retries, keep, budgets
        {trial: probe, base: {sise: 1}} | FILE: line 1: sise: unknown, did you mean size?
        {trial: probe, axes: {size: [1, x]}} | FILE: line 1: size: expected an integer from 1, got 'x' (in the cell size=x)
        {trial: probe, | FILE: line 2: expected YAML: while parsing a flow node: expected the node content, but found '<stream end>'
        '' | FILE: expected the keys trial, base, with, axes, zip, where, seeds, threads, memory, retries, keep, budgets, got an empty file
        """)
    void aConfigurationThatIsWrongGetsOneLineAndLeavesNothing(String yaml, String expected) throws IOException {
        sweep(yaml + "\n").refused(expected.replace("FILE", config().toString()));
        assertThat(out()).doesNotExist();
    }

    @Test
    void aConfigurationThatCannotBeReadGetsOneLine() throws IOException {
        Path none = directory.resolve("none.yaml");
        CommandLineRun.line("sweep %s --out %s", none, out())
                .refused(none + ": expected a configuration, got no such file");
        CommandLineRun.line("sweep %s --out %s", directory, out())
                .refused(directory + ": expected a configuration, got a directory");
        Path bytes = Files.write(directory.resolve("bytes.yaml"), new byte[] {'a', ':', (byte) 0xff});
        CommandLineRun.line("sweep %s --out %s", bytes, out())
                .refused(bytes + ": line 1: expected UTF-8, got the byte 0xff");
        assertThat(out()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --engine nonsense | --engine: expected one of local
        --engine-option master=x | --engine-option: expected none with the engine local, got master
        --budget quick | FILE: budgets: expected the budget full, got quick
        axes.size=[0] | command line: size: expected an integer from 1, got 0 (in the cell size=0)
        memory=5MB | command line: memory: expected an amount such as 500 MiB or 2 GiB, got '5MB'
        memory=999999GiB | memory: expected at most
        --out DIR | --out: expected a directory that is new, empty or of a sweep, got DIR with
        --out FILE | --out: expected a directory, got the file FILE
        """)
    void whatTheCommandLineHasWrongGetsOneLine(String more, String expected) throws IOException {
        String[] args = more.replace("FILE", config().toString())
                .replace("DIR", directory.toString())
                .split(" ", -1);
        CommandLineRun run = sweep("{trial: probe, axes: {size: [1]}}", args);
        assertThat(run.out()).isEmpty();
        assertThat(run.refusal())
                .startsWith("lemmata: "
                        + expected.replace("FILE", config().toString()).replace("DIR", directory.toString()));
    }

    @Test
    void aPlanIsMadeWhereMemoryIsWanting() throws IOException {
        Files.writeString(config(), "{trial: probe, memory: 999999GiB, axes: {size: [1]}}");
        CommandLineRun run = CommandLineRun.clean("sweep %s --dry-run --measure 0", config());
        assertThat(run.out()).contains("sweep: 1 cell");
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("lemmata: before it runs: memory: expected at most ")
                .endsWith("a machine with more memory gives more heap");
    }

    @Test
    void withoutADirectoryNothingRuns() throws IOException {
        Files.writeString(config(), "trial: probe");
        CommandLineRun.of("sweep", config().toString()).refused("--out: expected a directory, got none (or --dry-run)");
    }

    @Test
    void aDirectoryThatAnotherSweepHasIsRefused() throws IOException {
        try (SweepDirectory other = SweepDirectory.open(out())) {
            CommandLineRun run = sweep("trial: probe");
            run.refused(out() + ": expected no other sweep in this directory, got one");
            assertThat(other.records()).isEmpty();
        }
        sweep("trial: probe").clean();
    }

    @Test
    void resultsThatWereAlteredAreRefusedInOneLineThatNamesTheCell() throws IOException {
        sweep("{trial: probe, axes: {size: 1..3}}");
        Path results = out().resolve("results.jsonl");
        String whole = Files.readString(results);
        String cell = whole.replaceFirst("(?s)\\{\"cell\":\"([0-9a-f]{16}).*", "$1");
        for (String change : List.of("\"parts\":\"0\"", "\"status\":\"done\"", "\"attempts\":1")) {
            String spoilt = whole.replaceFirst(change, change.replaceFirst("0|1|done", "2"));
            assertThat(spoilt).as(change).isNotEqualTo(whole);
            Files.writeString(results, spoilt);
            assertThat(sweep("{trial: probe, axes: {size: 1..3}}").refusal())
                    .startsWith("lemmata: " + results + ": line 1: cell " + cell + ": expected the checksum ")
                    .endsWith(": it was altered");
            assertThat(results).hasContent(spoilt);
        }
    }

    private static final String PROBES = "trial: probe\nbase.behaviour: work\naxes.parts: [0, 1, 1]\n";

    private Path file() throws IOException {
        return Files.writeString(directory.resolve("sweep.yaml"), PROBES);
    }

    private CommandLineRun plan(String... more) throws IOException {
        return CommandLineRun.line("sweep %s --dry-run %s", file(), String.join(" ", more));
    }

    @Test
    void aFewCellsAreListedEachWithItsCost() throws IOException {
        CommandLineRun plan = plan("seeds=2").clean();
        assertThat(plan.outLines()).hasSize(5).allMatch(line -> !line.contains("measured"));
        assertThat(plan.outLines().getFirst()).matches("[0-9a-f]{16}  parts=0 seed=1  1.00 FLOP|.*1.00e-09 GFLOP");
        assertThat(plan.outLines().getLast()).startsWith("sweep: 4 cells, and 2 points that are the same as others; ");
    }

    @Test
    void ofManyTheFirstAndTheLastAreListed() throws IOException {
        List<String> lines = plan("seeds=20").outLines();
        assertThat(lines).hasSize(40 + 1).noneMatch(line -> line.startsWith("..."));
        lines = plan("seeds=50").outLines();
        assertThat(lines).hasSize(10 + 1 + 5 + 1);
        assertThat(lines.get(10)).isEqualTo("... 85 more, which --json lists ...");
        assertThat(lines.get(15)).contains("parts=1 seed=50");
        JsonNode json = plan("seeds=50", "--json").json();
        assertThat(json.get("cells")).hasSize(100);
        assertThat(json.get("duplicates").asInt()).isEqualTo(50);
        assertThat(json.get("cost").asDouble()).isEqualTo(50 * 1 + 50 * 2);
        assertThat(json.has("estimate")).isFalse();
    }

    @Test
    void whatIsDoneThereIsLeftOut() throws IOException {
        Path out = directory.resolve("out");
        CommandLineRun.clean("sweep %s seeds=3 --out %s", file(), out);
        // Another sweep may be writing a line.
        Files.writeString(out.resolve("results.jsonl"), "{\"cell\":", StandardOpenOption.APPEND);
        CommandLineRun plan = plan("seeds=5", "--out", out.toString());
        assertThat(plan.outLines().stream().filter(line -> line.endsWith("  done")))
                .hasSize(6);
        assertThat(plan.out()).containsPattern("done before: 6 cells, [0-9.e-]+ core-hours by their records\n");
        JsonNode json = plan("seeds=5", "--json", "--out", out.toString()).json();
        assertThat(json.get("done").asInt()).isEqualTo(6);
        assertThat(json.get("cells").findValues("done").stream().filter(JsonNode::asBoolean))
                .hasSize(6);
    }

    @Test
    void theTimeIsSaidWithWhatItWasMeasuredOn() throws IOException {
        Sweep sweep = Sweep.parse("test", PROBES + "seeds: 4\nthreads: 2\n", List.of(), Sweep.FULL);
        var seconds = new HashMap<String, Double>();
        sweep.cells().forEach(cell -> seconds.put(cell.id(), 1800 * cell.cost()));
        Cell first = sweep.cells().getFirst();
        var sample = new SweepEstimate.Sample(first, 2e9, new TrialSpeed(4e10, 0.25, 2, 0.43));
        Optional<SweepEstimate> estimate = Optional.of(new SweepEstimate(List.of(sample), 3, seconds, 2));
        List<String> lines =
                print(new SweepPlanText(sweep, estimate, Map.of())).lines().toList();
        assertThat(lines.get(7)).endsWith(", 1 h 0 min");
        assertThat(lines)
                .contains(
                        "measured here, 3 cells at once on 2 threads each:",
                        "  2.00 GFLOP a step: 40.0 GFLOP/s after 0.25 s (" + first.id() + ")",
                        "Busy: a thread had 43% of a core. Times are for idle cores; with this load they are"
                                + " 2.3 times as long.");
        // 4 cells of 1 h and 4 of 1/2 h, 3 at once: 1 + 1, 1 + 1/2 + 1/2 and 1 + 1/2 + 1/2 hours.
        assertThat(lines.getLast())
                .endsWith("in all; about 12.0 core-hours: 1 h 0 min to 4 h 0 min here, 30 min 0 s to 2 h 0 min on 1000"
                        + " cores, never less than the longest cell, 30 min 0 s to 2 h 0 min");
        JsonNode json = CommandLineRun.json(Json.indented(new SweepPlanText(sweep, estimate, Map.of()).object()));
        JsonNode known = json.get("estimate");
        assertThat(known.get("coreHoursLeft").asDouble()).isEqualTo(12);
        assertThat(known.get("secondsLeft").asDouble()).isEqualTo(7200);
        assertThat(known.get("spread").asDouble()).isEqualTo(2);
        assertThat(known.get("share").asDouble()).isEqualTo(0.43);
        assertThat(known.get("secondsLeftOn1000Cores").asDouble()).isEqualTo(3600);
        assertThat(known.get("samples").get(0).get("perSecond").asDouble()).isEqualTo(4e10);
        assertThat(json.get("cells").get(7).get("seconds").asDouble()).isEqualTo(3600);
    }

    private static String print(SweepPlanText plan) {
        var text = new StringWriter();
        plan.print(new PrintWriter(text, true));
        return text.toString();
    }
}

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
import org.lemmata.cli.text.SweepPlanText;
import org.lemmata.file.Json;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepEstimate;
import org.lemmata.sweep.TrialSpeed;

class SweepPlanTest {

    private static final String PROBES = "trial: probe\nbase.behaviour: work\naxes.parts: [0, 1, 1]\n";

    @TempDir
    private Path directory;

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
        CommandLineRun.line("sweep %s seeds=3 --out %s", file(), out).clean();
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

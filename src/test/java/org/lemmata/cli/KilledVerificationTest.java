package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.Form;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Statement;
import org.lemmata.kernel.Kernels;
import picocli.CommandLine;

/**
 * If {@code verify --nice} is killed with SIGKILL and repeated, no cell is lost or recorded twice. The priority is not
 * lowered, because only {@code bin/lemmata} does so.
 */
class KilledVerificationTest {

    private static final int CELLS = 200;

    @TempDir
    private Path directory;

    private final Random random = new Random();

    /** The command line of {@code verify}, for a figure of {@value #CELLS} probes. */
    public static void main(String[] args) throws IOException {
        var claim = new FigureClaim(
                new Statement("depth.killed.small", "figure 0", Form.AS_STATED, "Probes are below 1."),
                Form.AS_STATED.paper(),
                new FigureGrid("depth.killed", KilledVerificationTest.class, "killed-figure.yaml"),
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
                KilledVerificationTest.class,
                List.of(
                        "--nice",
                        "--budget",
                        "standard",
                        "--limit-hours",
                        "1",
                        "--evidence",
                        directory.resolve(name).resolve("evidence").toString(),
                        "--work",
                        directory.resolve(name).resolve("work").toString(),
                        "--json",
                        directory.resolve(name).resolve("claims.json").toString()));
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

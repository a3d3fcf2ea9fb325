package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.ProbeFigure;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.track.Evidence;
import org.lemmata.track.SealedLines;
import picocli.CommandLine;

/** {@code verify} on a figure whose cells are probes. */
class FigureVerificationTest {

    private static final Computation UNROUNDED = Computation.unrounded(Kernels.scalar());

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void makeTheDirectoryOfTheEvidence() throws IOException {
        Files.createDirectory(directory.resolve("evidence"));
    }

    private int verify(Computation computation, String... options) throws IOException {
        out.getBuffer().setLength(0);
        var command = new VerifyCommand();
        List<String> arguments = new ArrayList<>(
                List.of("--evidence", directory.resolve("evidence").toString()));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--json=-")) {
            arguments.addAll(List.of("--json", directory.resolve("claims.json").toString()));
        }
        new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(String[]::new));
        return command.verify(List.of(ProbeFigure.CLAIM), computation);
    }

    private int verify(String... options) throws IOException {
        return verify(UNROUNDED, options);
    }

    private int standard() throws IOException {
        return verify(
                "--budget", "standard", "--work", directory.resolve("work").toString());
    }

    private ClaimResult result() throws IOException {
        return ClaimResults.read(directory.resolve("claims.json")).getFirst();
    }

    private Path evidence() {
        return new Evidence(directory.resolve("evidence")).file("depth");
    }

    @Test
    void withoutEvidenceAFigureIsNotTestedAndSaysHowToMakeIt() throws IOException {
        assertThat(verify()).isZero();
        assertThat(out.toString().lines())
                .singleElement()
                .asString()
                .startsWith("NotTested    depth.probe.small (")
                .contains("no run yet: 4 of 4 cells are not in " + evidence())
                .endsWith("lemmata verify depth.probe --budget standard makes them");
    }

    @Test
    void standardComputesAllCellsAndQuickJudgesFromThem() throws IOException {
        assertThat(standard()).isZero();
        assertThat(Files.readAllLines(evidence())).hasSize(4).isSorted();
        assertThat(directory.resolve("work/depth.probe-standard/results.jsonl")).exists();
        assertThat(result().outcome()).isEqualTo(Outcome.SUPPORTED);
        assertThat(verify()).isZero();
        assertThat(out.toString().lines())
                .hasSize(2)
                .first()
                .asString()
                .matches("Recomputed   depth[.]probe \\(.* s\\): cell [0-9a-f]{16} \\(size=[12] seed=[12]\\): 2"
                        + " measurements, the same bits as in the evidence");
        assertThat(result().tested().range())
                .startsWith("probes; reduced: of 2 sizes; 4 of 4 cells from evidence, commit ")
                .contains("jdk ");
        assertThat(result().run().seeds()).containsExactly(1L, 2L);
        assertThat(result().tested().budget()).isEqualTo(Budget.QUICK);
        assertThat(result().tested().size()).isEqualTo("reduced: of 2 sizes");
    }

    @Test
    void fullRunsThePapersSizesAndQuickThenLooksAtThem() throws IOException {
        assertThat(verify(
                        "--budget", "full", "--work", directory.resolve("work").toString()))
                .isZero();
        assertThat(Files.readAllLines(evidence())).hasSize(6);
        assertThat(verify()).isZero();
        assertThat(result().tested().range())
                .startsWith("probes; the paper's sizes: of 3 sizes; 6 of 6 cells from evidence");
    }

    @Tag("long")
    @Test
    void everyCellIsDrawnSomeTime() throws IOException {
        standard();
        var drawn = new TreeSet<String>();
        // Four equally probable cells: one is missing after 200 draws with a probability of 4 (3/4)^200, 1e-24.
        for (int i = 0; i < 200 && drawn.size() < 4; i++) {
            verify();
            drawn.add(cell());
        }
        assertThat(drawn).hasSize(4);
    }

    private String cell() {
        Matcher cell = Pattern.compile("cell ([0-9a-f]{16})").matcher(out.toString());
        assertThat(cell.find()).as(out.toString()).isTrue();
        return cell.group(1);
    }

    @Test
    void withJsonStandardOutputHasNothingElse() throws IOException {
        standard();
        for (List<String> options : List.of(
                List.of("--json=-"),
                List.of("--json=-", "--pin"),
                List.of("--json=-", "--budget", "medium", "--limit-hours", "0"))) {
            verify(options.toArray(String[]::new));
            assertThat(JsonMapper.builder()
                            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .build()
                            .readTree(out.toString()))
                    .as("%s", options)
                    .hasSize(1);
        }
    }

    @Test
    void aNumberThatWasChangedInTheEvidenceIsAMismatch() throws IOException {
        standard();
        assertThat(verify("--pin")).isZero();
        List<String> lines = new ArrayList<>(Files.readAllLines(evidence()));
        String line = lines.get(2);
        String id = line.substring(line.indexOf("\"cell\":\"") + 8).substring(0, 16);
        Matcher value =
                Pattern.compile("\"name\":\"value\",\"value\":0[.]([0-9]+)").matcher(line);
        assertThat(value.find()).isTrue();
        lines.set(2, line.substring(0, value.start(1)) + "00" + line.substring(value.start(1)));
        Files.write(evidence(), lines);
        assertThatThrownBy(this::verify)
                .hasMessageStartingWith(evidence() + ": line 3: cell " + id + ": expected the checksum ");
        // A change with a correct checksum is found only by recomputing the cell.
        sealed(Files.readString(evidence()));

        assertThat(verify("--cell", id)).isEqualTo(1);
        assertThat(out.toString().lines())
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("Mismatch     depth.probe (")
                                .contains("cell " + id + " (size=")
                                .contains("value: expected 0.00")
                                .contains(", got 0." + value.group(1))
                                .endsWith("if the kernels were meant to change: lemmata verify depth.probe --budget"
                                        + " standard"),
                        second -> assertThat(second)
                                .startsWith("Inconclusive [pinned Supported] depth.probe.small (")
                                .contains("the evidence is not reproduced: cell " + id));
        assertThat(result().outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        // The other cells are unchanged.
        String other =
                lines.get(0).substring(lines.get(0).indexOf("\"cell\":\"") + 8).substring(0, 16);
        assertThat(verify("--cell", other)).isZero();
        assertThat(cell()).isEqualTo(other);
    }

    @Test
    void evidenceOfAnotherJdkIsNotComparedToTheBit() throws IOException {
        standard();
        String text = Files.readString(evidence());
        sealed(text.replaceAll("\"jdk\":\"[^\"]*\"", "\"jdk\":\"Vendor 26\""));
        assertThat(verify()).isZero();
        assertThat(out.toString())
                .contains("not comparable on these lanes: fewer than 5 seeds are recorded (jdk Vendor 26 there, ");
        assertThat(result().tested().range()).contains("jdk Vendor 26");
    }

    /** Sets the recorded seconds of each cell. */
    private void took(double... seconds) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(evidence()));
        assertThat(lines).hasSize(seconds.length);
        for (int i = 0; i < seconds.length; i++) {
            lines.set(i, lines.get(i).replaceAll("\"seconds\":[^,}]*", "\"seconds\":" + seconds[i]));
        }
        sealed(String.join("\n", lines) + "\n");
    }

    /** Writes a text as the evidence, with correct checksums. */
    private void sealed(String text) throws IOException {
        Files.writeString(evidence(), SealedLines.of(text));
    }

    private String idInLine(int line) throws IOException {
        String text = Files.readAllLines(evidence()).get(line);
        return text.substring(text.indexOf("\"cell\":\"") + 8).substring(0, 16);
    }

    @Tag("long")
    @Test
    void cellsThatTookLongAreNotDrawnUnlessAllDid() throws IOException {
        standard();
        took(4, 0.6, 0.5, 5);
        for (int i = 0; i < 20; i++) {
            assertThat(verify()).isZero();
            assertThat(cell()).isEqualTo(idInLine(2));
        }
        took(4, 3.5, 7, 5);
        for (int i = 0; i < 20; i++) {
            assertThat(verify()).isZero();
            assertThat(cell()).isEqualTo(idInLine(1));
        }
    }

    @Test
    void thatNoCellIsCheapEnoughIsSaid() throws IOException {
        standard();
        took(90, 85, 120, 100);
        assertThat(verify()).isZero();
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isEqualTo("Not recomputed depth.probe: the cheapest cell took 85 s; --cell "
                                        + idInLine(1) + " computes it"),
                        second -> assertThat(second)
                                .isEqualTo("Not recomputed depth: 4 of 4 cells took more than 0.5 s and were recorded"
                                        + " without hashes of their steps: they cannot be recomputed in part; --cell"
                                        + " computes one whole"),
                        third -> assertThat(third).startsWith("Supported "));
        assertThat(verify("--cell", idInLine(1))).isZero();
        assertThat(out.toString()).startsWith("Recomputed ");
    }

    /** Probes have no steps. The cell never reaches the planted hash, so the whole cell is run and compared. */
    @Test
    void aLongCellWithHashesIsRunBesideAShortOne() throws IOException {
        standard();
        took(4, 0.6, 0.5, 5);
        String hashes = "\"hashes\":[{\"step\":4,\"loss\":0.5,\"weights\":\"0123456789abcdef\"}],\"environment\"";
        sealed(Files.readString(evidence()).replaceFirst("\"environment\"", hashes));
        assertThat(verify()).isEqualTo(1);
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        first ->
                                assertThat(first).startsWith("Not recomputed depth: 2 of 4 cells took more than 0.5 s"),
                        second -> assertThat(second)
                                .startsWith("Recomputed   depth.probe (")
                                .contains(idInLine(2)),
                        third -> assertThat(third)
                                .startsWith("Mismatch     depth.probe (")
                                .contains(idInLine(0))
                                .contains("after step 4: expected loss 0.5 and weights 0123456789abcdef, got none"),
                        fourth -> assertThat(fourth).startsWith("Inconclusive "));
    }

    @Test
    void aCampaignAddsWhatIsMissingAndJudgesAtTheLargestSizeThatIsComplete() throws IOException {
        Files.delete(directory.resolve("evidence"));
        standard();
        List<String> reduced = Files.readAllLines(evidence());
        String[] campaign = {
            "--budget", "full", "--work", directory.resolve("campaign").toString(), "--limit-hours", "0"
        };
        assertThat(verify(campaign)).isZero();
        assertThat(out.toString().lines())
                .startsWith(
                        "Left         depth.probe: 2 of 6 cells, for 1 claims, about 0.0 core-hours",
                        "Campaign     repeat the command to continue; unfinished cells are in "
                                + directory.resolve("campaign"));
        assertThat(Files.readAllLines(evidence())).isEqualTo(reduced);
        assertThat(result().tested().size()).isEqualTo("reduced: of 2 sizes");
        campaign[5] = "1";
        assertThat(verify(campaign)).isZero();
        assertThat(out.toString().lines())
                .startsWith(
                        "Campaign     depth.probe: 2 of 6 cells, for 1 claims, about 0.0 core-hours",
                        "Campaign     nothing is left at the budget full");
        assertThat(Files.readAllLines(evidence())).hasSize(6).containsAll(reduced);
        assertThat(result().tested().range()).startsWith("probes; the paper's sizes: of 3 sizes; 6 of 6 cells");
        assertThat(verify()).isZero();
        assertThat(result().tested().range()).startsWith("probes; the paper's sizes");
    }

    @Test
    void cellsAreTakenUpWhereTheCommitSaysWhichCodeTheyAreOf() {
        Path clean = FigureVerification.usualPlace(
                "a-standard", Map.of("commit", "0123abcd", "time", "2026-01-31T12:00:00Z"));
        assertThat(clean)
                .isEqualTo(Evidence.ofCheckout().directory().resolveSibling("target/sweeps/a-standard-0123abcd"))
                .isEqualTo(FigureVerification.usualPlace(
                        "a-standard", Map.of("commit", "0123abcd", "time", "2026-01-31T12:00:01Z")));
        for (String commit : List.of("0123abcd-dirty", "unknown")) {
            assertThat(FigureVerification.usualPlace(
                            "a-standard", Map.of("commit", commit, "time", "2026-01-31T12:00:00Z")))
                    .isEqualTo(clean.resolveSibling("a-standard-" + commit + "-2026-01-31T120000Z"))
                    .isNotEqualTo(FigureVerification.usualPlace(
                            "a-standard", Map.of("commit", commit, "time", "2026-01-31T12:00:01Z")));
        }
    }

    @Test
    void whereADecisionIsPinnedEvidenceThatIsMissingIsAnAlarm() throws IOException {
        standard();
        assertThat(verify("--pin")).isZero();
        assertThat(result().pinned()).isNull();
        assertThat(verify()).isZero();
        assertThat(result().pinned()).isEqualTo(Outcome.SUPPORTED);
        List<String> lines = Files.readAllLines(evidence());
        Files.write(evidence(), lines.subList(0, 3));
        assertThat(verify()).isEqualTo(3);
        assertThat(out.toString()).contains("NotTested    [pinned Supported] depth.probe.small (", "1 of 4 cells are");
        // Figures that could not be judged are not pinned.
        assertThat(verify("--pin")).isEqualTo(3);
        assertThat(out.toString()).contains("Pinned 0 of 1 verdicts");
        Files.write(evidence(), lines);
        assertThat(verify()).isZero();
    }

    @Test
    void underAPolicyAFigureIsNotTested() throws IOException {
        standard();
        var rounded = new Computation(
                Kernels.scalar(),
                Optional.of(PrecisionPolicy.everything(Rounding.toNearestEven(FloatFormat.BFLOAT16))));
        assertThat(verify(rounded)).isZero();
        assertThat(out.toString().lines())
                .singleElement()
                .asString()
                .startsWith("NotTested    depth.probe.small (")
                .contains("lemmata sweep depth.probe --budget standard base.precision.format=");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --cell 0123456789abcdef | --cell: expected a cell of the chosen figures that is in the evidence, got '0123456789abcdef'
        --cell 0123456789abcdef --budget full | --cell: expected --budget quick with it, got full
        --limit-hours 1 | --limit-hours: expected at least 0, with --budget standard, medium or full with it, got 1.0 with quick
        --nice | --nice: expected to be started by bin/lemmata, got another start
        --work there | --work: expected --budget standard, medium or full with it, got quick
        """)
    void optionsWithoutEffectAreRefused(String options, String message) throws IOException {
        standard();
        assertRefused(() -> verify(options.split(" ")), message);
    }

    @Test
    void evidenceThatIsMalformedIsNamed() throws IOException {
        Files.createDirectories(evidence().getParent());
        Files.writeString(evidence(), "{}\n");
        assertThatThrownBy(this::verify).hasMessageContaining("results.jsonl").hasMessageContaining("line 1");
    }

    @Test
    void claimsNameTheirSweepsAndSweepsTakeTheirNames() {
        assertThat(CommandLineRun.of("claims").out()).contains("    sweep: depth.figure-3.left");
        assertThat(CommandLineRun.of("claims", "--json").out()).contains("\"sweep\" : \"depth.figure-3.left\"");
        CommandLineRun plan =
                CommandLineRun.clean("sweep depth.figure-3.left seeds=1 --budget standard --dry-run --measure 0");
        assertThat(plan.outLines()).last().asString().contains("24 cells");
    }
}

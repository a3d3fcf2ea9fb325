package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.file.MalformedFileException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import picocli.CommandLine;

class VerifyCommandTest {

    private static final ComputedClaim HOLDS =
            claim("holds", Form.AS_STATED, new Verdict(Outcome.SUPPORTED, "all cases"));
    private static final ComputedClaim FALSE = claim("false", Form.AS_STATED, new Verdict(Outcome.REFUTED, "case 3"));
    private static final ComputedClaim OPEN =
            claim("open", Form.CORRECTED, new Verdict(Outcome.INCONCLUSIVE, "no file"));
    private static final ComputedClaim ERRATUM = claim("erratum", Form.PRINTED, new Verdict(Outcome.REFUTED, "case 1"));
    private static final ComputedClaim NO_ERRATUM =
            claim("no-erratum", Form.PRINTED, new Verdict(Outcome.SUPPORTED, "all cases"));

    private static final Computation UNROUNDED = Computation.unrounded(Kernels.scalar());
    private static final Computation ROUNDED = new Computation(
            Kernels.scalar(), Optional.of(PrecisionPolicy.everything(Rounding.toNearestEven(FloatFormat.BFLOAT16))));

    @TempDir
    private Path directory;

    private static ComputedClaim claim(String id, Form form, Verdict verdict) {
        return ComputedClaim.of(
                        new Statement("depth." + id, new Source(Paper.DEPTH, "theorem 0"), form, "A statement."))
                .range("one case")
                .test((scope, computation) -> new Finding(verdict, List.of(), List.of()));
    }

    private int verify(StringWriter out, Claim... claims) throws IOException {
        return verify(out, UNROUNDED, claims);
    }

    private int verify(StringWriter out, Computation computation, Claim... claims) throws IOException {
        return verify(out, computation, List.of(), claims);
    }

    private int verify(StringWriter out, Computation computation, List<String> options, Claim... claims)
            throws IOException {
        var command = new VerifyCommand();
        var arguments = new ArrayList<>(List.of("--evidence", directory.toString()));
        arguments.addAll(options);
        new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(String[]::new));
        return command.verify(List.of(claims), computation);
    }

    private int verify(Claim... claims) throws IOException {
        return verify(new StringWriter(), claims);
    }

    /** The same claim with another verdict. */
    private static ComputedClaim changed(ComputedClaim claim, Outcome outcome) {
        return claim(claim.id().substring("depth.".length()), claim.statement().form(), new Verdict(outcome, "now"));
    }

    private int pin(Claim... claims) throws IOException {
        return verify(new StringWriter(), UNROUNDED, List.of("--pin"), claims);
    }

    @Test
    void exitCodesFollowThePinnedVerdicts() throws IOException {
        // Nothing is pinned: no verdict is an alarm.
        assertThat(verify(HOLDS, FALSE, OPEN, ERRATUM)).isZero();
        assertThat(pin(HOLDS, FALSE, OPEN, ERRATUM)).isZero();
        assertThat(verify(HOLDS, FALSE, OPEN, ERRATUM, NO_ERRATUM)).isZero();
        assertThat(verify(changed(HOLDS, Outcome.REFUTED))).isEqualTo(1);
        assertThat(verify(changed(FALSE, Outcome.SUPPORTED))).isEqualTo(1);
        assertThat(verify(changed(OPEN, Outcome.SUPPORTED))).isEqualTo(1);
        assertThat(verify(changed(HOLDS, Outcome.INCONCLUSIVE))).isEqualTo(3);
        assertThat(verify(changed(FALSE, Outcome.NOT_LEARNED))).isEqualTo(3);
        assertThat(verify(changed(OPEN, Outcome.NOT_LEARNED))).isZero();
        assertThat(verify(changed(HOLDS, Outcome.NOT_TESTED))).isEqualTo(3);
        assertThat(verify(changed(OPEN, Outcome.NOT_TESTED))).isZero();
        assertThat(verify(changed(HOLDS, Outcome.INCONCLUSIVE), changed(FALSE, Outcome.SUPPORTED)))
                .isEqualTo(1);
        assertThat(verify()).isZero();
    }

    @Test
    void pinsAreWrittenByPinAloneAndAnAlteredOneIsRefused() throws IOException {
        Path pins = directory.resolve("depth/verdicts.json");
        verify(HOLDS);
        assertThat(pins).doesNotExist();
        pin(HOLDS, FALSE);
        pin(OPEN);
        String text = Files.readString(pins);
        assertThat(text).contains("\"depth.holds\"", "\"depth.false\"", "\"depth.open\"", "\"size\" : \"paper\"");
        verify(changed(HOLDS, Outcome.REFUTED));
        assertThat(pins).hasContent(text);
        assertRefused(
                () -> verify(new StringWriter(), ROUNDED, List.of("--pin"), HOLDS),
                "--pin: expected models that are not rounded, got bfloat16 with sums");
        for (String altered : List.of(
                text.replaceFirst("Supported", "Refuted"),
                text.replace("depth.holds", "depth.other"),
                text.replaceFirst("\"sha256\" : \"[0-9a-f]", "\"sha256\" : \"x"),
                "{")) {
            Files.writeString(pins, altered);
            assertThatThrownBy(() -> verify(HOLDS))
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageStartingWith(pins + ": ");
            CommandLineRun.line("verify depth.claim-5.3 --evidence %s", directory)
                    .refusedWith("verdicts.json: ");
        }
    }

    @Test
    void underAPolicyNoVerdictIsPinned() throws IOException {
        pin(HOLDS, FALSE, OPEN);
        var out = new StringWriter();
        assertThat(verify(out, ROUNDED, changed(FALSE, Outcome.SUPPORTED), OPEN, changed(HOLDS, Outcome.REFUTED)))
                .isZero();
        assertThat(out.toString().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .startsWith("NotTested    depth.")
                        .contains("does not depend on the format")
                        .doesNotContain("pinned", "bfloat16"));
    }

    @Test
    void aFormatThatCannotHoldAConstructionLeavesTheClaimUndecided() throws IOException {
        Path file = directory.resolve("claims.json");
        CommandLineRun run = CommandLineRun.clean("verify depth.claim-5.3 --format binary32 --json=%s", file);
        assertThat(run.outLines())
                .singleElement()
                .asString()
                .startsWith("Inconclusive depth.claim-5.3 [binary32] (")
                .contains("expected at least 53 significand bits")
                .contains("got binary32 with 24");
        assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
            assertThat(result.tested().precision()).isEqualTo("binary32");
            assertThat(result.pinned()).isNull();
            assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
            assertThat(result.measured()).isEmpty();
        });
        Path benchmarks = Files.writeString(directory.resolve("jmh.json"), "[]");
        report(file, benchmarks).clean();
        assertThat(directory.resolve("page/index.html")).content().contains("none: rounded, binary32");
    }

    @Test
    void aPolicyIsWhatTheConstructionsOfAClaimAreRoundedBy() throws IOException {
        Path file = directory.resolve("claims.json");
        var seen = new ArrayList<String>();
        Path policy = Files.writeString(directory.resolve("policy.yaml"), "sites:\n  logits: float(20,-126,127)\n");
        for (List<String> options : List.of(
                List.of("--format", "float(20,-126,127)"),
                List.of("--format", "float(20,-126,127)", "--sums", "--mode", "TowardZero"),
                List.of("--precision", policy.toString()))) {
            var arguments = new ArrayList<>(List.of("verify", "depth.theorem-4.1.loss", "--json", file.toString()));
            arguments.addAll(options);
            CommandLineRun.of(arguments.toArray(String[]::new)).clean();
            assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
                assertThat(result.outcome()).as(result.verdict().reason()).isEqualTo(Outcome.SUPPORTED);
                seen.add(result.tested().precision());
            });
        }
        assertThat(seen)
                .containsExactly(
                        "float(20,-126,127)", "float(20,-126,127) TowardZero with sums", "logits float(20,-126,127)");
        CommandLineRun.of("verify", "depth", "--sums").exits(2);
        CommandLineRun.line("verify depth --format half").exits(2);
    }

    @Test
    void aTestThatFailsInAFormatDoesNotRefuteAStatementOfRealNumbers() {
        String line = "verify depth.theorem-4.1.generalization -p N=2 --format e2m1 --force";
        assertThat(CommandLineRun.clean(line).outLines())
                .first()
                .asString()
                .startsWith("NotTested    depth.theorem-4.1.generalization [e2m1] (")
                .contains(" outside the hypothesis: e2m1, stated for real numbers; 3 counterexamples");
    }

    /** A grid may lack even simple numbers: 1 is not a multiple of 0.375. The claim is then undecided. */
    @Test
    void aGridThatLacksAWeightLeavesTheClaimUndecided() {
        CommandLineRun run = CommandLineRun.clean("verify depth.theorem-4.1.loss --format multiple(0.375)");
        assertThat(run.outLines()).singleElement().asString().startsWith("Inconclusive depth.theorem-4.1.loss");
    }

    /** The policy rounds nothing in a forward pass: the construction runs in binary64, the verdict is unchanged. */
    @Test
    void sitesOfTrainingRoundNothingOfAClaim() throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.yaml"), "sites:\n  gradients: bfloat16\n");
        CommandLineRun run = CommandLineRun.clean("verify depth.claim-5.3 --precision %s", policy);
        assertThat(run.outLines()).first().asString().startsWith("Supported    depth.claim-5.3 (");
    }

    @Test
    void everyVerdictIsALineThatNamesWhatIsPinnedWhereItDiffers() throws IOException {
        pin(HOLDS, FALSE);
        var out = new StringWriter();
        verify(out, HOLDS, changed(FALSE, Outcome.SUPPORTED));
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("Supported")
                .contains("holds")
                .contains("all cases")
                .doesNotContain("pinned");
        assertThat(lines.get(1))
                .startsWith("Supported")
                .contains("[pinned Refuted] depth.false")
                .contains("now");
    }

    @Test
    void ofManyComparisonsTheFirstArePrintedAndTheOthersCounted() throws IOException {
        var out = new StringWriter();
        String comparison = "p".repeat(98) + "; ";
        verify(out, claim("many", Form.AS_STATED, new Verdict(Outcome.SUPPORTED, comparison.repeat(10) + "last")));
        assertThat(out.toString().lines())
                .singleElement()
                .asString()
                .endsWith(": " + comparison.repeat(6) + "and 5 more (verify --json prints all)");
    }

    @Test
    void reportsOfChangedVerdictsExitAsTheVerdictsDo() throws IOException {
        pin(HOLDS, FALSE, OPEN);
        assertReport(1, "depth.false: pinned Refuted, got Supported", HOLDS, changed(FALSE, Outcome.SUPPORTED), OPEN);
        assertReport(3, "depth.holds: pinned Supported, got Inconclusive", changed(HOLDS, Outcome.INCONCLUSIVE));
        assertReport(0, "", HOLDS, ERRATUM);
    }

    private CommandLineRun report(Path claims, Path benchmarks) {
        return CommandLineRun.line(
                "report --claims=%s --jmh=%s --out=%s", claims, benchmarks, directory.resolve("page"));
    }

    private void assertReport(int code, String message, ComputedClaim... claims) throws IOException {
        Path file = directory.resolve("claims.json");
        verify(new StringWriter(), UNROUNDED, List.of("--json", file.toString()), claims);
        Path benchmarks = Files.writeString(directory.resolve("jmh.json"), "[]");
        CommandLineRun run = report(file, benchmarks).exits(code);
        assertThat(run.err()).contains(message);
        assertThat(run.errLines()).hasSize(code == 0 ? 0 : 1);
        assertThat(directory.resolve("page/index.html")).content().contains("theorem 0");
    }

    @Test
    void resultsAreWrittenWhereAsked() throws IOException {
        Path file = directory.resolve("deep/claims.json");
        CommandLineRun run = CommandLineRun.clean("verify depth.claim-5.3 --json=%s", file);
        assertThat(run.outLines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("    maximum probability of an invalid completion, N = 1: ");
        assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
            assertThat(result.id()).isEqualTo("depth.claim-5.3");
            assertThat(result.outcome()).isEqualTo(Outcome.SUPPORTED);
            assertThat(result.pinned()).isEqualTo(Outcome.SUPPORTED);
            assertThat(result.tested().budget()).isEqualTo(Budget.QUICK);
            assertThat(result.run().environment()).containsKeys("commit", "jdk", "simd", "cpu");
            assertThat(result.measured()).isNotEmpty();
        });
    }

    @Test
    void aClaimIsTestedWithAUsersSettings() throws IOException {
        Path file = directory.resolve("claims.json");
        CommandLineRun run =
                CommandLineRun.clean("verify depth.theorem-4.1.converse -p N=3 -p gamma=-0.5 --json=%s", file);
        assertThat(run.outLines()).hasSize(3);
        assertThat(run.outLines().getFirst())
                .startsWith("NotTested    depth.theorem-4.1.converse (")
                .contains(
                        "outside the hypothesis: gamma = -0.5, stated for numbers within (0, inf); ",
                        "counterexamples");
        assertThat(run.outLines().getLast())
                .isEqualTo("    maximum probability of a valid completion, N = 3: 0.9781 > 0.2987");
        assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
            assertThat(result.pinned()).isNull();
            assertThat(result.tested().settings()).containsEntry("N", "3").containsEntry("gamma", "-0.5");
            assertThat(result.tested().range()).contains("gamma = -0.5");
        });
        for (List<String> refused : List.of(
                List.of(
                        "hierarchy.theorem-2.printed",
                        "N=3",
                        "-p: expected a claim with settings, got one without settings"),
                List.of("depth.figure-3.left", "N=3", "-p: expected a claim with settings, got one without settings"),
                List.of("depth", "N=x", "N: expected integers from 1 to 128, got 'x'"),
                List.of("depth.claim-5.3", "M=3", "M: expected one of the settings N, v, got 'M'"))) {
            CommandLineRun.line("verify %s -p %s", refused.get(0), refused.get(1))
                    .refusedWith(refused.get(2));
        }
        assertThat(CommandLineRun.of("claims", "depth.theorem-4.1").outLines())
                .contains("    -p gamma=-1/2     numbers other than 0, stated for -1/2: weight of the next training"
                        + " token in the positions; greedy decoding works for -2 < gamma < 0")
                .noneMatch(line -> line.startsWith("depth.claim-5.3"));
        assertThat(CommandLineRun.of("claims", "hierarchy.theorem-2.printed").outLines())
                .contains("    nothing to set");
        assertThat(CommandLineRun.of("claims", "--json").out()).contains("\"settings\" : [");
    }

    /** Claims that have the setting and accept the value are tested; the others are named. */
    @Test
    void aPrefixSetsWhatItsClaimsList() {
        CommandLineRun run = CommandLineRun.clean("verify depth.theorem-4.1 depth.lemma-5.1 -p N=2");
        assertThat(run.outLines().stream().filter(line -> line.startsWith("Supported")))
                .hasSize(4);
        assertThat(run.errLines())
                .containsExactly(
                        "verify: skipped: depth.lemma-5.1: N: expected one of the settings t, n, gamma, failure,"
                                + " got 'N'");
    }

    /** The direct method learns the parity of two bits, but the paper's sentence is about 8 and more. */
    @Test
    void aFigureIsNotRefutedByOtherSettings() throws IOException {
        Path sweep = directory.resolve("two-bits");
        CommandLineRun.clean("""
            sweep parity.figure-4 --budget standard seeds=2 base.bits=12 base.samples=2000 base.tests=500 \
            zip=[{"method":[direct,chain,teacher-forcing,self-consistency],"size":[2,2,2,2],\
            "learning-rate":[0.5,15,15,15],"epochs":[100,200,100,200]}] --out %s\
            """, sweep);
        Path json = directory.resolve("two-bits.json");
        CommandLineRun.clean("verify parity.figure-4 --cells %s --json=%s", sweep, json);
        assertThat(ClaimResults.read(json)).singleElement().satisfies(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.NOT_TESTED);
            assertThat(result.verdict().reason())
                    .contains("other settings than the figure's: ", "size = 2", "does not hold: direct, k = 2");
        });
    }

    /** The claim compares all lengths with the training lengths 4 and 16. */
    @Test
    void ownCellsWithoutALengthAreRefused() {
        Path sweep = directory.resolve("short");
        CommandLineRun.clean("""
            sweep length.comparison.simple-task --budget standard seeds=2 base.steps=2 base.batch=4 \
            base.evaluation.sequences=8 base.evaluation.lengths=[32,64] --out %s\
            """, sweep);
        CommandLineRun.line("verify length.comparison.simple-task --cells %s", sweep)
                .refusedWith("--cells: expected all cells that length.comparison.simple-task compares, got those of");
    }

    /** The user's sweep has an axis that the figure does not have. */
    @Test
    void aFigureIsJudgedFromOwnCells() throws IOException {
        Path sweep = directory.resolve("own");
        CommandLineRun.clean("""
            sweep length.figure-1 --budget standard axes.task.settings.omega=[1,1.5,2] \
            axes.task.settings.length=[2,4] axes.model.layers=[1,2] seeds=2 base.steps=2 base.batch=4 \
            base.evaluation.sequences=8 base.evaluation.lengths=[16,32] base.model.width=8 \
            base.optimizer.groups=[] --out %s\
            """, sweep);
        Path json = directory.resolve("own.json");
        Path out = directory.resolve("figures");
        CommandLineRun.clean("verify length.figure-1.right --cells %s --json=%s --out %s", sweep, json, out);
        List<ClaimResult> results = ClaimResults.read(json);
        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.NOT_LEARNED);
            assertThat(result.pinned()).isNull();
            assertThat(result.trivial()).hasSize(3);
            assertThat(result.tested().range())
                    .startsWith("12 cells of ")
                    .contains("2 seeds", "task.settings.omega = 1, 1.5, 2", "other than in the figure's own: ")
                    .contains("steps = 2");
        });
        assertThat(results.getFirst().tested().settings()).containsEntry("model.layers", "1");
        assertThat(results.getLast().tested().range()).contains("model.layers = 2");
        assertThat(out.resolve("length.figure-1.right.csv"))
                .content()
                .startsWith("name,value,unit,low,high,n,relation,paper\r\n");
        assertThat(out.resolve("length.figure-1.right-2-1.csv")).content().contains("theorem 4.1 corrected");
        assertThat(out.resolve("length.figure-1.right-2-1.svg"))
                .content()
                .startsWith("<svg xmlns=")
                .contains("#0072b2")
                .doesNotContain("var(", "class=\"targets\"");
        assertThat(CommandLineRun.clean("verify parity.figure-4 length.figure-1.left --cells %s", sweep)
                        .errLines())
                .containsExactly("verify: --cells: expected cells of parity-chain, which parity.figure-4 needs, got"
                        + " cells of train");
        Path one = directory.resolve("one");
        CommandLineRun.clean("""
            sweep length.figure-1 --budget standard axes.task.settings.omega=[1] axes.task.settings.length=[2,4] \
            seeds=1 base.steps=2 base.batch=4 base.evaluation.sequences=8 base.evaluation.lengths=[16,32] --out %s\
            """, one);
        for (List<String> refused : List.of(
                List.of(
                        "depth.figure-3.left.decay",
                        sweep.toString(),
                        "--cells: expected cells of the task dyck-words, which depth.figure-3.left needs, got cells of"
                                + " simple-task"),
                List.of("length.figure-2", sweep.toString(), "--cells: expected cells of the task mod-p-task"),
                List.of("length.figure-1.left", one.toString(), "--cells: expected at least 2 seeds"),
                List.of("depth.lemma-5.1", sweep.toString(), "--cells: expected figures of trained models, got"),
                List.of("length.figure-1", directory.toString(), "--cells: expected the directory of a sweep"))) {
            CommandLineRun.line("verify %s --cells %s", refused.get(0), refused.get(1))
                    .refusedWith(refused.get(2));
        }
        for (String option : List.of("--cell=0", "--evidence=evidence", "--work=work", "--limit-hours=2", "--pin")) {
            CommandLineRun.line("verify length.figure-1 --cells %s %s", sweep, option)
                    .refusedWith("--cells: expected no --pin, -p, --format, --budget, --cell, --evidence, --work or"
                            + " --limit-hours with it, got one");
        }
        List<String> lines = Files.readAllLines(sweep.resolve("results.jsonl"));
        Files.write(sweep.resolve("results.jsonl"), lines.subList(0, 20));
        assertThat(CommandLineRun.line("verify length.figure-1 --cells %s", sweep)
                        .errLines())
                .singleElement()
                .asString()
                .contains("--cells: expected all 24 cells of", "computes the others), got 20 of them");
    }

    /** Sends Ctrl-C while the quick budget recomputes a cell. */
    @Test
    @Tag("long")
    void aRequestToEndSaysHowToGoOn() throws Exception {
        List<String> options = List.of("-Djava.io.tmpdir=" + directory);
        // A process that a shell started in the background ignores SIGINT, and its children inherit this.
        List<String> before = List.of("env", "--default-signal=INT");
        List<String> command = List.of("verify", "parity.comparison");
        try (ChildJvm child = ChildJvm.start(directory, before, options, command)) {
            child.await(() -> {
                try (Stream<Path> files = Files.list(directory)) {
                    return files.anyMatch(file -> file.getFileName().toString().startsWith("lemmata-cell-"));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            child.signal("INT");
            assertThat(child.exitCode()).as("%s", child.errorLines()).isEqualTo(130);
            assertThat(child.errorLines())
                    .hasSize(2)
                    .last()
                    .asString()
                    .matches("verify: stopped after 0 of \\d+ claims; if you repeat the command, it starts again");
        }
    }
}

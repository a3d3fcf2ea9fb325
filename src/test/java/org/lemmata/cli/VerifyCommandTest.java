package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.lemmata.claim.Verdict;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import picocli.CommandLine;

class VerifyCommandTest {

    private static final ComputedClaim HOLDS = claim("holds", Form.AS_STATED, new Verdict.Supported("all cases"));
    private static final ComputedClaim FALSE = claim("false", Form.AS_STATED, new Verdict.Refuted("case 3"));
    private static final ComputedClaim OPEN = claim("open", Form.CORRECTED, new Verdict.Inconclusive("no file"));
    private static final ComputedClaim ERRATUM = claim("erratum", Form.PRINTED, new Verdict.Refuted("case 1"));
    private static final ComputedClaim NO_ERRATUM =
            claim("no-erratum", Form.PRINTED, new Verdict.Supported("all cases"));

    private static final Computation UNROUNDED = Computation.unrounded(Kernels.scalar());
    private static final Computation ROUNDED = new Computation(
            Kernels.scalar(), Optional.of(PrecisionPolicy.everything(Rounding.toNearestEven(FloatFormat.BFLOAT16))));

    @TempDir
    private Path directory;

    private static ComputedClaim claim(String id, Form form, Verdict verdict) {
        return new ComputedClaim() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public Source source() {
                return new Source(Paper.DEPTH, "theorem 0");
            }

            @Override
            public Form form() {
                return form;
            }

            @Override
            public String statement() {
                return "A statement.";
            }

            @Override
            public String range(Budget budget) {
                return "one case";
            }

            @Override
            public Finding check(Budget budget, Computation computation) {
                return new Finding(verdict, List.of(), List.of());
            }
        };
    }

    private static int verify(StringWriter out, Claim... claims) throws IOException {
        return verify(out, UNROUNDED, claims);
    }

    private static int verify(StringWriter out, Computation computation, Claim... claims) throws IOException {
        var command = new VerifyCommand();
        new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs();
        return command.verify(List.of(claims), computation);
    }

    private static int verify(Claim... claims) throws IOException {
        return verify(new StringWriter(), claims);
    }

    @Test
    void exitCodesFollowTheVerdictsExpected() throws IOException {
        assertThat(verify(HOLDS)).isZero();
        assertThat(verify(ERRATUM, HOLDS)).isZero();
        assertThat(verify(FALSE)).isEqualTo(1);
        assertThat(verify(NO_ERRATUM)).isEqualTo(1);
        assertThat(verify(OPEN)).isEqualTo(3);
        assertThat(verify(OPEN, HOLDS, FALSE)).isEqualTo(1);
        assertThat(verify(FALSE, OPEN)).isEqualTo(1);
        assertThat(verify()).isZero();
    }

    @Test
    void underAPolicyNoVerdictIsExpected() throws IOException {
        var out = new StringWriter();
        assertThat(verify(out, ROUNDED, FALSE, OPEN, HOLDS, ERRATUM, NO_ERRATUM))
                .isZero();
        assertThat(out.toString().lines())
                .hasSize(5)
                .allSatisfy(line ->
                        assertThat(line).contains(" [bfloat16 with sums] (").doesNotContain("expected"));
        assertThat(out.toString().lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).startsWith("Refuted      false"));
    }

    @Test
    void aFormatThatCannotHoldAConstructionLeavesTheClaimUndecided() throws IOException {
        Path file = directory.resolve("claims.json");
        CommandLineRun run =
                CommandLineRun.of("verify", "depth.claim-5.3", "--format", "binary32", "--json", file.toString());
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.outLines())
                .singleElement()
                .asString()
                .startsWith("Inconclusive depth.claim-5.3 [binary32] (")
                .contains("expected at least 53 significand bits")
                .contains("got binary32 with 24 and 24");
        assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
            assertThat(result.precision()).isEqualTo("binary32");
            assertThat(result.expected()).isEqualTo("none");
            assertThat(result.verdict()).isEqualTo("Inconclusive");
            assertThat(result.measured()).isEmpty();
        });
        Path benchmarks = Files.writeString(directory.resolve("jmh.json"), "[]");
        CommandLineRun report = CommandLineRun.of(
                "report", "--claims", file.toString(), "--jmh", benchmarks.toString(), "--out", directory + "/page");
        assertThat(report.code()).as("%s", report).isZero();
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
            CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
            assertThat(run.code()).as("%s", run).isZero();
            assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
                assertThat(result.verdict()).as(result.reason()).isEqualTo("Supported");
                seen.add(result.precision());
            });
        }
        assertThat(seen)
                .containsExactly(
                        "float(20,-126,127)", "float(20,-126,127) TowardZero with sums", "logits float(20,-126,127)");
        assertThat(CommandLineRun.of("verify", "depth", "--sums").code()).isEqualTo(2);
        assertThat(CommandLineRun.of("verify", "depth", "--format", "half").code())
                .isEqualTo(2);
    }

    /** A grid may lack a number of few bits: 1 is no multiple of 0.375. The loop over formats goes on. */
    @Test
    void aGridThatLacksAWeightLeavesTheClaimUndecided() {
        CommandLineRun run = CommandLineRun.of("verify", "depth.theorem-4.1.loss", "--format", "multiple(0.375)");
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.outLines()).singleElement().asString().startsWith("Inconclusive depth.theorem-4.1.loss");
    }

    /** Nothing in a forward pass is rounded: the verdict is expected, and the construction keeps its binary64. */
    @Test
    void sitesOfTrainingRoundNothingOfAClaim() throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.yaml"), "sites:\n  gradients: bfloat16\n");
        CommandLineRun run = CommandLineRun.of("verify", "depth.claim-5.3", "--precision", policy.toString());
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.outLines()).singleElement().asString().startsWith("Supported    depth.claim-5.3 (");
    }

    @Test
    void everyVerdictIsALineThatNamesWhatWasExpected() throws IOException {
        var out = new StringWriter();
        verify(out, HOLDS, FALSE);
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("Supported")
                .contains("holds")
                .contains("all cases")
                .doesNotContain("expected");
        assertThat(lines.get(1))
                .startsWith("Refuted")
                .contains("[expected Supported] false")
                .contains("case 3");
    }

    @Test
    void reportsOfContraryVerdictsExitAsTheVerdictsDo() throws IOException {
        assertReport(1, "false: expected Supported, got Refuted", HOLDS, FALSE, OPEN);
        assertReport(3, "open: expected Supported, got Inconclusive", HOLDS, OPEN);
        assertReport(0, "", HOLDS, ERRATUM);
    }

    private void assertReport(int code, String message, ComputedClaim... claims) throws IOException {
        Path file = directory.resolve("claims.json");
        ClaimResults.write(
                file,
                List.of(claims).stream()
                        .map(claim -> ClaimResult.of(claim, Budget.QUICK, UNROUNDED, Map.of()))
                        .toList());
        Path benchmarks = Files.writeString(directory.resolve("jmh.json"), "[]");
        CommandLineRun run = CommandLineRun.of(
                "report",
                "--claims",
                file.toString(),
                "--jmh",
                benchmarks.toString(),
                "--out",
                directory.resolve("page").toString());
        assertThat(run.code()).as("%s", run).isEqualTo(code);
        assertThat(run.err()).contains(message);
        assertThat(run.errLines()).hasSize(code == 0 ? 0 : 1);
        assertThat(directory.resolve("page/index.html")).content().contains("theorem 0");
    }

    @Test
    void resultsAreWrittenWhereAsked() throws IOException {
        Path file = directory.resolve("deep/claims.json");
        CommandLineRun run = CommandLineRun.of("verify", "depth.claim-5.3", "--json", file.toString());
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.outLines()).hasSize(1);
        assertThat(ClaimResults.read(file)).singleElement().satisfies(result -> {
            assertThat(result.id()).isEqualTo("depth.claim-5.3");
            assertThat(result.verdict()).isEqualTo("Supported");
            assertThat(result.budget()).isEqualTo("quick");
            assertThat(result.environment()).containsKeys("commit", "jdk", "simd", "cpu");
            assertThat(result.measured()).isNotEmpty();
        });
    }
}

package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Verdict;
import org.lemmata.kernel.Kernels;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import picocli.CommandLine;

class VerifyCommandTest {

    private static final Claim HOLDS = claim("holds", Form.AS_STATED, new Verdict.Supported("all cases"));
    private static final Claim FALSE = claim("false", Form.AS_STATED, new Verdict.Refuted("case 3"));
    private static final Claim OPEN = claim("open", Form.MENDED, new Verdict.Inconclusive("no file"));
    private static final Claim ERRATUM = claim("erratum", Form.PRINTED, new Verdict.Refuted("case 1"));
    private static final Claim NO_ERRATUM = claim("no-erratum", Form.PRINTED, new Verdict.Supported("all cases"));

    @TempDir
    private Path directory;

    private static Claim claim(String id, Form form, Verdict verdict) {
        return new Claim() {
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
            public Finding check(Budget budget, Kernels kernels) {
                return new Finding(verdict, List.of(), List.of());
            }
        };
    }

    private static int verify(StringWriter out, Claim... claims) throws IOException {
        var command = new VerifyCommand();
        new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs();
        return command.verify(List.of(claims));
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

    private void assertReport(int code, String message, Claim... claims) throws IOException {
        Path file = directory.resolve("claims.json");
        ClaimResults.write(
                file,
                List.of(claims).stream()
                        .map(claim -> ClaimResult.of(claim, Budget.QUICK, Kernels.scalar(), Map.of()))
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

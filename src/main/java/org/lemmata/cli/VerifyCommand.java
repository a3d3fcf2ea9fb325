package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Claims;
import org.lemmata.claim.Computation;
import org.lemmata.kernel.Kernels;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tests claims and prints their verdicts. */
@Command(
        name = "verify",
        description = "Tests claims and prints their verdicts. Exit code 1: a verdict contrary to the expected one;"
                + " 3: no verdict where one was expected. With --format or --precision the constructions that claims run"
                + " are rounded, and no verdict is expected: each is printed, and the exit code is 0. A claim is"
                + " Inconclusive where the format cannot hold a construction.")
final class VerifyCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "CLAIM",
            description = "Claim ids, or a paper's key; all claims by default.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--budget", defaultValue = "quick", description = "quick (default), standard or full.")
    private Budget budget;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the results there, with figures and environment.")
    private @Nullable Path json;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        return verify(Claims.select(words), new Computation(Kernels.best(), precision.policy()));
    }

    /** Tests the claims in order and returns the exit code. */
    int verify(List<Claim> claims, Computation computation) throws IOException {
        if (json != null) {
            requirePlaceFor(json);
        }
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> environment = RunRecord.now(
                        MachineIdentity.current(computation.kernels().description()), List.of())
                .environment();
        List<ClaimResult> results = new ArrayList<>();
        for (Claim claim : claims) {
            ClaimResult result = ClaimResult.of(claim, budget, computation, environment);
            results.add(result);
            out.printf(
                    Locale.ROOT,
                    "%-13s%s%s%s (%.1f s): %s%n",
                    result.verdict(),
                    result.asExpected() ? "" : "[expected " + result.expected() + "] ",
                    result.id(),
                    computation.isRounded() ? " [" + result.precision() + "]" : "",
                    result.seconds(),
                    result.reason());
            out.flush();
        }
        if (json != null) {
            ClaimResults.write(json, results);
        }
        return ClaimVerdicts.exitCode(results);
    }

    /** Before the first claim: a mistyped name must not cost what a large budget computed. */
    private static void requirePlaceFor(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException("--json: expected a file, got the directory " + file);
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
            if (!Files.isWritable(directory)) {
                throw new IllegalArgumentException("--json: expected a place that can be written, got " + file);
            }
        }
    }
}

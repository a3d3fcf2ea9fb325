package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.SelfCheck;
import org.lemmata.report.ReportInput;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells what the program runs on, whether SIMD is active, and whether the kernels are fast and right in this JVM. */
@Command(
        name = "doctor",
        description =
                "Tells what the program runs on, whether SIMD is active, and whether its kernels are fast and right"
                        + " in this JVM. Exit code 1: one is not.")
final class DoctorCommand extends OutputCommand {

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Option(names = "--no-check", description = "Do not call the kernels, which takes a few seconds.")
    private boolean noCheck;

    @Option(names = "--record", paramLabel = "FILE", description = "Write what runs where, as it lies beside results.")
    private @Nullable Path record;

    @Override
    public Integer call() throws IOException {
        Kernels kernels = Kernels.best();
        if (record != null) {
            RunRecord.now(MachineIdentity.current(kernels.description()), List.of())
                    .write(record);
        }
        Map<String, Object> report = report(kernels);
        if (json) {
            List<SelfCheck.Result> results = noCheck ? List.of() : SelfCheck.run(kernels);
            report.put("check", results.stream().map(DoctorCommand::fields).toList());
            out().println(Json.indented(report));
            return exitCode(results);
        }
        report.forEach((name, value) -> print(out(), name, value));
        // What is known is shown before the kernels are called.
        out().flush();
        List<SelfCheck.Result> results = noCheck ? List.of() : SelfCheck.run(kernels);
        results.forEach(result -> print(out(), "check", result.name() + ": " + result.description()));
        return exitCode(results);
    }

    private static void print(PrintWriter out, String name, Object value) {
        out.printf("%-9s %s%n", name, value);
    }

    /** A slow kernel is a regression of this JVM. */
    static int exitCode(List<SelfCheck.Result> results) {
        return results.stream().allMatch(result -> result.verdict() == SelfCheck.Verdict.OK)
                ? ExitCode.CLEAN
                : ExitCode.CONTRARY;
    }

    static Map<String, Object> fields(SelfCheck.Result result) {
        return Json.object(
                "kernel", result.name(),
                "verdict", result.verdict().name().toLowerCase(Locale.ROOT),
                "ratio", result.ratio(),
                "minRatio", result.minRatio(),
                "maxError", result.maxError(),
                "tolerance", result.tolerance());
    }

    private static Map<String, Object> report(Kernels kernels) {
        RunRecord record = RunRecord.now(MachineIdentity.current(kernels.description()), List.of());
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("kernels", kernels.description());
        report.put("simd", kernels.simd());
        report.putAll(record.environment());
        report.put("java home", System.getProperty("java.home"));
        report.put("results", ReportInput.BENCHMARKS.toAbsolutePath().toString());
        report.put("claims", ReportInput.CLAIMS.toAbsolutePath().toString());
        return report;
    }
}

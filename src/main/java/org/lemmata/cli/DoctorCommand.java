package org.lemmata.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.kernel.Kernels;
import org.lemmata.report.ReportInput;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what the program runs on, and whether SIMD is active. */
@Command(name = "doctor", description = "Tells what the program runs on, and whether SIMD is active.")
final class DoctorCommand implements Runnable {

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Object> report = report();
        if (json) {
            out.println(Json.indented(report));
        } else {
            report.forEach((name, value) -> out.printf("%-9s %s%n", name, value));
        }
    }

    private static Map<String, Object> report() {
        Kernels kernels = Kernels.best();
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

package org.lemmata.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.bench.ProcessorTime;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.SelfCheck;
import org.lemmata.kernel.SelfCheck.Condition;
import org.lemmata.report.ReportInput;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        description = {
            "Check the JVM, the SIMD support and the speed and results of the kernels.",
            "A kernel that is slow in this JVM is tried again in a new one."
        },
        exitCodeList = {
            "0:All kernels are right and fast.",
            "1:A kernel is wrong or slow.",
            "2:Bad input or a failure; one line on standard error names it.",
            "3:Other programs kept a kernel from being judged."
        },
        footer = {"  lemmata doctor", "  lemmata doctor --kernel softmax --json"})
final class DoctorCommand extends JsonCommand {

    /** One processor each for the kernel, the JIT compiler and the garbage collector. */
    private static final int PROCESSORS_WANTED = 3;

    private static final double PART_OF_THEM = 0.9;

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    @Option(names = "--no-check", description = "Skip the kernel check, which takes a few seconds.")
    private boolean noCheck;

    @Option(
            names = "--kernel",
            paramLabel = "NAME",
            description = "Check only this kernel. You can repeat this option.")
    private List<String> names = List.of();

    @Option(names = "--once", description = "Do not retry slow kernels in a new JVM.")
    private boolean once;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "Write a description of this machine and JVM to a file, as in benchmark results.")
    private @Nullable Path record;

    @Override
    public Integer call() throws IOException {
        Refuse.when(noCheck && (once || !names.isEmpty()), "--no-check", "neither --kernel nor --once with it", "one");
        Kernels kernels = Kernels.best();
        if (record != null) {
            RunRecord.now(kernels.description()).write(record);
        }
        Map<String, Object> report = report(kernels);
        if (!isJson()) {
            report.forEach(this::print);
            // Flushed first, because the kernels may take long.
            out().flush();
        }
        List<SelfCheck.Result> results = noCheck ? List.of() : check(kernels);
        report.put("check", results.stream().map(DoctorCommand::fields).toList());
        printJson(report, () -> results.forEach(result -> print("check", result.name() + ": " + result.description())));
        return exitCode(results);
    }

    private void print(String name, Object value) {
        out().printf("%-9s %s%n", name, value);
    }

    /**
     * Checks the kernels. Without {@code --once}, slow kernels are retried in another JVM, because a JVM's compiler may
     * fail to optimize a kernel.
     */
    private List<SelfCheck.Result> check(Kernels kernels) throws IOException {
        ProcessorTime before = ProcessorTime.now();
        Duration worked = worked();
        DoubleSupplier others = () -> ProcessorTime.now().othersShare(before, worked().minus(worked));
        try (var _ = progress(err(), BETWEEN_LINES, others)) {
            return check(kernels, others);
        }
    }

    /** Prints, after each {@code pause}, the time so far and the share of other work, until the executor is closed. */
    static ScheduledExecutorService progress(PrintWriter err, Duration pause, DoubleSupplier others) {
        ScheduledExecutorService progress = Executors.newSingleThreadScheduledExecutor();
        long start = System.nanoTime();
        var _ = progress.scheduleAtFixedRate(
                () -> {
                    double share = Math.max(0, others.getAsDouble());
                    String other = Double.isNaN(share)
                            ? ""
                            : String.format(Locale.ROOT, "; other work has %.0f%% of the processors", 100 * share);
                    double seconds = (System.nanoTime() - start) * 1e-9;
                    err.printf(Locale.ROOT, "doctor: calling the kernels for %.0f s%s%n", seconds, other);
                },
                pause.toNanos(),
                pause.toNanos(),
                TimeUnit.NANOSECONDS);
        return progress;
    }

    /**
     * Marks slow results as undecided if other programs used too large a share of the processors.
     *
     * @param others the share of the time of all processors that other programs used; NaN if unknown
     */
    static List<SelfCheck.Result> judged(List<SelfCheck.Result> results, double others, int processors) {
        return processors * (1 - others) < PART_OF_THEM * Math.min(processors, PROCESSORS_WANTED)
                ? results.stream().map(SelfCheck.Result::besideOtherWork).toList()
                : results;
    }

    private List<SelfCheck.Result> check(Kernels kernels, DoubleSupplier others) throws IOException {
        List<SelfCheck.Result> found = SelfCheck.run(kernels, names);
        int processors = Runtime.getRuntime().availableProcessors();
        var results = new ArrayList<>(judged(found, others.getAsDouble(), processors));
        List<String> slow = results.stream()
                .filter(result -> result.verdict() == Condition.SLOW || result.verdict() == Condition.BUSY)
                .map(SelfCheck.Result::name)
                .toList();
        if (!slow.isEmpty() && !once) {
            err().println("doctor: slow in this JVM: " + String.join(", ", slow) + "; trying again in another one");
            Map<String, SelfCheck.Result> again = inJvmOfTheirOwn(slow);
            results.replaceAll(result -> again.getOrDefault(result.name(), result));
        }
        return results;
    }

    private static Duration worked() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static Map<String, SelfCheck.Result> inJvmOfTheirOwn(List<String> kernels) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-Dlemmata.stderr") && !argument.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Lemmata.class.getName()));
        command.addAll(List.of("doctor", "--json", "--once"));
        kernels.forEach(kernel -> command.addAll(List.of("--kernel", kernel)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var results = new LinkedHashMap<String, SelfCheck.Result>();
        for (JsonNode row : new JsonMapper().readTree(process.getInputStream()).path("check")) {
            results.put(
                    row.path("kernel").asText(),
                    new SelfCheck.Result(
                            row.path("kernel").asText(),
                            Condition.valueOf(row.path("verdict").asText().toUpperCase(Locale.ROOT)),
                            row.path("ratio").asDouble(),
                            row.path("minRatio").asDouble(),
                            row.path("maxError").asDouble(),
                            row.path("tolerance").asDouble()));
        }
        return results;
    }

    static int exitCode(List<SelfCheck.Result> results) {
        if (results.stream().allMatch(result -> result.verdict() == Condition.OK)) {
            return ExitCode.CLEAN;
        }
        return results.stream()
                        .allMatch(result -> result.verdict() == Condition.OK || result.verdict() == Condition.BUSY)
                ? ExitCode.INCONCLUSIVE
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
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("kernels", kernels.description());
        report.put("simd", kernels.simd());
        report.putAll(environment(kernels));
        report.put(
                "load",
                String.format(
                        Locale.ROOT,
                        "%.1f in the last minute",
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        report.put("java home", System.getProperty("java.home"));
        report.put("results", ReportInput.BENCHMARKS.toAbsolutePath().toString());
        report.put("claims", ReportInput.CLAIMS.toAbsolutePath().toString());
        return report;
    }
}

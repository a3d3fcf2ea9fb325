package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The machine and JVM of a run. Speeds are compared only if their machines and JVMs agree, or differences are
 * permitted.
 *
 * @param cpu the processor's model, otherwise its architecture, otherwise "unknown"
 * @param cores the number of processors that this JVM may use
 * @param memoryBytes the memory of the machine or container; 0 if unknown
 * @param os the operating system, its version and architecture
 * @param jdk the vendor and the full version of the JDK
 * @param vmFlags the JVM arguments that change speed or results, in order
 * @param simd the vector width in use, as the caller describes it, such as "256 bits" or "none"
 * @param governor the policy for the processor's clock; "unknown" if it is hidden, as in most virtual machines
 */
public record MachineIdentity(
        String cpu,
        int cores,
        long memoryBytes,
        String os,
        String jdk,
        List<String> vmFlags,
        String simd,
        @JsonProperty String governor) {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

    private static final String UNKNOWN = "unknown";

    private static final List<String> FLAGS_THAT_MATTER =
            List.of("-X", "--add-modules", "--enable-preview", "--limit-modules", "-Djdk.incubator.vector");

    public MachineIdentity {
        vmFlags = List.copyOf(vmFlags);
        // Older records have no governor.
        governor = Objects.requireNonNullElse(governor, UNKNOWN);
    }

    /** The identity of this machine and JVM; {@code simd} describes the vectors that the kernels use. */
    public static MachineIdentity current(String simd) {
        return new MachineIdentity(
                cpuModel(lines(CPU_INFO), System.getProperty("os.arch", "")),
                Runtime.getRuntime().availableProcessors(),
                memory(),
                String.join(" ", property("os.name"), property("os.version"), property("os.arch")),
                property("java.vendor") + " " + Runtime.version(),
                flagsThatMatter(ManagementFactory.getRuntimeMXBean().getInputArguments()),
                simd,
                lines(GOVERNOR).stream().findFirst().map(String::strip).orElse(UNKNOWN));
    }

    public MachineIdentity on(String otherJdk) {
        return new MachineIdentity(cpu, cores, memoryBytes, os, otherJdk, List.of(), simd, governor);
    }

    /** The total memory of the machine, or of the container if it limits memory, in bytes; 0 if unknown. */
    public static long memory() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return system == null ? 0 : system.getTotalMemorySize();
    }

    /**
     * The "model name" in /proc/cpuinfo with family, model and stepping, because virtual machines give several
     * generations the same name. If the name is missing, {@code architecture}, or "unknown" if that is blank.
     */
    static String cpuModel(List<String> cpuInfo, String architecture) {
        String name = first(cpuInfo, "model name");
        if (name.isEmpty()) {
            return architecture.isBlank() ? UNKNOWN : architecture;
        }
        String family = first(cpuInfo, "cpu family");
        return family.isEmpty()
                ? name
                : name + " (family " + family + ", model " + first(cpuInfo, "model") + ", stepping "
                        + first(cpuInfo, "stepping") + ")";
    }

    private static String first(List<String> cpuInfo, String name) {
        return cpuInfo.stream()
                .filter(line -> line.indexOf(':') > 0)
                .filter(line -> line.substring(0, line.indexOf(':')).strip().equals(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip().replaceAll("\\s+", " "))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The JVM arguments that change speed or results. Agents and user properties do not count. */
    static List<String> flagsThatMatter(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> FLAGS_THAT_MATTER.stream().anyMatch(argument::startsWith))
                .filter(argument -> !argument.matches("-Xrun.*|-Xlog.*|-XX:AOT.*"))
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String property(String name) {
        return System.getProperty(name, UNKNOWN);
    }
}

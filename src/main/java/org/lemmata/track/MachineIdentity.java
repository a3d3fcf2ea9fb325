package org.lemmata.track;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What tells the machine and the JVM of a run apart from others: figures of speed compare only where these agree.
 *
 * @param cpu the processor's model, or its architecture where the system does not name it, or "unknown"
 * @param cores the processors that this JVM may use
 * @param memoryBytes the memory that this JVM may see, 0 where unknown
 * @param os the operating system, its version and architecture
 * @param jdk the vendor and the full version of the JDK
 * @param vmFlags the arguments of the JVM that change speed or results, in their order
 * @param simd the vector width really used, in the caller's words: "256 bits", "none"
 */
public record MachineIdentity(
        String cpu, int cores, long memoryBytes, String os, String jdk, List<String> vmFlags, String simd) {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private static final List<String> FLAGS_THAT_MATTER =
            List.of("-X", "--add-modules", "--enable-preview", "--limit-modules", "-Djdk.incubator.vector");

    public MachineIdentity {
        vmFlags = List.copyOf(vmFlags);
    }

    /** The identity of this machine and JVM; {@code simd} says in words what the kernels use. */
    public static MachineIdentity current(String simd) {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new MachineIdentity(
                cpuModel(cpuInfo(), System.getProperty("os.arch", "")),
                Runtime.getRuntime().availableProcessors(),
                system == null ? 0 : system.getTotalMemorySize(),
                String.join(" ", property("os.name"), property("os.version"), property("os.arch")),
                property("java.vendor") + " " + Runtime.version(),
                flagsThatMatter(ManagementFactory.getRuntimeMXBean().getInputArguments()),
                simd);
    }

    /** The first "model name" of /proc/cpuinfo; else {@code architecture}; else "unknown". */
    static String cpuModel(List<String> cpuInfo, String architecture) {
        for (String line : cpuInfo) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals("model name")) {
                String model = line.substring(colon + 1).strip().replaceAll("\\s+", " ");
                if (!model.isEmpty()) {
                    return model;
                }
            }
        }
        return architecture.isBlank() ? "unknown" : architecture;
    }

    /** Those of a JVM's arguments that change its speed or its results: no agents, no properties of the user. */
    static List<String> flagsThatMatter(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> FLAGS_THAT_MATTER.stream().anyMatch(argument::startsWith))
                .filter(argument -> !argument.startsWith("-Xrun"))
                .toList();
    }

    private static List<String> cpuInfo() {
        try {
            return Files.readAllLines(CPU_INFO, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}

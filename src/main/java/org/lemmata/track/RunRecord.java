package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;

/**
 * A JSON file next to results that names the code, the machine and the time of the run, which results do not contain.
 *
 * @param commit the hash of the code's commit, with "-dirty" if files had changed; "unknown" if there is none
 * @param time when the run began
 * @param seeds the random seeds; empty, because benchmarks draw nothing
 * @param machine the machine and the JVM
 * @param session how the forks of benchmarks were run; null for other runs
 */
public record RunRecord(
        String commit,
        @JsonSerialize(using = ToStringSerializer.class) Instant time,
        List<Long> seeds,
        MachineIdentity machine,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BenchmarkSession session) {

    private static final String SOURCES = "src/main/java/org/lemmata";

    private static final String EXPECTED = "a run record (JSON with commit, time, seeds, machine)";

    /**
     * The record of a run of this program that begins now on this machine, with the commit of its checkout, or else of
     * its build.
     *
     * @param simd the vectors that the kernels use, as in {@link MachineIdentity#current}
     */
    public static RunRecord now(String simd) {
        String built = GitCommit.built();
        String commit =
                checkout().map(GitCommit::of).orElse(built.isEmpty() ? GitCommit.UNKNOWN : built.split(" ", 2)[0]);
        return at(commit, MachineIdentity.current(simd));
    }

    /** The directory that contains the jar, or the classes, of the running code. */
    public static Path codeDirectory() {
        try {
            Path code = onClassPath(Path.of(RunRecord.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
            return Files.isDirectory(code) ? code : Objects.requireNonNullElse(code.getParent(), code);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of the running code", e);
        }
    }

    /** The location of code on the class path. In a moved checkout, the JVM's cache (AOTCache) has an old location. */
    private static Path onClassPath(Path code) {
        List<Path> entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> real(Path.of(entry)))
                .toList();
        if (entries.contains(code)) {
            return code;
        }
        return entries.stream()
                .filter(entry -> Objects.equals(entry.getFileName(), code.getFileName()))
                .findFirst()
                .orElse(code);
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    /**
     * The root of the Lemmata checkout that contains the running code. Empty outside a checkout, for example for an
     * archive that was unpacked in a checkout of another project.
     */
    public static Optional<Path> checkout() {
        for (Path at = codeDirectory(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git")) && Files.exists(at.resolve(SOURCES))) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** The record of a run that begins now, for the code in {@code directory}. */
    public static RunRecord now(Path directory, MachineIdentity machine) {
        return at(GitCommit.of(directory), machine);
    }

    private static RunRecord at(String commit, MachineIdentity machine) {
        return new RunRecord(commit, Instant.now().truncatedTo(ChronoUnit.SECONDS), List.of(), machine, null);
    }

    /** A copy with the data of the forks. Its time is that of the first fork, possibly before the run was resumed. */
    public RunRecord withSession(BenchmarkSession forks) {
        Instant began = forks.forks().stream()
                .map(ForkRun::start)
                .min(Comparator.naturalOrder())
                .map(start -> start.truncatedTo(ChronoUnit.SECONDS))
                .orElse(time);
        return new RunRecord(commit, began, seeds, machine, forks);
    }

    /** The file for the record of results: {@code latest.run.json} for {@code latest.json}. */
    public static Path beside(Path results) {
        Path name = results.getFileName();
        String file = name == null ? "" : name.toString();
        String stem = file.endsWith(".json") ? file.substring(0, file.length() - ".json".length()) : file;
        return results.resolveSibling(stem + ".run.json");
    }

    public void write(Path file) throws IOException {
        AtomicFile.write(file, Json.indented(this) + "\n");
    }

    /**
     * Reads a record that {@link #write} wrote.
     *
     * @throws IOException if the file is missing or malformed; the message names file, place and what was expected
     */
    public static RunRecord read(Path file) throws IOException {
        return JsonValue.read(file, EXPECTED).as(RunRecord.class);
    }

    /** Commit, time and machine as values by name, sorted. */
    public Map<String, String> environment() {
        var environment = new TreeMap<String, String>();
        environment.put("commit", commit);
        environment.put("time", time.toString());
        environment.put("cpu", machine.cpu());
        environment.put("cores", Integer.toString(machine.cores()));
        long bytes = machine.memoryBytes();
        environment.put(
                "memory", bytes == 0 ? "unknown" : Math.max(1, Math.round(bytes / (double) (1L << 30))) + " GiB");
        environment.put("os", machine.os());
        environment.put("jdk", machine.jdk());
        environment.put("flags", machine.vmFlags().isEmpty() ? "none" : String.join(" ", machine.vmFlags()));
        environment.put("simd", machine.simd());
        environment.put("governor", machine.governor());
        return environment;
    }
}

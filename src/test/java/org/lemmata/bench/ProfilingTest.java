package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilingTest {

    @TempDir
    private Path directory;

    /** A jar of benchmarks whose manifest names a library with these files. */
    private BenchmarkJar jar(String... files) throws IOException {
        Path lib = Files.createDirectories(directory.resolve("lib"));
        try (var library = new JarOutputStream(Files.newOutputStream(lib.resolve("async-profiler.jar")))) {
            for (String file : files) {
                library.putNextEntry(new JarEntry(file));
                library.write(file.getBytes(StandardCharsets.UTF_8));
            }
        }
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/async-profiler.jar");
        Path file = directory.resolve("benchmarks.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new JarEntry(BenchmarkList.FILE));
        }
        return BenchmarkJar.open(file);
    }

    private List<String> options(BenchmarkJar jar, String text) throws IOException {
        return Profiling.withLocations(JmhArguments.parse(JmhArguments.words(text)), jar, directory.resolve("unpacked"))
                .options();
    }

    @Test
    void profilersBetweenCommasAreSeveral() throws IOException {
        assertThat(options(
                        jar("linux-x64/libasyncProfiler.so", "linux-arm64/libasyncProfiler.so"), "-prof jfr,gc -wi 1"))
                .containsExactly("-prof", "jfr:dir=target/profiles", "-prof", "gc", "-wi", "1");
        assertThat(options(jar(), "-prof perfasm:events=cycles,instructions"))
                .as("commas among the settings of one")
                .containsExactly("-prof", "perfasm:events=cycles,instructions");
    }

    @Test
    void asyncProfilerIsUnpackedFromItsJar() throws IOException {
        BenchmarkJar jar =
                jar("linux-x64/libasyncProfiler.so", "linux-arm64/libasyncProfiler.so", "macos/libasyncProfiler.so");
        Path library = directory.resolve("unpacked/libasyncProfiler.so");
        for (int run = 0; run < 2; run++) {
            assertThat(options(jar, "Softmax -prof async -wi 1"))
                    .containsExactly(
                            "-prof", "async:libPath=" + library + ";output=flamegraph;dir=target/profiles", "-wi", "1");
            String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
            String linux = "linux-" + cpu + "/libasyncProfiler.so";
            assertThat(library)
                    .hasContent(System.getProperty("os.name").contains("Mac") ? "macos/libasyncProfiler.so" : linux);
        }
    }

    @Test
    void profilersWithSettingsAndOthersStayAsTheyAre() throws IOException {
        assertThat(options(
                        jar(), "-prof jfr -prof gc -prof perfasm -prof async:output=text -prof jfr:dir=x -p prof=jfr"))
                .containsExactly(
                        "-prof",
                        "jfr:dir=target/profiles",
                        "-prof",
                        "gc",
                        "-prof",
                        "perfasm:events=cpu-clock",
                        "-prof",
                        "async:output=text",
                        "-prof",
                        "jfr:dir=x",
                        "-p",
                        "prof=jfr");
        assertThat(directory.resolve("unpacked")).doesNotExist();
    }

    @Test
    void refusesAMachineThatAsyncProfilerHasNoLibraryFor() throws IOException {
        BenchmarkJar jar = jar("plan9/libasyncProfiler.so");
        assertThatThrownBy(() -> options(jar, "-prof async"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("-prof async: expected ")
                .hasMessageEndingWith(" on " + System.getProperty("os.arch"));
    }
}

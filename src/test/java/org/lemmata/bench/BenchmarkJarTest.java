package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkJarTest extends StandInFixture {

    @TempDir
    private Path directory;

    @Test
    void listsEveryCombinationOnce() throws IOException {
        assertThat(jmh.cells("fast|modes"))
                .extracting(BenchmarkCell::shortKey)
                .containsExactly("Bench.fast n=1", "Bench.fast n=2", "Bench.modes");
        assertThat(jmh.cells("fast", "-p", "n=3,4,5", "-wi", "1", "-f", "7"))
                .allSatisfy(cell -> {
                    assertThat(cell.options()).containsExactly("-wi", "1");
                    assertThat(cell.forks()).isEqualTo(7);
                })
                .hasSize(3);
        assertThatThrownBy(() -> jmh.cells("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing, which match none of");
        assertThatThrownBy(() -> jmh.cells("-bad", "1")).hasMessage("JMH: bad is not a recognized option");
    }

    @Test
    void refusesValuesWithACommaBeforeTheyRun() throws IOException {
        // Two values by the annotations: "1" and "2, 3", or "1,2" and "3".
        jmh.give("1, 2, 3");
        assertRefused(
                () -> jmh.cells("fast"),
                "n of demo.Bench.fast: expected values without a comma, got 1, 2, 3; set others with -p");
        jmh.give("1,2, 3");
        assertThatThrownBy(() -> jmh.cells("fast")).hasMessageContaining("got 1,2, 3;");
        assertThat(jmh.cells("fast", "-p", "n=1,2,3")).hasSize(3);
        jmh.give("1, 2");
    }

    @Test
    void librariesOfTheManifestAreHashed() throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "plain.jar my%20lib.jar [odd].jar");
        Path file = directory.resolve("benchmarks.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new JarEntry(BenchmarkList.FILE));
        }
        BenchmarkJar jar = BenchmarkJar.open(file);
        var hashes = new HashSet<>(List.of(jar.hash()));
        for (String name : List.of("plain.jar", "my lib.jar", "[odd].jar")) {
            Files.copy(jmh.jar().file(), directory.resolve(name));
            assertThat(hashes.add(jar.hash())).as(name).isTrue();
        }
    }

    /** Their results would be refused, but only after the last fork. */
    @Test
    void jmhBefore121IsRefused() throws IOException {
        for (String old : new String[] {"1.9", "1.16", "1.20"}) {
            StandInJmh of = jmh.of(old);
            assertThatThrownBy(() -> of.cells("fast"))
                    .hasMessage(of.jar().file() + ": expected JMH 1.21 or newer, got " + old);
        }
        assertThat(jmh.of("1.21").cells("fast")).hasSize(2);
    }

    @Test
    void aJarOfOtherPeopleGetsItsOwnersJvmWithoutOptions() throws IOException {
        assertThat(jmh.jar().command("Main", List.of()))
                .containsExactly(
                        jmh.jar().jvm().java().toString(),
                        "-cp",
                        jmh.jar().file() + ":" + jmh.jar().file().resolveSibling("peers-lib") + "/*",
                        "Main");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        BenchmarkJar named = jmh.jar().onJvmOf(JmhArguments.parse(List.of("-jvm", java.toString())));
        assertThat(named.runsOn()).isEqualTo(System.getProperty("java.vendor") + " " + Runtime.version() + ", " + java);
        assertThat(named.record(JmhArguments.parse(List.of())).machine().vmFlags())
                .isEmpty();
        assertThatThrownBy(() -> jmh.jar().onJvmOf(JmhArguments.parse(List.of("-jvm", "/bin/echo"))))
                .hasMessage("/bin/echo: expected a JVM of version 17 or newer, got -XshowSettings:properties -version");
        Path old = Files.writeString(directory.resolve("java"), """
            #!/bin/sh
            echo 'Property settings:'
            echo '    java.runtime.version = 11.0.2+9'
            echo '    java.vendor = A vendor'
            """);
        assertThat(old.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> ForkJvm.of(old))
                .hasMessage(old + ": expected a JVM of version 17 or newer, got 11.0.2+9");
    }
}

package org.lemmata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line, with executors that are processes of their own. */
class LocalClusterTest {

    @TempDir
    private Path directory;

    @Test
    void trainsToTheBitsOfTheLocalEngine() throws Exception {
        Path file = Files.writeString(directory.resolve("sweep-file.yaml"), SparkEngineTest.TRAINING);
        Path local = directory.resolve("local");
        Path cluster = directory.resolve("cluster");
        assertThat(lemmata("sweep", file.toString(), "--out", local.toString())).isEmpty();
        assertThat(lemmata(
                        "sweep",
                        file.toString(),
                        "--out",
                        cluster.toString(),
                        "--engine",
                        "spark",
                        "--engine-option",
                        "master=local-cluster[2,1,1024]"))
                .as("what Spark says to someone who did not ask")
                .isEmpty();

        assertThat(Sweeps.results(cluster)).hasSize(4).isEqualTo(Sweeps.results(local));
        assertThat(Sweeps.records(cluster))
                .allSatisfy(record ->
                        assertThat(record.run().environment().get("simd")).startsWith("SIMD"));
    }

    /** Runs bin/lemmata, which has to succeed; returns its standard error without the lines of progress. */
    private List<String> lemmata(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("bin/lemmata"));
        command.addAll(List.of(arguments));
        Path errors = directory.resolve("errors.txt");
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int code = builder.start().waitFor();
        List<String> lines = Files.readAllLines(errors);
        assertThat(code).as("exit code; %s", lines).isZero();
        return lines.stream().filter(line -> !line.startsWith("sweep: ")).toList();
    }
}

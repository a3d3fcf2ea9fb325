package org.lemmata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.softmax.ScalarSoftmax;
import org.lemmata.kernel.softmax.VectorSoftmax;

class KernelsTest {

    @Test
    void theBestAreOnLanesInThisBuild() {
        Kernels best = Kernels.best();
        assertThat(best.simd()).isTrue();
        assertThat(best.matMul()).isInstanceOf(VectorMatMul.class);
        assertThat(best.softmax()).isInstanceOf(VectorSoftmax.class);
        int bits = Species.FLOAT.vectorBitSize();
        assertThat(best.description()).isEqualTo("SIMD, " + bits + "-bit species (" + bits / 32 + " lanes)");
    }

    @Test
    void scalarsAreScalar() {
        Kernels scalar = Kernels.scalar();
        assertThat(scalar.simd()).isFalse();
        assertThat(scalar.matMul()).isInstanceOf(ScalarMatMul.class);
        assertThat(scalar.softmax()).isInstanceOf(ScalarSoftmax.class);
    }

    @Test
    void withoutTheVectorApiEverythingRunsScalarAndSaysSo() throws IOException, InterruptedException {
        String output = probe(List.of("-Xlog:class+load"), "check");
        assertThat(output.lines())
                .contains(
                        "product 6.0",
                        "softmax 0.5",
                        "scalar: start the JVM with --add-modules jdk.incubator.vector",
                        "wrong: []",
                        KernelsProbe.activations(Kernels.best()));
        assertThat(output).contains("org.lemmata.kernel.matmul.ScalarMatMul");
        assertThat(output.lines().filter(line -> line.matches(".*org\\.lemmata\\.kernel\\.\\S*(Vector|Species).*")))
                .as("classes that need the Vector API")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"128, 4", "256, 8", "512, 16"})
    void theWidthCanBeFixed(int bits, int lanes) throws IOException, InterruptedException {
        assertThat(probe("--add-modules", "jdk.incubator.vector", "-D" + Species.PROPERTY + "=" + bits)
                        .lines())
                .contains("product 6.0", "softmax 0.5")
                .anyMatch(line -> line.startsWith("SIMD, " + bits + "-bit species (" + lanes + " lanes)"));
    }

    /** Like 512 bits on a machine with 256: the child JVM is limited to 128. The build's other JVMs never do this. */
    @Test
    void aWidthThatTheMachineLacksIsRightAndSaysThatItIsSlow() throws IOException, InterruptedException {
        assertThat(probe(
                                List.of(
                                        "--add-modules",
                                        "jdk.incubator.vector",
                                        "-XX:+IgnoreUnrecognizedVMOptions",
                                        "-XX:UseAVX=1",
                                        "-D" + Species.PROPERTY + "=512"),
                                "check")
                        .lines())
                .contains(
                        "SIMD, 512-bit species (16 lanes), which this JVM has no registers for: right, and very slow",
                        "wrong: []");
    }

    @Test
    void aBadWidthIsRefused() throws IOException, InterruptedException {
        assertThat(probe("--add-modules", "jdk.incubator.vector", "-D" + Species.PROPERTY + "=100")
                        .lines())
                .containsSequence(
                        "refused: lemmata.simd.bits: expected 128, 256 or 512, got '100'",
                        "refused: lemmata.simd.bits: expected 128, 256 or 512, got '100'");
    }

    /** The output of a child JVM with these options. */
    private static String probe(String... options) throws IOException, InterruptedException {
        return probe(List.of(options));
    }

    private static String probe(List<String> options, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), KernelsProbe.class.getName()));
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as("exit code; output: %s", output).isZero();
        return output;
    }
}

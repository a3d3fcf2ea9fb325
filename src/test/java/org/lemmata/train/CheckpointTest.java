package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertMalformed;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {

    private static final String LEFTOVER = ".checkpoint-7.safetensors.0f0e0d0c-0b0a-0908-0706-050403020100.part";

    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private static Checkpoint checkpoint(long step) {
        return new Checkpoint(step, new TreeMap<>(Map.of("examples", "step " + step)), Map.of("weights", new float[] {
            step, -0f, Float.intBitsToFloat(0x7F80_0001), Float.intBitsToFloat(0xFFC1_2345)
        }));
    }

    private void writeAll(long... steps) throws IOException {
        for (long step : steps) {
            Checkpoint.write(directory, checkpoint(step));
        }
    }

    private void assertLatest(long step) throws IOException {
        Checkpoint read = Checkpoint.readLatest(directory, warnings::add).orElseThrow();
        assertSame(read, checkpoint(step));
    }

    private static void assertSame(Checkpoint read, Checkpoint written) {
        assertThat(read.step()).isEqualTo(written.step());
        assertThat(read.state()).isEqualTo(written.state());
        assertThat(List.copyOf(read.arrays().keySet()))
                .isEqualTo(List.copyOf(written.arrays().keySet()));
        read.arrays().forEach((name, values) -> {
            float[] expected = Objects.requireNonNull(written.arrays().get(name));
            assertThat(bits(values)).as(name).isEqualTo(bits(expected));
        });
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void everyBitComesBack() throws IOException {
        var random = new Random(5);
        float[] great = new float[600_001];
        for (int i = 0; i < great.length; i++) {
            great[i] = Float.intBitsToFloat(random.nextInt());
        }
        var arrays = new LinkedHashMap<String, float[]>();
        arrays.put("weights", great);
        arrays.put("first moment", new float[0]);
        arrays.put("a", new float[] {Float.intBitsToFloat(0xFF80_0001)});
        var state = new TreeMap<String, String>();
        state.put("", "empty key");
        state.put("crc32c", "");
        state.put("step", "ü\n\"\\\u0000 \ud83d\ude00 \ud83d");
        state.put("generator", Long.toString(Long.MIN_VALUE));
        var written = new Checkpoint(Integer.MAX_VALUE + 1L, state, arrays);
        Checkpoint.write(directory, written);
        assertSame(Checkpoint.readLatest(directory, warnings::add).orElseThrow(), written);
        assertThat(warnings).isEmpty();
    }

    @Test
    void theNewestTwoAreKept() throws IOException {
        writeAll(2, 9, 10, 100);
        assertThat(names()).containsExactly("checkpoint-10.safetensors", "checkpoint-100.safetensors");
        writeAll(100);
        assertThat(names()).containsExactly("checkpoint-10.safetensors", "checkpoint-100.safetensors");
        assertLatest(100);
        assertThat(warnings).isEmpty();
    }

    @Test
    void whereNoneIsNoneIsRead() throws IOException {
        assertThat(Checkpoint.readLatest(directory, warnings::add)).isEmpty();
        assertThat(Checkpoint.readLatest(directory.resolve("none"), warnings::add))
                .isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void aCutFileIsRefusedAndTheOneBeforeItUsed() throws IOException {
        writeAll(10, 20);
        Path newest = Checkpoint.file(directory, 20);
        byte[] whole = Files.readAllBytes(newest);
        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));
            assertRefusedInOneLine(newest);
        }
        Files.write(newest, Arrays.copyOf(whole, whole.length + 3));
        assertRefusedInOneLine(newest);
        Files.write(newest, whole);
        assertLatest(20);
        assertThat(warnings).isEmpty();
    }

    @Tag("long")
    @Test
    void anAlteredByteAnywhereIsNoticed() throws IOException {
        writeAll(10, 20);
        Path newest = Checkpoint.file(directory, 20);
        byte[] whole = Files.readAllBytes(newest);
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int at = 0; at < whole.length; at++) {
            for (int change : new int[] {1, 0x20, 0x80, 1 + random.nextInt(255)}) {
                byte[] altered = whole.clone();
                altered[at] ^= (byte) change;
                Files.write(newest, altered);
                assertRefusedInOneLine(newest);
            }
        }
        for (int i = 0; i < 500; i++) {
            byte[] altered = whole.clone();
            int from = random.nextInt(whole.length);
            int to = from + 1 + random.nextInt(whole.length - from);
            for (int at = from; at < to; at++) {
                altered[at] = i % 2 == 0 ? 0 : (byte) random.nextInt();
            }
            if (!Arrays.equals(altered, whole)) {
                Files.write(newest, altered);
                assertRefusedInOneLine(newest);
            }
        }
    }

    private void assertRefusedInOneLine(Path file) throws IOException {
        assertLatest(10);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.getFirst())
                .startsWith(file + ": ")
                .containsPattern("expected .* got |not a safetensors file .starts with ")
                .doesNotContain("\n");
        warnings.clear();
    }

    @Test
    void aFileUnderTheNameOfAnotherStepIsRefused() throws IOException {
        writeAll(10, 20);
        Path moved = Checkpoint.file(directory, 30);
        Files.copy(Checkpoint.file(directory, 10), moved);
        assertLatest(20);
        assertThat(warnings).containsExactly(moved + ": header: __metadata__.step: expected '30', got '10'");
    }

    @Test
    void somethingElseUnderTheNameOfACheckpointIsRefused() throws IOException {
        writeAll(10);
        Path other = Files.createDirectory(Checkpoint.file(directory, 20));
        assertLatest(10);
        assertThat(warnings).containsExactly(other + ": expected a safetensors file, got a directory");
    }

    @Test
    void aDamagedCheckpointPushesOutNoWholeOne() throws IOException {
        writeAll(10, 20);
        Files.write(Checkpoint.file(directory, 20), new byte[100]);
        writeAll(30);
        assertThat(names()).containsExactly("checkpoint-10.safetensors", "checkpoint-30.safetensors");
    }

    @Test
    void laterCheckpointsOfARunThatIsReplacedGo() throws IOException {
        writeAll(10, 20, 30, 25);
        assertThat(names()).containsExactly("checkpoint-20.safetensors", "checkpoint-25.safetensors");
    }

    @Test
    void noWholeOneAmongSomeIsNoBeginning() throws IOException {
        writeAll(1, 2);
        for (String name : names()) {
            Files.write(directory.resolve(name), new byte[] {1, 2, 3});
        }
        assertMalformed(
                () -> Checkpoint.readLatest(directory, warnings::add),
                directory + ": expected an intact checkpoint to resume from, got none among 2");
        assertThat(warnings).hasSize(2);
        assertThat(names()).hasSize(2);
    }

    @Test
    void leftoversOfKilledWritersGoAndNothingElse() throws IOException {
        List<String> others = List.of(
                ".checkpoint-7.safetensors.part",
                ".curve.jsonl.0f0e0d0c-0b0a-0908-0706-050403020100.part",
                "checkpoint-07.safetensors",
                "checkpoint-7.safetensors.bak",
                "curve.jsonl");
        for (String name : others) {
            Files.writeString(directory.resolve(name), "text");
        }
        Files.writeString(directory.resolve(LEFTOVER), "half");
        assertThat(Checkpoint.readLatest(directory, warnings::add)).isEmpty();
        assertThat(names()).containsExactlyInAnyOrderElementsOf(others);
        assertThat(warnings).isEmpty();
        Files.writeString(directory.resolve(LEFTOVER), "half");
        writeAll(1);
        assertThat(names())
                .contains("checkpoint-1.safetensors")
                .doesNotContain(LEFTOVER)
                .hasSize(others.size() + 1);
    }

    @Test
    void negativeStepsAreRefused() {
        assertRefused(() -> checkpoint(-1), "step: expected at least 0, got -1");
    }
}

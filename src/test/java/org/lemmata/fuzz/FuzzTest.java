package org.lemmata.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.track.JmhResults;

/** The fuzzer's seeds, the faults that it once found, and its parts. */
class FuzzTest {

    @TempDir
    private Path directory = Path.of("");

    private @Nullable String fault(Callable<?> reading) {
        try {
            reading.call();
            return null;
        } catch (Throwable e) {
            return Fuzzer.fault(e, 0, directory).orElse("rejected");
        }
    }

    private @Nullable String fault(Readers reader, byte[] input) {
        return fault(() -> {
            reader.read(directory, input);
            return "";
        });
    }

    @ParameterizedTest
    @EnumSource
    void acceptsTheSeedsAndRejectsWhatWasAFault(Readers reader) {
        assertThat(reader.seeds())
                .isNotEmpty()
                .allSatisfy(seed -> assertThat(fault(reader, seed)).isNull());
        assertThat(reader.rejected())
                .allSatisfy(input -> assertThat(fault(reader, input)).isEqualTo("rejected"));
    }

    @Test
    void tellsFaultsFromRefusals() {
        assertThat(fault(() -> List.of().getFirst())).startsWith("java.util.NoSuchElementException");
        assertThat(fault(() -> Integer.parseInt("x"))).startsWith("java.lang.NumberFormatException");
        assertThat(fault(() -> {
                    throw new IOException("two\nlines");
                }))
                .startsWith("a message of several lines");
        String file = directory + "/a.json: ";
        assertThat(fault(() -> {
                    throw new IOException(file + "/x".repeat(250));
                }))
                .startsWith("a long message");
        assertThat(fault(() -> {
                    throw new IOException(file + "x".repeat(490));
                }))
                .isEqualTo("rejected");
        assertThat(fault(() -> {
                    throw new IllegalArgumentException("n: expected 1, got 2");
                }))
                .isEqualTo("rejected");
        assertThat(Fuzzer.fault(null, 11_000_000_000L, directory)).hasValue("more than 10 s");
    }

    /** An accepted input runs more blocks than an input that is rejected early. */
    @Test
    void countsTheBlocksThatAnInputRuns() throws Exception {
        Set<Integer> rejected = blocks("[{}]");
        Set<Integer> accepted = blocks(new String(Readers.JMH.seeds().getFirst(), UTF_8));
        assertThat(rejected).isNotEmpty();
        assertThat(accepted).hasSizeGreaterThan(rejected.size() + 20);
    }

    private Set<Integer> blocks(String json) throws Exception {
        var classes = new ProbedClasses();
        boolean[] own = classes.blocksOf(List.of("track.JmhResults"));
        Class<?> probed = classes.loadClass(JmhResults.class.getName());
        assertThat(probed).isNotEqualTo(JmhResults.class);
        Path file = Files.writeString(directory.resolve("jmh.json"), json);
        fault(() -> probed.getMethod("read", Path.class).invoke(null, file));
        var field = classes.loadClass(BlockCounts.class.getName()).getDeclaredField("COUNTS");
        field.setAccessible(true);
        byte[] counts = (byte[]) field.get(null);
        var ran = new TreeSet<Integer>();
        IntStream.range(0, own.length).filter(i -> own[i] && counts[i] > 0).forEach(ran::add);
        return ran;
    }

    @Test
    void mutatesInputsButNotInPlace() {
        byte[] seed = "{\"a\": 1}\n".getBytes(UTF_8);
        List<byte[]> inputs = List.of(seed.clone());
        var mutator = new Mutator(inputs, 1);
        var seen = new TreeSet<Integer>();
        for (int i = 0; i < 1000; i++) {
            byte[] mutated = mutator.mutated(inputs);
            assertThat(mutated.length).isLessThanOrEqualTo(1 << 14);
            seen.add(Arrays.hashCode(mutated));
        }
        assertThat(inputs.getFirst()).isEqualTo(seed);
        assertThat(seen).hasSizeGreaterThan(300);
    }
}

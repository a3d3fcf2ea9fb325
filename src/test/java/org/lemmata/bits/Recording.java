package org.lemmata.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * Names of results with the hashes of their bits, against those recorded under src/test/resources/org/lemmata/bits:
 * {@code scalar.txt}, and a file for each lane width.
 *
 * <p>A change that means to leave all numbers alone leaves these tests green. One that means to change some is recorded
 * anew, at each width, and its diff shows which:
 *
 * <pre>
 * for bits in 128 256 512; do
 *   mvn test -Dtest='*BitsTest' -DexcludedGroups=exhaustive -Dlemmata.simd.bits=$bits -Dlemmata.bits.record=true
 * done
 * </pre>
 *
 * <p>The hashes are those of x86-64, of any processor: logarithms and exponentials of {@link Math}, which losses and
 * scalar kernels take, may have other last bits on other architectures, where nothing is compared.
 */
final class Recording implements AutoCloseable {

    private static final String RECORD = "lemmata.bits.record";

    private static final Path DIRECTORY = Path.of("src/test/resources/org/lemmata/bits");

    private static final String SCALAR = "scalar.txt";

    private static final String LANES = Species.FLOAT.vectorBitSize() + ".txt";

    private static final String SEPARATOR = "\t";

    /** An operation, on the kernels that it is given; it adds what it computes. */
    @FunctionalInterface
    interface Operation {
        void run(Kernels kernels, Bits bits) throws IOException;
    }

    /** Entries of a test. */
    @FunctionalInterface
    interface Entries {
        void record(Recording recording) throws IOException;
    }

    private final String part;
    private final Workers two = Workers.of(2);
    private final Kernels scalarKernels = Kernels.scalar();
    private final Kernels lanes = Kernels.best();
    private final Kernels lanesOfTwo = Kernels.best(two);
    private final Map<String, String> scalarHashes = new TreeMap<>();
    private final Map<String, String> laneHashes = new TreeMap<>();

    private Recording(String part) {
        this.part = part;
    }

    /**
     * Makes the entries and compares them with the record, or records them.
     *
     * @param part the first word of their names, which no other test has
     */
    static void check(String part, Entries entries) throws IOException {
        String architecture = System.getProperty("os.arch");
        assumeTrue(List.of("amd64", "x86_64").contains(architecture), "recorded on x86-64, not on " + architecture);
        try (var recording = new Recording(part)) {
            entries.record(recording);
            if (Boolean.getBoolean(RECORD)) {
                recording.write(SCALAR, recording.scalarHashes);
                recording.write(LANES, recording.laneHashes);
            } else {
                List<String> differences = new ArrayList<>();
                recording.compare(SCALAR, recording.scalarHashes, differences);
                recording.compare(LANES, recording.laneHashes, differences);
                assertThat(differences)
                        .as("results whose bits are not as recorded")
                        .isEmpty();
            }
        }
    }

    /** An operation scalar, on lanes, and on lanes with two threads, which have the same bits. */
    void each(String name, Operation operation) throws IOException {
        scalar(name, operation);
        lanes(name, operation);
    }

    void scalar(String name, Operation operation) throws IOException {
        put(scalarHashes, name + ", scalar", hash(operation, scalarKernels));
    }

    void lanes(String name, Operation operation) throws IOException {
        String one = hash(operation, lanes);
        String other = hash(operation, lanesOfTwo);
        put(laneHashes, name + ", lanes", one.equals(other) ? one : one + ", with two threads " + other);
    }

    /** What takes its kernels by itself. */
    void add(String name, Bits bits) {
        put(laneHashes, name, bits.hash());
    }

    private static String hash(Operation operation, Kernels kernels) throws IOException {
        var bits = new Bits();
        operation.run(kernels, bits);
        return bits.hash();
    }

    private void put(Map<String, String> hashes, String name, String hash) {
        if (hashes.put(part + ": " + name, hash) != null) {
            throw new IllegalStateException("the name is there twice: " + name);
        }
    }

    private void compare(String file, Map<String, String> now, List<String> differences) throws IOException {
        Map<String, String> recorded = read(file);
        recorded.keySet().removeIf(name -> !isOfPart(name));
        now.forEach((name, hash) -> {
            String expected = recorded.remove(name);
            if (!hash.equals(expected)) {
                differences.add(name + ": expected " + (expected == null ? "none" : expected) + ", got " + hash);
            }
        });
        recorded.forEach((name, hash) -> differences.add(name + ": expected " + hash + ", got none"));
    }

    private void write(String file, Map<String, String> now) throws IOException {
        Map<String, String> all = read(file);
        all.keySet().removeIf(this::isOfPart);
        all.putAll(now);
        Files.createDirectories(DIRECTORY);
        Files.write(
                DIRECTORY.resolve(file),
                all.entrySet().stream()
                        .map(entry -> entry.getKey() + SEPARATOR + entry.getValue())
                        .toList());
    }

    private boolean isOfPart(String name) {
        return name.startsWith(part + ": ");
    }

    private static Map<String, String> read(String file) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        Path path = DIRECTORY.resolve(file);
        for (String line : Files.exists(path) ? Files.readAllLines(path) : List.<String>of()) {
            int end = line.lastIndexOf(SEPARATOR);
            hashes.put(line.substring(0, end), line.substring(end + 1));
        }
        return hashes;
    }

    @Override
    public void close() {
        two.close();
    }
}

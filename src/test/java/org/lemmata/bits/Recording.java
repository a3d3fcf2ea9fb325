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
 * Compares the hashes of results' bits with those recorded under src/test/resources/org/lemmata/bits:
 * {@code scalar.txt}, and a file for each lane width.
 *
 * <p>If a change must not alter numbers, these tests must pass. If it alters some on purpose, record the hashes anew at
 * each width; the diff names the altered results:
 *
 * <pre>
 * for bits in 128 256 512; do
 *   mvn test -Dtest='*BitsTest' -DexcludedGroups=exhaustive -Dlemmata.simd.bits=$bits -Dlemmata.bits.record=true
 * done
 * </pre>
 *
 * <p>The hashes are valid for all x86-64 processors. On other architectures nothing is compared, because logarithms and
 * exponentials of {@link Math}, which losses and scalar kernels use, may have other last bits.
 */
final class Recording implements AutoCloseable {

    private static final String RECORD = "lemmata.bits.record";

    private static final Path DIRECTORY = Path.of("src/test/resources/org/lemmata/bits");

    private static final String SCALAR = "scalar.txt";

    private static final String LANES = Species.FLOAT.vectorBitSize() + ".txt";

    private static final String SEPARATOR = "\t";

    /** Runs an operation with kernels, and adds its results. */
    @FunctionalInterface
    interface Operation {
        void run(Kernels kernels, Bits bits) throws IOException;
    }

    /** Adds all entries of a test. */
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
     * Computes the entries, and compares them with the record or writes them to it.
     *
     * @param part the first word of their names, unique to each test
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

    /** Hashes an operation on scalar and on SIMD kernels; with two threads, the bits must be the same. */
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

    /** Adds results that do not use the kernels of this recording. */
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

package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord.Status;

class EvidenceTest {

    @TempDir
    private Path directory;

    private Evidence evidence;

    @BeforeEach
    void open() {
        evidence = new Evidence(directory.resolve("evidence"));
    }

    /** The sorted ids of cells, and the sizes from which they are computed. */
    private static final NavigableMap<String, String> SIZES = new TreeMap<>();

    static {
        for (int i = 1; i <= 40; i++) {
            String size = Integer.toString(i);
            SIZES.put(CellRecord.id("probe", Map.of("size", size, "seed", "7")), size);
        }
    }

    private static final List<String> IDS = List.copyOf(SIZES.keySet());
    private static final String A = IDS.get(0);
    private static final String B = IDS.get(1);
    private static final String C = IDS.get(2);

    private static CellRecord record(String cell, Status status, double value) {
        String size = SIZES.getOrDefault(cell, "");
        return new CellRecord(
                cell,
                "probe",
                new LinkedHashMap<>(Map.of("size", size)),
                7,
                new LinkedHashMap<>(Map.of("size", size, "seed", "7")),
                status,
                status == Status.DONE ? null : "a fault",
                List.of(new Measurement("value", value, "", Interval.exact(value), 1, null)),
                new CellRecord.Run(1, 0.5, Map.of("jdk", "25", "simd", "512 bits")));
    }

    @Test
    void readsBackWhatWasAddedSortedByCell() throws IOException {
        CellRecord a = record(A, Status.DONE, Math.nextUp(0.1));
        CellRecord b = record(B, Status.DONE, Double.NaN);
        CellRecord c = record(C, Status.DONE, -0.0);
        evidence.add("depth", List.of(c, a));
        evidence.add("depth", List.of(b));
        assertThat(evidence.read("depth")).containsExactly(Map.entry(A, a), Map.entry(B, b), Map.entry(C, c));
        assertThat(Files.readAllLines(directory.resolve("evidence/depth/results.jsonl")))
                .containsExactly(a.toJson(), b.toJson(), c.toJson());
        assertThat(evidence.read("length")).isEmpty();
    }

    @Test
    void aByteThatIsNoTextIsNamedWithItsLine() throws IOException {
        evidence.add("depth", List.of(record(A, Status.DONE, 1)));
        Path file = directory.resolve("evidence/depth/results.jsonl");
        Files.write(file, new byte[] {(byte) 0xff, '\n'}, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> evidence.read("depth"))
                .hasMessage(file + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aCellThatWasComputedAgainStandsInPlaceOfTheOneBefore() throws IOException {
        evidence.add("depth", List.of(record(A, Status.DONE, 1), record(B, Status.DONE, 2)));
        evidence.add("depth", List.of(record(A, Status.DONE, 3)));
        assertThat(evidence.read("depth"))
                .containsExactly(Map.entry(A, record(A, Status.DONE, 3)), Map.entry(B, record(B, Status.DONE, 2)));
    }

    @Test
    void whatFailedIsNoEvidenceNorIsWhatThereWasOfIt() throws IOException {
        evidence.add("depth", List.of(record(A, Status.DONE, 1), record(C, Status.DONE, 3)));
        evidence.add("depth", List.of(record(A, Status.FAILED, 2), record(B, Status.FAILED, 2)));
        assertThat(evidence.read("depth")).containsExactly(Map.entry(C, record(C, Status.DONE, 3)));
    }

    /** Without a lock, each writer would overwrite cells of the other. */
    @Test
    void cellsThatAreAddedAtTheSameTimeAreAllKept() throws Exception {
        try (var writers = Executors.newFixedThreadPool(2)) {
            for (Future<Integer> each : writers.invokeAll(List.of(adds(0), adds(1)))) {
                each.get();
            }
        }
        assertThat(evidence.read("depth")).containsOnlyKeys(IDS);
    }

    /** Adds every second cell. */
    private Callable<Integer> adds(int first) {
        return () -> {
            for (int i = first; i < IDS.size(); i += 2) {
                evidence.add("depth", List.of(record(IDS.get(i), Status.DONE, 1)));
            }
            return IDS.size();
        };
    }

    @Test
    void onlyAKilledProcessLeavesALockFileWhichDoesNotLock() throws IOException {
        Path paper = Files.createDirectories(evidence.directory("depth"));
        Files.createFile(paper.resolve(".lock"));
        assertThat(evidence.read("depth")).isEmpty();
        evidence.add("depth", List.of(record(A, Status.DONE, 1)));
        Files.writeString(evidence.file("depth"), "{", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> evidence.add("depth", List.of(record(B, Status.DONE, 1))))
                .isInstanceOf(MalformedFileException.class);
        assertThat(paper).isDirectoryNotContaining("glob:**.lock").isDirectoryContaining("glob:**results.jsonl");
    }

    @Test
    void aMalformedLineIsNamedAndLeftAsItIs() throws IOException {
        evidence.add("depth", List.of(record(A, Status.DONE, 1)));
        Path file = evidence.file("depth");
        Files.writeString(file, Files.readString(file) + "{\"cell\":");
        assertThatThrownBy(() -> evidence.add("depth", List.of(record(B, Status.DONE, 1))))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("results.jsonl")
                .hasMessageContaining("line 2");
        assertThat(file).content().endsWith("{\"cell\":");
    }

    @Test
    void theUsualPlaceIsTheCheckoutsRoot() {
        Path usual = Evidence.ofCheckout().directory();
        assertThat(usual.getFileName()).isEqualTo(Path.of("evidence"));
        assertThat(usual.resolveSibling("pom.xml")).exists();
        assertThat(usual).isAbsolute();
    }

    @Test
    void thatOfOtherPeoplesPapersIsInTheCurrentDirectory() {
        Evidence mixed = Evidence.ofCheckout(Set.of("mine"));
        assertThat(mixed.file("mine")).isEqualTo(Path.of("evidence/mine/results.jsonl"));
        assertThat(mixed.file("depth")).isEqualTo(Evidence.ofCheckout().file("depth"));
        assertThat(evidence.directory("mine")).isEqualTo(directory.resolve("evidence/mine"));
    }
}

package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord.Status;

class CellRecordTest {

    private static final Path FILE = Path.of("results.jsonl");

    @TempDir
    private Path directory;

    private static SequencedMap<String, String> map(String... pairs) {
        var map = new LinkedHashMap<String, String>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private static CellRecord record(Status status, @Nullable String reason, List<Measurement> measurements) {
        SequencedMap<String, String> settings = map("steps", "3", "name", "of \"two\"\nlines, ünd – more \u0000\u2028");
        return new CellRecord(
                CellRecord.id("train", settings),
                "train",
                map("z.width", "64", "a.rate", "1e-3"),
                Long.MIN_VALUE,
                settings,
                status,
                reason,
                measurements,
                new CellRecord.Run(2, 0.25, Map.of("commit", "abc", "time", "now")));
    }

    private static Measurement measurement(double value, double low, double high) {
        return new Measurement("loss of " + value, value, "nats", new Interval(low, high), Long.MAX_VALUE, null);
    }

    private static CellRecord readBack(CellRecord record) throws MalformedFileException {
        String json = record.toJson();
        assertThat(json.lines()).hasSize(1);
        return CellRecord.parse(FILE, "line 1", json);
    }

    /** Records with doubles are equal if their bits are equal; all NaN are equal. */
    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.0,
                -0.0,
                1,
                -1.5,
                0.1,
                1e22,
                1.0E7,
                Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY
            })
    void everyDoubleReadsBackAsTheSameBits(double value) throws MalformedFileException {
        CellRecord record = record(Status.DONE, null, List.of(measurement(value, value, value)));
        assertThat(readBack(record)).isEqualTo(record);
    }

    @Test
    void randomBitsReadBackAsTheSame() throws MalformedFileException {
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        var measurements = new ArrayList<Measurement>();
        for (int i = 0; i < 2000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            measurements.add(measurement(value, value, value));
        }
        CellRecord record = record(Status.DONE, null, measurements);
        assertThat(readBack(record)).as("seed %d", seed).isEqualTo(record);
    }

    /** A list ends where the name, unit or count changes, or a measurement has an interval. */
    @Test
    void numberedMeasurementsAreOneEntryAndReadBackAsMany() throws MalformedFileException {
        var measurements = new ArrayList<Measurement>();
        double[] values = {1.5, Double.NaN, -0.0, Double.NEGATIVE_INFINITY};
        for (int i = 0; i < 4; i++) {
            measurements.add(new Measurement("a.b." + i, values[i], "weights", Interval.exact(values[i]), 3, null));
        }
        measurements.add(new Measurement("a.b.4", 1, "weights", Interval.exact(1), 4, null));
        measurements.add(new Measurement("c.0", 1, "", Interval.exact(1), 1, null));
        measurements.add(new Measurement("c.1", 1, "", new Interval(0, 1), 1, null));
        measurements.add(new Measurement("d.1", 1, "", Interval.exact(1), 1, null));
        measurements.add(new Measurement("d.2", 1, "", Interval.exact(1), 1, null));
        CellRecord record = record(Status.DONE, null, measurements);
        assertThat(readBack(record)).isEqualTo(record);
        assertThat(record.toJson())
                .contains(
                        "{\"name\":\"a.b\",\"values\":[1.5,\"NaN\",-0.0,\"-Infinity\"],\"unit\":\"weights\",\"n\":3},"
                                + "{\"name\":\"a.b.4\",\"value\":1.0,",
                        "\"name\":\"c.0\",\"value\"",
                        "\"name\":\"d.2\",\"value\"");
    }

    @Test
    void aFailureReadsBackWithItsReasonAndTheOrderOfKeys() throws MalformedFileException {
        CellRecord record = record(Status.FAILED, "IllegalStateException: \"a\\b\"", List.of());
        CellRecord found = readBack(record);
        assertThat(found).isEqualTo(record);
        assertThat(found.axes().keySet()).containsExactly("z.width", "a.rate");
        assertThat(found.measurement("loss")).isEmpty();
    }

    @Test
    void anIntervalMayReachToInfinity() throws MalformedFileException {
        CellRecord record =
                record(Status.DONE, null, List.of(measurement(1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)));
        assertThat(readBack(record)).isEqualTo(record);
        assertThat(readBack(record).measurement("loss of 1.0")).isPresent();
    }

    @Test
    void axesAreReplacedAndNothingElse() {
        CellRecord record = record(Status.DONE, null, List.of(measurement(1, 1, 1)));
        CellRecord moved = record.withAxes(map("b", "2"));
        assertThat(moved.axes()).containsExactly(Map.entry("b", "2"));
        assertThat(moved.withAxes(record.axes())).isEqualTo(record);
    }

    /** Each line is the correct one with a part replaced. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
        "status":"done"; "status":"maybe"; status: expected one of done, failed, got the string "maybe"
        "seed":7,; "seed":7.5,; seed: expected an integer of at most 64 bits, got the number 7.5
        "seed":7,; "sead":7,; seed: expected an integer of at most 64 bits, got nothing: the field is absent
        "n":1; "n":"1"; measurements[0].n: expected an integer of at most 64 bits, got the string "1"
        "low":1.0; "low":2.0; measurements[0].low: expected a number of at most high, 1.0, got the number 2.0
        "low":1.0; "low":"NaN"; measurements[0].low: expected a number of at most high, 1.0, got the string "NaN"
        "value":1.0; "value":"one"; measurements[0].value: expected a number, got the string "one"
        "attempts":1; "attempts":-1; run.attempts: expected a count, got the number -1
        "axes":{}; "axes":[]; axes: expected an object, got an array of 0
        "a":"b"; "a":3; settings.a: expected a string, got the number 3
        """)
    void aMalformedLineIsNamedByFileAndLine(String part, String instead, String expected) throws IOException {
        assertThat(GOOD.toJson()).contains(part);
        Path file = Files.writeString(
                directory.resolve("results.jsonl"),
                GOOD.toJson() + "\n\n" + altered(part, instead) + "\n" + GOOD.toJson() + "\n");
        assertMalformed(() -> CellRecord.readAll(file), file + ": line 3: " + expected);
    }

    private static final CellRecord GOOD = new CellRecord(
            CellRecord.id("train", map("a", "b", "seed", "7")),
            "train",
            map(),
            7,
            map("a", "b", "seed", "7"),
            Status.DONE,
            null,
            List.of(new Measurement("x", 1, "", Interval.exact(1), 1, null)),
            new CellRecord.Run(1, 1, Map.of()));

    /** The correct line with a part replaced and a new checksum. */
    private static String altered(String part, String instead) {
        return CellRecord.sealed(
                GOOD.toJson().replaceFirst(",\"checksum\":\"[0-9a-f]{16}\"", "").replace(part, instead));
    }

    /** Even with a correct checksum, a record must agree with the id of its cell. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
        "a":"b"; "a":"c"; expected the id of its settings,
        "trial":"train"; "trial":"probe"; expected the id of its settings,
        "seed":7,; "seed":8,; expected seed as in its settings, 7, got 8
        "axes":{}; "axes":{"a":"c"}; expected a as in its settings, b, got c
        """)
    void aCellThatIsNotWhatItSaysIsRefused(String part, String instead, String expected) {
        assertThat(GOOD.toJson()).contains(part);
        assertThatThrownBy(() -> CellRecord.parse(FILE, "line 2", altered(part, instead)))
                .isInstanceOf(MalformedFileException.class)
                .message()
                .startsWith(FILE + ": line 2: cell " + GOOD.cell() + ": " + expected)
                .hasLineCount(1);
    }

    @Test
    void anyCharacterThatWasChangedIsNoticedWithFileLineAndCell() {
        String json = GOOD.toJson();
        for (int i = 0; i < json.length(); i++) {
            String changed = json.substring(0, i) + (char) (json.charAt(i) ^ 1) + json.substring(i + 1);
            assertThatThrownBy(() -> CellRecord.parse(FILE, "line 2", changed))
                    .as(changed)
                    .isInstanceOf(MalformedFileException.class)
                    .hasMessageStartingWith(FILE + ": line 2");
        }
        assertThatThrownBy(() -> CellRecord.parse(FILE, "line 2", json.replace("\"value\":1.0", "\"value\":2.0")))
                .message()
                .matches(FILE + ": line 2: cell " + GOOD.cell()
                        + ": expected the checksum [0-9a-f]{16} of its line, got [0-9a-f]{16}: it was altered");
        assertThatThrownBy(() -> CellRecord.parse(FILE, "line 2", json.replaceFirst(",\"checksum.*", "}")))
                .hasMessage(FILE + ": line 2: cell " + GOOD.cell() + ": expected a checksum, got none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"cell\":", "no JSON", "{} {}", "{\"cell\":\"a\",\"cell\":\"b\"}", "[1]"})
    void aLineThatIsNoRecordIsNamedByFileAndLine(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("results.jsonl"), line + "\n");
        assertThatThrownBy(() -> CellRecord.readAll(file))
                .isInstanceOf(MalformedFileException.class)
                .message()
                .startsWith(file + ": line 1: ")
                .contains("expected ")
                .hasLineCount(1);
    }

    @Test
    void aFileThatIsNotThereHoldsNoRecords() throws IOException {
        assertThat(CellRecord.readAll(directory.resolve("none.jsonl"))).isEmpty();
    }

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

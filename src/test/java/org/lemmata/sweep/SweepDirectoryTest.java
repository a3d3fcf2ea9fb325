package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

class SweepDirectoryTest {

    @TempDir
    private Path directory;

    private Path out;
    private Sweep sweep;

    @BeforeEach
    void runThreeCells() throws IOException {
        out = directory.resolve("out");
        sweep = ProbeTrial.sweep(directory, "axes: {size: 1..3}");
        assertThat(ProbeTrial.run(sweep, out).isComplete()).isTrue();
        assertThat(lines()).hasSize(3);
    }

    private Path results() {
        return out.resolve(SweepDirectory.RESULTS);
    }

    private List<String> lines() throws IOException {
        String text = Files.readString(results());
        assertThat(text.isEmpty() || text.endsWith("\n")).isTrue();
        return text.lines().toList();
    }

    private Path resultOf(Cell cell) {
        return SweepDirectory.ofCell(out, cell.id()).resolve("result.json");
    }

    @Test
    void aLineThatWasCutIsDroppedAndWrittenAgain() throws IOException {
        List<String> whole = lines();
        long size = Files.size(results());
        int last = whole.getLast().length() + 1;
        for (long cut : new long[] {size - 1, size - last / 2, size - last + 1, size - last, 1, 0}) {
            try (var channel = FileChannel.open(results(), StandardOpenOption.WRITE)) {
                channel.truncate(cut);
            }
            assertThat(ProbeTrial.run(sweep, out).before()).as("cut at %d", cut).isEqualTo(3);
            assertThat(lines()).as("cut at %d", cut).containsExactlyInAnyOrderElementsOf(whole);
        }
    }

    @Test
    void aLineInTheMiddleThatIsMalformedIsRefusedAndNothingChanged() throws IOException {
        List<String> whole = lines();
        String spoilt = whole.get(0) + "\n" + whole.get(1).substring(5) + "\n" + whole.get(2) + "\nhalf a li";
        Files.writeString(results(), spoilt);
        assertThatThrownBy(() -> SweepDirectory.open(out))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(
                        results() + ": line 2: expected the record of a cell (a line of results.jsonl)");
        assertThat(results()).hasContent(spoilt);
        Files.writeString(results(), whole.get(0) + "\n");
        SweepDirectory.open(out).close();
    }

    @Test
    void aResultWithoutALineIsAppendedAndNotRunAgain() throws IOException {
        List<String> whole = lines();
        Files.writeString(results(), whole.get(1) + "\n");
        Path config = SweepDirectory.ofCell(out, sweep.cells().getFirst().id()).resolve(CellRun.CONFIG);
        Files.delete(config);
        assertThat(ProbeTrial.run(sweep, out).before()).isEqualTo(3);
        assertThat(lines()).startsWith(whole.get(1)).containsExactlyInAnyOrderElementsOf(whole);
        assertThat(config).doesNotExist();
    }

    @Test
    void withoutItsFileOfResultsEverythingDoneIsStillDone() throws IOException {
        List<String> whole = lines();
        Files.delete(results());
        assertThat(ProbeTrial.run(sweep, out).before()).isEqualTo(3);
        assertThat(lines()).containsExactlyInAnyOrderElementsOf(whole);
    }

    @Test
    void aCellWithNothingButItsConfigurationRunsAgain() throws IOException {
        Cell cell = sweep.cells().get(1);
        List<String> whole = lines();
        Files.write(
                results(),
                whole.stream().filter(line -> !line.contains(cell.id())).toList());
        Files.delete(resultOf(cell));
        SweepRun.Progress progress = ProbeTrial.run(sweep, out);
        assertThat(progress.before()).isEqualTo(2);
        assertThat(progress.done()).isEqualTo(3);
        assertThat(lines().stream().map(SweepDirectoryTest::content))
                .containsExactlyInAnyOrderElementsOf(
                        whole.stream().map(SweepDirectoryTest::content).toList());
    }

    private static String content(String line) {
        return line.replaceFirst(",\"run\":\\{.*", "");
    }

    @Test
    void aByteThatIsNoTextIsNamedWithItsFileAndLine() throws IOException {
        Path result = resultOf(sweep.cells().get(0));
        byte[] bytes = Files.readAllBytes(result);
        bytes[10] = (byte) 0xff;
        Files.write(result, bytes);
        List<String> whole = lines();
        Files.delete(results());
        assertThatThrownBy(() -> ProbeTrial.run(sweep, out))
                .hasMessage(result + ": line 1: expected UTF-8, got the byte 0xff");
        Files.writeString(results(), whole.getFirst() + "\n\u00ff", StandardCharsets.ISO_8859_1);
        assertThat(SweepDirectory.recorded(out)).as("a line without an end").hasSize(1);
        Files.writeString(results(), whole.getFirst() + "\n\u00ff\n", StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> SweepDirectory.recorded(out))
                .hasMessage(results() + ": line 2: expected UTF-8, got the byte 0xff");
        assertThatThrownBy(() -> SweepDirectory.open(out))
                .hasMessage(results() + ": line 2: expected UTF-8, got the byte 0xff");
    }

    @Test
    void aResultOfAnotherCellIsRefused() throws IOException {
        Files.delete(results());
        Files.copy(resultOf(sweep.cells().get(1)), resultOf(sweep.cells().get(0)), StandardCopyOption.REPLACE_EXISTING);
        assertMalformed(
                () -> ProbeTrial.run(sweep, out),
                resultOf(sweep.cells().get(0)) + ": expected the result of the cell "
                        + sweep.cells().get(0).id() + ", got another record");
    }

    @Test
    void aResultThatIsNoneIsRefused() throws IOException {
        Files.delete(results());
        Path file = resultOf(sweep.cells().get(2));
        Files.writeString(file, Files.readString(file).substring(0, 30));
        assertThatThrownBy(() -> ProbeTrial.run(sweep, out))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(file + ": expected the record of a cell");
    }

    @Test
    void aResultIsRecordedOnce() throws IOException {
        try (SweepDirectory opened = SweepDirectory.open(out)) {
            CellRecord record = opened.record(sweep.cells().getFirst()).orElseThrow();
            opened.add(record, null);
            opened.add(record, "a trace");
        }
        assertThat(lines()).hasSize(3);
        assertThat(out.resolve("cells").resolve(sweep.cells().getFirst().id()).resolve("failure.txt"))
                .doesNotExist();
    }

    @Test
    void cellsOfASweepWithOtherAxesGetALineThatSaysWhereTheyLie() throws IOException {
        Sweep wider = ProbeTrial.sweep(directory, "axes: {size: 1..3, parts: [0, 1]}");
        SweepRun.Progress progress = ProbeTrial.run(wider, out);
        assertThat(progress.before()).isEqualTo(3);
        assertThat(progress.done()).isEqualTo(6);
        assertThat(lines()).hasSize(9);
        try (SweepDirectory opened = SweepDirectory.open(out)) {
            for (Cell cell : wider.cells()) {
                assertThat(opened.records().get(cell.id()))
                        .extracting(CellRecord::axes)
                        .isEqualTo(cell.axes());
            }
        }
        assertThat(Files.readAllLines(out.resolve(SweepDirectory.TABLE)))
                .hasSize(7)
                .first()
                .asString()
                .contains("parts");
        assertThat(ProbeTrial.run(wider, out).before()).isEqualTo(6);
        assertThat(lines()).hasSize(9);
    }

    @Test
    void theTableHoldsTheCellsOfTheLastSweepInItsOrder() throws IOException {
        Sweep narrower = ProbeTrial.sweep(directory, "axes: {size: [3, 1]}");
        ProbeTrial.run(narrower, out);
        assertThat(Files.readAllLines(out.resolve(SweepDirectory.TABLE)).stream()
                        .map(line -> line.split(",", -1)[0]))
                .containsExactly(
                        "cell",
                        narrower.cells().get(0).id(),
                        narrower.cells().get(1).id());
        assertThat(lines()).hasSize(3);
    }

    @Test
    void aForeignDirectoryIsRefusedAndLeftAsItIs() throws IOException {
        Path foreign = Files.createDirectories(directory.resolve("foreign"));
        Path file = Files.writeString(foreign.resolve("notes.txt"), "mine");
        assertRefused(
                () -> SweepDirectory.open(foreign),
                "--out: expected a directory that is new, empty or of a sweep, got " + foreign + " with notes.txt");
        assertRefused(() -> SweepDirectory.open(file), "--out: expected a directory, got the file " + file);
        try (Stream<Path> files = Files.list(foreign)) {
            assertThat(files).containsExactly(file);
        }
        // A foreign lock or foreign records do not make a directory one of a sweep.
        Files.writeString(foreign.resolve(".lock"), "");
        assertThatThrownBy(() -> SweepDirectory.open(foreign)).hasMessageEndingWith(" with notes.txt");
        Path records = Files.createDirectories(directory.resolve("records"));
        Files.copy(results(), records.resolve("results.jsonl"));
        assertThatThrownBy(() -> SweepDirectory.open(records)).hasMessageEndingWith(" with results.jsonl");
    }

    @Test
    void anEmptyOrNewDirectoryIsTaken() throws IOException {
        SweepDirectory.open(Files.createDirectories(directory.resolve("empty"))).close();
        SweepDirectory.open(directory.resolve("new/below")).close();
        // A sweep that was killed before it wrote anything.
        Files.writeString(directory.resolve("new/below/.sweep.yaml." + UUID.randomUUID() + ".part"), "half");
        SweepDirectory.open(directory.resolve("new/below")).close();
        assertThat(directory.resolve("new/below/results.jsonl")).isEmptyFile();
    }

    @Test
    void aSecondOpeningIsRefusedUntilTheFirstIsClosed() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), out);
        try (SweepDirectory first = SweepDirectory.open(out)) {
            for (Path again : List.of(out, link, directory.resolve("./out"))) {
                assertMalformed(
                        () -> SweepDirectory.open(again),
                        again + ": expected no other sweep in this directory, got one");
            }
            assertThat(first.records()).hasSize(3);
        }
        SweepDirectory.open(out).close();
    }

    @Test
    void leftoversOfAKilledProcessAreCleared() throws IOException {
        for (String name : List.of(SweepDirectory.SWEEP, SweepDirectory.TABLE)) {
            Files.writeString(out.resolve("." + name + "." + UUID.randomUUID() + ".part"), "half");
        }
        SweepDirectory.open(out).close();
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(".lock", "cells", "results.csv", "results.jsonl", "sweep.yaml");
        }
    }

    @Test
    void aFileOfResultsThatIsRemovedMeanwhileIsNoticed() throws IOException {
        CellRecord record = CellRecord.readAll(results()).getFirst();
        Files.delete(resultOf(sweep.cells().getFirst()));
        Files.writeString(results(), "");
        try (SweepDirectory opened = SweepDirectory.open(out)) {
            assertThat(opened.records()).isEmpty();
            Files.delete(results());
            assertMalformed(
                    () -> opened.add(record, null),
                    results() + ": expected the file that this sweep writes, got none: it was removed");
            assertThat(opened.records()).isEmpty();
        }
        // A finished cell is not lost: its result exists, and the same command appends its line.
        assertThat(ProbeTrial.run(sweep, out).before()).isEqualTo(3);
        assertThat(lines()).hasSize(3);
    }

    @Test
    void aFailureIsRecordedWithItsTraceAndTakenBackByAResult() throws IOException {
        Cell cell = ProbeTrial.cell(directory, "size: 9");
        Path trace = SweepDirectory.ofCell(out, cell.id()).resolve("failure.txt");
        CellRun.Report done = CellRun.run(cell, ProbeTrial.LIMITS, directory.resolve("cell"), () -> false);
        CellRecord result = Optional.ofNullable(done.record()).orElseThrow();
        var failure = new CellRecord(
                result.cell(),
                result.trial(),
                result.axes(),
                result.seed(),
                result.settings(),
                CellRecord.Status.FAILED,
                "no luck",
                List.of(),
                result.run());
        try (SweepDirectory opened = SweepDirectory.open(out)) {
            opened.add(failure, "a trace");
            assertThat(trace).hasContent("a trace");
            assertThat(opened.record(cell)).contains(failure);
            opened.add(result, null);
            assertThat(trace).doesNotExist();
            assertThat(opened.record(cell)).contains(result);
            // A late report of a finished cell changes nothing.
            opened.add(failure, "a trace");
            assertThat(opened.record(cell)).contains(result);
        }
        assertThat(lines()).hasSize(5);
    }

    /** RFC 4180, read by its grammar: fields between commas, quotes doubled in quotes. */
    private static List<List<String>> rows(String csv) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            if (quoted) {
                if (c != '"') {
                    field.append(c);
                } else if (i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
                    field.append(c);
                    i++;
                } else {
                    quoted = false;
                }
            } else if (c == '"') {
                assertThat(field)
                        .as("a quote in the middle of a field, at %d", i)
                        .isEmpty();
                quoted = true;
            } else if (c == ',' || c == '\n') {
                row.add(field.toString());
                field.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else {
                field.append(c);
            }
        }
        assertThat(row).as("what follows the last line").isEmpty();
        assertThat(quoted).isFalse();
        return rows;
    }

    private List<Map<String, String>> table(CellRecord... records) throws IOException {
        Path file = directory.resolve("results.csv");
        SweepDirectory.writeTable(file, List.of(records));
        List<List<String>> rows = rows(Files.readString(file));
        List<String> header = rows.getFirst();
        assertThat(header).doesNotHaveDuplicates();
        List<Map<String, String>> table = new ArrayList<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            assertThat(row).hasSameSizeAs(header);
            Map<String, String> named = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                named.put(header.get(i), row.get(i));
            }
            table.add(named);
        }
        return table;
    }

    private static CellRecord done(Map<String, String> axes, Measurement... measurements) {
        return new CellRecord(
                "0123456789abcdef",
                "probe",
                new LinkedHashMap<>(axes),
                -7,
                new LinkedHashMap<>(),
                Status.DONE,
                null,
                List.of(measurements),
                new CellRecord.Run(3, 0.125, Map.of()));
    }

    private static CellRecord failed(String reason) {
        return new CellRecord(
                "fedcba9876543210",
                "probe",
                new LinkedHashMap<>(Map.of("size", "2")),
                1,
                new LinkedHashMap<>(),
                Status.FAILED,
                reason,
                List.of(),
                new CellRecord.Run(1, 2, Map.of()));
    }

    private static Measurement exact(String name, double value) {
        return new Measurement(name, value, "nats", Interval.exact(value), 1, null);
    }

    @Test
    void textsOfEveryKindReadBack() throws IOException {
        String odd = "a \"quote\", a comma; an ünusual — sign\tand\na new line";
        assertThat(table(done(Map.of("size", odd), exact("loss, \"mean\"", 0.1)), failed(odd)))
                .containsExactly(
                        Map.of(
                                "cell", "0123456789abcdef",
                                "status", "done",
                                "size", odd,
                                "seed", "-7",
                                "loss, \"mean\"", "0.1",
                                "seconds", "0.125",
                                "attempts", "3",
                                "reason", ""),
                        Map.of(
                                "cell", "fedcba9876543210",
                                "status", "failed",
                                "size", "2",
                                "seed", "1",
                                "loss, \"mean\"", "",
                                "seconds", "2.0",
                                "attempts", "1",
                                "reason", odd));
    }

    @Test
    void doublesReadBackAsTheSameBits() throws IOException {
        double[] values = {
            0.1, -0.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, 1e7, 1.0 / 3
        };
        for (double value : values) {
            String text = table(done(Map.of(), exact("x", value))).getFirst().getOrDefault("x", "");
            assertThat(Double.doubleToLongBits(Double.parseDouble(text)))
                    .as("%s as %s", value, text)
                    .isEqualTo(Double.doubleToLongBits(value));
        }
    }

    @Test
    void anIntervalHasColumnsOfItsOwn() throws IOException {
        assertThat(table(
                        done(Map.of(), new Measurement("rate", 0.5, "", new Interval(0.25, 0.75), 10, null)),
                        failed("x")))
                .first()
                .satisfies(row -> assertThat(row)
                        .containsEntry("rate", "0.5")
                        .containsEntry("rate.low", "0.25")
                        .containsEntry("rate.high", "0.75"));
        assertThat(table(done(Map.of(), exact("rate", 0.5))).getFirst()).doesNotContainKey("rate.low");
    }

    /** A run of 100 steps may end before them. */
    @Test
    void aMeasurementWithTheNameOfAnAxisKeepsBoth() throws IOException {
        assertThat(table(done(Map.of("steps", "100"), exact("steps", 60), exact("seconds", 5), exact("seed", 3)))
                        .getFirst())
                .containsEntry("steps", "100")
                .containsEntry("measured.steps", "60.0")
                .containsEntry("seconds", "0.125")
                .containsEntry("measured.seconds", "5.0")
                .containsEntry("seed", "-7")
                .containsEntry("measured.seed", "3.0");
    }

    @Test
    void withoutRecordsItIsEmpty() throws IOException {
        Path file = directory.resolve("results.csv");
        SweepDirectory.writeTable(file, List.of());
        assertThat(file).isEmptyFile();
    }
}

package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

class ResultTableTest {

    @TempDir
    private Path directory;

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

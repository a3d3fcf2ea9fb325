package org.lemmata.cli.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ProfileDirectory;

/** The scores of a run in JMH's layout: a line per row, a column per parameter. Also the files of profilers. */
public final class ScoreTable {

    private static final String GC = "gc.";

    private ScoreTable() {}

    public static String of(List<BenchmarkRow> rows) {
        List<String> params = rows.stream()
                .flatMap(row -> row.params().keySet().stream())
                .distinct()
                .toList();
        var lines = new ArrayList<List<String>>();
        lines.add(line(
                "Benchmark",
                params.stream().map(name -> "(" + name + ")").toList(),
                List.of("Mode", "Cnt", "Score", "Error", "Units")));
        for (BenchmarkRow row : rows) {
            int count = row.samples().stream().mapToInt(List::size).sum();
            lines.add(line(
                    row.simpleClass() + "." + row.method(),
                    params.stream()
                            .map(name -> row.params().getOrDefault(name, "N/A"))
                            .toList(),
                    List.of(
                            row.mode(),
                            count == 0 ? "" : Integer.toString(count),
                            number(row.score()),
                            Double.isNaN(row.error()) ? "" : "± " + number(row.error()),
                            row.unit())));
        }
        return Columns.text(lines, 1 + params.size() + 2, 1 + params.size() + 3);
    }

    private static List<String> line(String name, List<String> params, List<String> rest) {
        return Stream.of(List.of(name), params, rest)
                .flatMap(List::stream)
                .map(Refuse::printable)
                .toList();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 0.01 || value == 0 ? "%.3f" : "%.3e", value);
    }

    /**
     * A line for each file that a run wrote and for each garbage collection metric.
     *
     * @param root the directory of all profiles
     * @param since the start of the run; older files belong to other runs
     */
    public static String profiles(Path root, List<BenchmarkRow> rows, Instant since) throws IOException {
        var text = new StringBuilder();
        for (BenchmarkRow row : rows) {
            Path directory = ProfileDirectory.of(root, row.benchmark(), row.mode(), row.params());
            for (String file : List.of(ProfileDirectory.FLAME_GRAPH, ProfileDirectory.TEXT)) {
                Path profile = directory.resolve(file);
                if (Files.exists(profile)
                        && !Files.getLastModifiedTime(profile).toInstant().isBefore(since)) {
                    text.append("profile: ").append(profile).append('\n');
                }
            }
            row.secondary().forEach((name, metric) -> {
                if (name.replace("·", "").startsWith(GC)) {
                    text.append(String.format(
                            Locale.ROOT,
                            "%s: %s %.4g %s%n",
                            Refuse.printable(row.key()),
                            name.replace("·", ""),
                            metric.score(),
                            metric.unit()));
                }
            });
        }
        return text.toString();
    }
}

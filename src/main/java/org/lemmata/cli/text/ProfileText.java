package org.lemmata.cli.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ProfileDirectory;

/** Files and garbage collection metrics that profilers wrote, by row. */
public final class ProfileText {

    private static final String GC = "gc.";

    private ProfileText() {}

    /**
     * A line for each file that a run wrote and for each garbage collection metric.
     *
     * @param root the directory of all profiles
     * @param since the start of the run; older files belong to other runs
     */
    public static String of(Path root, List<BenchmarkRow> rows, Instant since) throws IOException {
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

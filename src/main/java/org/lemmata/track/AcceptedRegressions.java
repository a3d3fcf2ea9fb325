package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.file.Contents;
import org.lemmata.file.MalformedFileException;
import org.lemmata.track.ComparisonRow.Change;

/**
 * Slow-downs that a project accepts until a given day, read from a file in the project. Each line, such as
 * {@code 2026-12-31 org.example.Work.run size=10 (avgt) # why}, has the last day, the name of the row in exports (with
 * parameters sorted by name), and the reason. Empty lines and lines that begin with # are skipped.
 */
public final class AcceptedRegressions {

    private static final Pattern LINE =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)\\s+(\\S.*? \\(\\w+\\))\\s+#\\s*(.*\\S)\\s*");

    private record Entry(LocalDate until, String why) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private AcceptedRegressions() {}

    /**
     * Reads a file of accepted regressions.
     *
     * @throws IOException if the file is missing or a line is malformed; the message names file and line
     */
    public static AcceptedRegressions read(Path file) throws IOException {
        var accepted = new AcceptedRegressions();
        int number = 0;
        for (String line : Contents.text(file).lines().toList()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                accepted.add(file, number, line);
            }
        }
        return accepted;
    }

    private void add(Path file, int number, String line) throws MalformedFileException {
        Matcher parts = LINE.matcher(line);
        var other = new MalformedFileException(
                file, "line " + number, "expected a date, a benchmark's name and why: 2026-12-31 NAME (MODE) # WHY");
        if (!parts.matches()) {
            throw other;
        }
        try {
            entries.put(parts.group(2), new Entry(LocalDate.parse(parts.group(1)), parts.group(3)));
        } catch (DateTimeException e) {
            other.addSuppressed(e);
            throw other;
        }
    }

    /** The names of entries that match no row, in order. They are reported, because such entries accept nothing. */
    public List<String> unmatched(Comparison comparison) {
        List<String> ids = comparison.rows().stream().map(ComparisonRow::id).toList();
        return entries.keySet().stream().filter(name -> !ids.contains(name)).toList();
    }

    /** A copy in which (probably) slower rows with an entry are accepted up to its last day; later, they get a note. */
    public Comparison applyTo(Comparison comparison, LocalDate today) {
        return comparison.map(row -> {
            Entry entry = entries.get(row.id());
            if (entry == null || (row.verdict() != Change.SLOWER && row.verdict() != Change.PROBABLY_SLOWER)) {
                return row;
            }
            String until = "until " + entry.until + ": " + entry.why;
            return today.isAfter(entry.until)
                    ? row.withNote("was accepted " + until)
                    : row.with(Change.ACCEPTED, until);
        });
    }
}

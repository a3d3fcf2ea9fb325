package org.lemmata.track;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lemmata.file.Contents;

/** Files of {@link CellRecord}s, a JSON object a line. */
public final class CellRecords {

    private CellRecords() {}

    /**
     * Every record of a file, in its order; of a file that is not there, none.
     *
     * @throws IOException if a line is malformed or was altered; the message names file, line and what was expected
     */
    public static List<CellRecord> read(Path file) throws IOException {
        return Files.exists(file) ? parse(file, Contents.text(file)) : List.of();
    }

    /** Every record of the text of {@code file}. */
    public static List<CellRecord> parse(Path file, String text) throws IOException {
        var records = new ArrayList<CellRecord>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank()) {
                records.add(CellRecord.parse(file, "line " + number, line));
            }
        }
        return records;
    }
}

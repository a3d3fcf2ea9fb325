package org.lemmata.cli.text;

import java.util.Arrays;
import java.util.List;

/** A table for a terminal: columns as wide as their widest cell. */
final class Columns {

    private Columns() {}

    /**
     * The table, one line per row.
     *
     * @param lines rows with equal numbers of cells
     * @param numbers the columns that are right-aligned
     */
    static String text(List<List<String>> lines, int... numbers) {
        int columns = lines.getFirst().size();
        var text = new StringBuilder();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            var padded = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                int column = i;
                String blanks = " ".repeat(widths[i] - line.get(i).length());
                boolean right = Arrays.stream(numbers).anyMatch(number -> number == column);
                padded.append(i == 0 ? "" : "  ").append(right ? blanks + line.get(i) : line.get(i) + blanks);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}

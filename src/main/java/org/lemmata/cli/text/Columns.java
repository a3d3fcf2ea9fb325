package org.lemmata.cli.text;

import java.util.List;
import java.util.stream.IntStream;

/** A table for a terminal: columns as wide as their widest cell. */
public final class Columns {

    private Columns() {}

    /**
     * The table, one line per row.
     *
     * @param lines rows with equal numbers of cells
     * @param numbers the columns that are right-aligned
     */
    public static String text(List<List<String>> lines, Integer... numbers) {
        int columns = lines.getFirst().size();
        int[] widths = IntStream.range(0, columns)
                .map(i -> lines.stream()
                        .mapToInt(line -> line.get(i).length())
                        .max()
                        .orElse(0))
                .toArray();
        var text = new StringBuilder();
        for (List<String> line : lines) {
            var padded = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String blanks = " ".repeat(widths[i] - line.get(i).length());
                boolean right = List.of(numbers).contains(i);
                padded.append(i == 0 ? "" : "  ").append(right ? blanks + line.get(i) : line.get(i) + blanks);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}

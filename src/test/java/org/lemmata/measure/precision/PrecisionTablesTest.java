package org.lemmata.measure.precision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables of docs/notes/precision-tables.md equal the output of the code, line by line. */
class PrecisionTablesTest {

    private static final List<String> FLOATS =
            List.of("tf32", "binary16", "bfloat16", "ocp_e5m2", "ocp_e4m3", "e3m2", "e2m3", "e2m1");

    private static final List<String> BLOCKS =
            List.of("mxfp8_e5m2", "mxfp8_e4m3", "mxfp6_e3m2", "mxfp6_e2m3", "mxfp4_e2m1", "mxint8", "int8", "int4");

    private static final List<String> MEASURED = List.of("binary16", "bfloat16", "ocp_e5m2", "ocp_e4m3");

    /** The lines of the table below a heading, without its head. */
    private static List<String> table(String heading) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("docs/notes/precision-tables.md"));
        assertThat(lines).contains(heading);
        return lines.subList(lines.indexOf(heading), lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
    }

    private static List<String> lines(Stream<String> rows, UnaryOperator<String> line) {
        return rows.map(line).toList();
    }

    @Test
    @Tag("long")
    void coarseFormatsHaveTheirMaxLengths() throws IOException {
        List<String> computed = lines(FLOATS.stream().skip(3), PrecisionTables::maxLengths);
        assertThat(table("### By format")).endsWith(computed.toArray(String[]::new));
        assertThat(table("### By format of inputs"))
                .containsExactlyElementsOf(lines(BLOCKS.stream(), PrecisionTables::maxLengthsOfInputs));
        assertThat(table("### By significand bits"))
                .startsWith(IntStream.rangeClosed(3, 7)
                        .mapToObj(PrecisionTables::byBits)
                        .toArray(String[]::new));
    }

    @Test
    @Tag("long")
    void sumsAreAsTold() throws IOException {
        assertThat(table("### Sums of ones"))
                .containsExactlyElementsOf(lines(FLOATS.stream(), PrecisionTables::sumsOfOnes));
        assertThat(table("### Sums of weights"))
                .containsExactlyElementsOf(lines(MEASURED.stream(), PrecisionTables::errorsOfWeights));
    }

    @Test
    @Tag("exhaustive")
    void everyFormatHasItsMaxLengths() throws IOException {
        assertThat(table("### By format"))
                .containsExactlyElementsOf(lines(FLOATS.stream(), PrecisionTables::maxLengths));
        assertThat(table("### By significand bits"))
                .containsExactlyElementsOf(IntStream.rangeClosed(3, 16)
                        .mapToObj(PrecisionTables::byBits)
                        .toList());
        assertThat(table("### Rates at length 1,024"))
                .containsExactlyElementsOf(lines(MEASURED.stream(), PrecisionTables::rates));
    }
}

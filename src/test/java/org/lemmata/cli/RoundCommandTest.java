package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

class RoundCommandTest {

    private static CommandLineRun round(String input, String words) {
        return CommandLineRun.lineWithInput(input, "round %s", words);
    }

    private static List<String> lines(String input, String words) {
        return round(input, words).quiet().outLines();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        binary16; 1; 1.0; 0x3c00
        binary16; 65504; 65504.0; 0x7bff
        binary16; 65519; 65504.0; 0x7bff
        binary16; 65520; Infinity; 0x7c00
        binary16 --saturate; 65520; 65504.0; 0x7bff
        binary16 --mode=TowardZero; 65520; 65504.0; 0x7bff
        binary16 --mode=TowardZero; 1e300; 65504.0; 0x7bff
        binary16 --mode=TowardZero; 1.00097656249; 1.0; 0x3c00
        binary16; 1e-8; 0.0; 0x0000
        binary16; -1e-8; -0.0; 0x8000
        binary16; 6e-8; 5.960464477539063E-8; 0x0001
        binary16 --no-subnormals; 6e-8; 0.0; 0x0000
        binary16; -0; -0.0; 0x8000
        binary16; nan; NaN; 0x7e00
        binary16; -inf; -Infinity; 0xfc00
        binary16 --saturate; Infinity; 65504.0; 0x7bff
        binary16; 0x1.8p1; 3.0; 0x4200
        binary64; 0.1; 0.1; 0x3fb999999999999a
        binary32; 0.1; 0.10000000149011612; 0x3dcccccd
        bfloat16; 0.1; 0.10009765625; 0x3dcd
        threshold(4); 0.1; 0.1; 0x3fb999999999999a
        tf32; 0.1; 0.0999755859375; 0x1ee66
        ocp_e4m3; 464; 448.0; 0x7e
        ocp_e4m3; 465; NaN; 0x7f
        ocp_e4m3 --saturate; 465; 448.0; 0x7e
        ocp_e4m3 --saturate; -inf; -448.0; 0xfe
        ocp_e4m3 --mode TiesToAway; 464; NaN; 0x7f
        ocp_e4m3 --mode ToOdd; 1.01; 1.125; 0x39
        ocp_e5m2; 1e6; Infinity; 0x7c
        ocp_e5m2 --mode TowardZero; 1e6; 57344.0; 0x7b
        e3m2; 1e6; 28.0; 0x1f
        e2m3 --no-subnormals; 0.9; 0.0; 0x00
        e2m3; 0.9; 0.875; 0x07
        e2m1 --mode TowardNegative; -0.1; -0.5; 0x9
        e2m1 --saturate; 100; 6.0; 0x7
        float(5,-6,7) --mode TowardPositive; 1.001; 1.0625; 0x071
        log-precision(2,16); 1.003; 1.0; 0x1ff80
        threshold(4); 0.0625; 0.0; 0x0000000000000000
        integer --mode TiesToAway; 2.5; 3.0; 0x4008000000000000
        multiple(3); 4.6; 6.0; 0x4018000000000000
        """)
    void resultAndBits(String options, String input, String number, String bits) {
        assertThat(lines(input + "\n", "--format " + options)).containsExactly(number + "\t" + bits);
    }

    static List<String> names() {
        return TensorRounding.NAMES;
    }

    /** For 40 numbers, every format and mode, lines equal the library's results with the random words of a tensor. */
    @ParameterizedTest
    @MethodSource("names")
    void everyFormatInEveryMode(String name) {
        String format = name.replace("(p,emin,emax)", "(4,-6,7)")
                .replace("(c,n)", "(2,64)")
                .replace("(p)", "(2)")
                .replace("(q)", "(5)");
        float[] x = new float[40];
        for (int i = 0; i < x.length; i++) {
            x[i] = 3.3f * (i - 12) / (i + 1);
        }
        String input = IntStream.range(0, x.length)
                .mapToObj(i -> Float.toString(x[i]) + "\n")
                .collect(Collectors.joining());
        var stream = new RandomStream(7, 0, 0);
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            boolean stochastic = mode == Rounding.Mode.STOCHASTIC;
            String options =
                    name.startsWith("threshold") ? "" : " --mode " + mode.label() + (stochastic ? " --seed 7" : "");
            List<String> lines = lines(input, "--format " + format + options);
            assertThat(lines).hasSize(x.length);
            switch (TensorRounding.parse(format, mode, true, false)) {
                case Rounding rounding -> {
                    for (int i = 0; i < x.length; i++) {
                        double expected = rounding.round(Double.parseDouble(Float.toString(x[i])), stream.word(i));
                        String[] fields = lines.get(i).split("\t");
                        assertThat(fields).hasSize(2);
                        assertThat(fields[0]).isEqualTo(Double.toString(expected));
                        assertThat(Long.parseUnsignedLong(fields[1].substring(2), 16))
                                .isEqualTo(rounding.format().encode(expected));
                    }
                }
                case BlockRounding rounding -> assertBlocks(lines, x, rounding, stream);
            }
        }
    }

    private static void assertBlocks(List<String> lines, float[] x, BlockRounding rounding, RandomStream stream) {
        int size = Math.min(rounding.format().size(), x.length);
        for (int i = 0; i < x.length; i++) {
            int block = i / size * size;
            float maximum = 0;
            for (int j = block; j < Math.min(x.length, block + size); j++) {
                maximum = Math.max(maximum, Math.abs(x[j]));
            }
            float scale = rounding.scale(maximum);
            String[] fields = lines.get(i).split("\t");
            assertThat(fields).hasSize(3);
            assertThat(Double.parseDouble(fields[0])).isEqualTo(rounding.round(x[i], scale, stream.word(i)));
            long code = Long.parseLong(fields[1].substring(2), 16);
            assertThat(code)
                    .isEqualTo(rounding.format().element().encode(rounding.element(x[i], scale, stream.word(i))));
            double implicit = rounding.format().name().equals("mxint8") ? 64 : 1;
            assertThat(Double.parseDouble(fields[2])).isEqualTo(scale * implicit);
        }
    }

    /** 24 = 6 * 2^2, with the largest element 6; the second block has one nonzero number, the third only a zero. */
    @Test
    void blocksHaveTheirScales() {
        String input = "24\n-1\n2.1\n" + "0\n".repeat(29) + "0.75\n" + "-0\n".repeat(31) + "0\n";
        List<String> lines = lines(input, "--format mxfp4_e2m1");
        assertThat(lines).hasSize(65);
        assertThat(lines.subList(0, 4))
                .containsExactly("24.0\t0x7\t4.0", "-0.0\t0x8\t4.0", "2.0\t0x1\t4.0", "0.0\t0x0\t4.0");
        assertThat(lines.get(32)).isEqualTo("0.75\t0x7\t0.125");
        assertThat(lines.get(33)).isEqualTo("-0.0\t0x8\t0.125");
        assertThat(lines.get(64)).isEqualTo("0.0\t0x0\t1.0");
    }

    @Test
    void rowsOfIntegersHaveOneScale() {
        String input = "127\n" + "0.4\n".repeat(40) + "-126.6\n";
        List<String> lines = lines(input, "--format int8");
        assertThat(lines.getFirst()).isEqualTo("127.0\t0x7f\t1.0");
        assertThat(lines.get(40)).isEqualTo("0.0\t0x00\t1.0");
        assertThat(lines.getLast()).isEqualTo("-127.0\t0x81\t1.0");
        assertThat(lines("1\n-0.5\n", "--format mxint8")).containsExactly("1.0\t0x40\t1.0", "-0.5\t0xe0\t1.0");
    }

    @Test
    void infinitiesMakeTheirBlockNaN() {
        String input = "1\n".repeat(31) + "-inf\n2\n";
        List<String> lines = lines(input, "--format mxfp4_e2m1");
        assertThat(lines.subList(0, 32)).containsOnly("NaN\t0x0\tNaN");
        assertThat(lines.get(32)).isEqualTo("2.0\t0x6\t0.5");
    }

    @Test
    void whatHasNoCodeIsNamedByItsLine() {
        CommandLineRun run = round("1\nnan\nx\n2\nNaN\n", "--format e2m1");
        assertThat(run.refusal())
                .isEqualTo(
                        "lemmata: input: line 2: expected a number that has a code in e2m1, got NaN; 2 more rejected");
        assertThat(run.outLines()).containsExactly("1.0\t0x2", "2.0\t0x4");
    }

    /** C prints the sign of a NaN, Java's suffixes are rejected, and programs on Windows write U+FEFF first. */
    @Test
    void numbersAreThoseThatOtherProgramsPrint() {
        assertThat(lines("\uFEFF1\n-nan\n+NaN\n0x1p3\n", "--format binary16"))
                .containsExactly("1.0\t0x3c00", "NaN\t0x7e00", "NaN\t0x7e00", "8.0\t0x4800");
        for (String format : List.of("binary16", "mxfp8_e4m3")) {
            round("1f\n1D \n0x1p3f\n\n", "--format " + format)
                    .refused("input: line 1: expected a number, got '1f'; 3 more rejected");
        }
    }

    /** Lines that are not numbers have no effect on the scale of their block; other lines stay in their blocks. */
    @Test
    void linesThatAreNoNumbersKeepTheirPlace() {
        String input = "1\n".repeat(30) + "x\n".repeat(70) + "6\n3\n";
        CommandLineRun run = round(input, "--format mxfp4_e2m1");
        assertThat(run.refusal()).isEqualTo("lemmata: input: line 31: expected a number, got 'x'; 69 more rejected");
        assertThat(run.outLines())
                .hasSize(32)
                .endsWith("6.0\t0x7\t1.0", "3.0\t0x5\t1.0")
                .startsWith("1.0\t0x6\t0.25");
        CommandLineRun words = round("0.5\nx\n0.5\n", "--format integer --mode Stochastic --seed 1");
        List<String> all = lines("0.5\n0.5\n0.5\n", "--format integer --mode Stochastic --seed 1");
        assertThat(words.outLines()).containsExactly(all.get(0), all.get(2));
    }

    @Test
    void theSeedDecides() {
        String input = "0.5\n".repeat(64);
        List<String> first = lines(input, "--format integer --mode Stochastic --seed 1");
        assertThat(lines(input, "--format integer --mode Stochastic --seed 1")).isEqualTo(first);
        assertThat(lines(input, "--format integer --mode Stochastic --seed 2")).isNotEqualTo(first);
        assertThat(lines(input, "--format integer --mode Stochastic"))
                .isEqualTo(lines(input, "--format integer --mode Stochastic --seed 0"));
        assertThat(first).contains("0.0\t0x0000000000000000", "1.0\t0x3ff0000000000000");
    }

    @ParameterizedTest
    @CsvSource({"mxfp8_e4m3", "int8", "int4", "mxint8", "binary16", "integer", "e2m1"})
    void nothingPrintsNothing(String format) {
        assertThat(lines("", "--format " + format)).isEmpty();
    }

    @Test
    void formatsAndModesAreListed() {
        CommandLineRun table = CommandLineRun.of("round", "--formats");
        assertThat(table.quiet().outLines()).allMatch(line -> line.length() <= 120);
        for (String name : TensorRounding.NAMES) {
            assertThat(table.outLines()).anyMatch(line -> line.startsWith(name + " "));
        }
        assertThat(table.out())
                .containsPattern("ocp_e4m3 +8 +4 +-6 +8 +0\\.001953125 +448\\.0 +NaN")
                .containsPattern("e2m1 +4 +2 +0 +2 +0\\.5 +6\\.0 +neither")
                .containsPattern("binary16 +16 +11 +-14 +15 +5\\.9[0-9]+E-8 +65504\\.0 +both")
                .containsPattern("mxint8 +8 blocks of 32: int8 times 2\\^-6 times a power of two")
                .containsPattern("int4 +4 rows: int4 times \\(largest magnitude / 7\\)");
        String help = CommandLineRun.of("round", "--help").out().replaceAll("\\s+", "");
        for (String name : TensorRounding.NAMES) {
            assertThat(help).contains(name);
        }
        for (Rounding.Mode mode : Rounding.Mode.values()) {
            assertThat(help).contains(mode.label());
        }
    }
}

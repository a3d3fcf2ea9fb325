package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Rounds the numbers on standard input. */
@Command(
        name = "round",
        description =
                "Rounds the numbers on standard input, one a line, read as binary64; prints the result and its bits,"
                        + " separated by a tab.")
final class RoundCommand implements Callable<Integer> {

    @Option(
            names = "--format",
            required = true,
            description = "binary64, binary32, binary16, bfloat16, or threshold(p): 0 where |x| <= 2^-p, else x.")
    private String format;

    @Option(names = "--mode", defaultValue = "TiesToEven", description = "TiesToEven (default) or TowardZero.")
    private String mode;

    @Option(names = "--saturate", description = "Overflow gives the largest finite number.")
    private boolean saturate;

    @Option(names = "--no-subnormals", description = "Results below the least normal number become zero.")
    private boolean noSubnormals;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        var rounding = new Rounding(NumberFormat.parse(format), Rounding.Mode.parse(mode), !noSubnormals, saturate);
        PrintWriter out = spec.commandLine().getOut();
        int digits = (rounding.format().codeBits() + 3) / 4;
        int number = 0;
        int illegal = 0;
        String first = "";
        var reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            try {
                double result = rounding.round(parse(line.strip()));
                out.printf(
                        Locale.ROOT,
                        "%s\t0x%0" + digits + "x%n",
                        result,
                        rounding.format().encode(result));
            } catch (NumberFormatException e) {
                illegal++;
                first = illegal == 1 ? "line " + number + ": expected a number, got '" + shown(line) + "'" : first;
            }
        }
        if (illegal > 0) {
            throw new IllegalArgumentException(
                    "input: " + first + (illegal == 1 ? "" : ", and " + (illegal - 1) + " more lines that are no numbers"));
        }
        return ExitCode.CLEAN;
    }

    /** What a terminal can show of a line: its first characters, controls as question marks. */
    private static String shown(String line) {
        String start = line.length() > 60 ? line.substring(0, 60) + "..." : line;
        return start.replaceAll("\\p{Cntrl}", "?");
    }

    /** Java's notation, and the names of infinities and NaN as other languages print them. */
    private static double parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}

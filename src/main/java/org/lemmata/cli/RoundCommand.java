package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.cli.text.FormatTable;
import org.lemmata.number.BlockRounding;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.random.RandomStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Rounds the numbers on standard input. */
@Command(
        name = "round",
        description =
                "Rounds the numbers on standard input, one a line; prints the result and its bits, separated by a tab."
                        + " A block format takes the lines as one row, in blocks of 32, or whole for int8 and int4; it"
                        + " prints the result, the bits of its element, and the scale of its block. Numbers are read as"
                        + " binary64, those of block formats as binary32.")
final class RoundCommand extends OutputCommand {

    @Option(
            names = "--format",
            completionCandidates = FormatNames.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable String format;

    @Option(names = "--formats", description = "Print the formats with their ranges, and nothing else.")
    private boolean formats;

    @Option(
            names = "--mode",
            completionCandidates = ModeNames.class,
            description = "One of ${COMPLETION-CANDIDATES}; TiesToEven by default.")
    private @Nullable String mode;

    @Option(
            names = "--seed",
            description = "What the random words of Stochastic follow from, 0 by default; each line has its own.")
    private @Nullable Long seed;

    @Option(names = "--saturate", description = "Overflow and infinities give the largest finite number.")
    private boolean saturate;

    @Option(names = "--no-subnormals", description = "Results below the smallest normal number become zero.")
    private boolean noSubnormals;

    /** What {@code --format} takes. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TensorRounding.NAMES.iterator();
        }
    }

    /** What {@code --mode} takes. */
    static final class ModeNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Rounding.Mode.values())
                    .map(Rounding.Mode::label)
                    .iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        if (formats) {
            FormatTable.print(out());
            return ExitCode.CLEAN;
        }
        if (format == null) {
            throw new IllegalArgumentException("--format: expected a format, got none; --formats lists them");
        }
        var words = new RandomStream(seed == null ? 0 : seed, 0, 0);
        RoundedLines lines = switch (rounding(format)) {
            case Rounding rounding -> new RoundedLines.Elements(out(), rounding, words);
            case BlockRounding rounding -> new RoundedLines.Blocks(out(), rounding, words);
        };
        BufferedReader reader = InputFile.open("-");
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
        }
        lines.finish();
        return ExitCode.CLEAN;
    }

    /** Refuses options that would change nothing, so that no one relies on them. */
    private TensorRounding rounding(String name) {
        Rounding.Mode direction = mode == null ? Rounding.Mode.TIES_TO_EVEN : Rounding.Mode.parse(mode);
        TensorRounding rounding = TensorRounding.parse(name, direction, !noSubnormals, saturate);
        boolean isFloat = rounding instanceof Rounding elementwise && elementwise.format() instanceof FloatFormat;
        boolean isThreshold =
                rounding instanceof Rounding elementwise && elementwise.format() instanceof ThresholdFormat;
        Refuse.when(saturate && !isFloat, "--saturate", "a float format", name);
        Refuse.when(noSubnormals && !isFloat, "--no-subnormals", "a float format", name);
        if (mode != null && isThreshold) {
            throw new IllegalArgumentException("--mode: expected a format that has neighbours, got " + name);
        }
        if (seed != null && !rounding.isStochastic()) {
            throw new IllegalArgumentException("--seed: expected --mode Stochastic, got " + direction.label());
        }
        return rounding;
    }
}

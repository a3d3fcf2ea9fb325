package org.lemmata.measure.precision;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * The tables of docs/notes/precision-tables.md, with one line of Markdown per format. Seeds are 0, 1, 2, ...; rounding
 * is to nearest even unless stated otherwise.
 */
public final class PrecisionTables {

    /** The maximum tested length. */
    public static final int BOUND = 8192;

    /** The number of heads for a median of a named format. */
    public static final int SEEDS = 101;

    /** The number of heads for a median of {@link #byBits}, and for a rate. */
    public static final int FEWER_SEEDS = 51;

    /** The number of keys of a row in a rate of changes; every 16th row of a head is tested. */
    public static final int RATE_LENGTH = 1024;

    private static final int RATE_STEP = 16;

    private static final int ONES = 4096;

    static final List<Set<Site>> ALL_SITES = List.of(
            EnumSet.of(Site.INPUTS),
            EnumSet.of(Site.SCORES),
            EnumSet.of(Site.EXPONENTIALS),
            Site.tensors(),
            EnumSet.of(Site.SUMS),
            EnumSet.allOf(Site.class));

    private static final List<Set<Site>> TENSOR_SITES = ALL_SITES.subList(0, 4);

    private PrecisionTables() {}

    /**
     * The maximum length by site, measured and by the law: inputs, scores, exponentials, all three, sums, everything;
     * then the minimum and the maximum of all three over the seeds.
     */
    public static String maxLengths(String format) {
        return lengths(format, rounding(format), ALL_SITES, SEEDS);
    }

    /** {@link #maxLengths} for block formats, which only round inputs. */
    public static String maxLengthsOfInputs(String format) {
        return lengths(format, rounding(format), TENSOR_SITES.subList(0, 1), SEEDS);
    }

    /** {@link #maxLengths} without sums, for a number of significand bits and the exponents of binary32. */
    public static String byBits(int bits) {
        var format = new FloatFormat("float(" + bits + ",-126,127)", bits, -126, 127);
        return lengths(Integer.toString(bits), Rounding.toNearestEven(format), TENSOR_SITES, FEWER_SEEDS);
    }

    private static String lengths(String name, TensorRounding rounding, List<Set<Site>> sites, int seeds) {
        int[][] bySeed = IntStream.range(0, seeds)
                .parallel()
                .mapToObj(seed -> {
                    var head = new RoundedArgmax(seed, BOUND);
                    return sites.stream()
                            .mapToInt(set -> head.maxLength(rounding, set))
                            .toArray();
                })
                .toArray(int[][]::new);
        StringBuilder line = new StringBuilder("| " + name + " |");
        for (int at = 0; at < sites.size(); at++) {
            int[] lengths = sorted(bySeed, at);
            line.append(' ')
                    .append(length(lengths[seeds / 2]))
                    .append(" / ")
                    .append(new ArgmaxLaw(rounding, sites.get(at)).medianLength())
                    .append(" |");
        }
        int[] ranged = sorted(bySeed, Math.min(sites.size() - 1, TENSOR_SITES.size() - 1));
        return line + " " + length(ranged[0]) + " to " + length(ranged[seeds - 1]) + " |";
    }

    private static int[] sorted(int[][] bySeed, int column) {
        return Arrays.stream(bySeed).mapToInt(row -> row[column]).sorted().toArray();
    }

    private static String length(int length) {
        return length == BOUND ? "≥ " + BOUND : Integer.toString(length);
    }

    /** The rate of changed rows that see {@value #RATE_LENGTH} keys, measured and by the law, in percent, by site. */
    public static String rates(String format) {
        TensorRounding rounding = rounding(format);
        return ALL_SITES.stream()
                .map(sites -> {
                    int changed = IntStream.range(0, FEWER_SEEDS)
                            .parallel()
                            .map(seed -> RoundedArgmax.changedRows(seed, RATE_LENGTH, RATE_STEP, rounding, sites))
                            .sum();
                    double rows = FEWER_SEEDS * (double) RATE_LENGTH / RATE_STEP;
                    double law = new ArgmaxLaw(rounding, sites).rate(RATE_LENGTH);
                    return String.format(Locale.ROOT, "%.2f / %.2f", 100 * changed / rows, 100 * law);
                })
                .collect(Collectors.joining(" | ", "| " + format + " | ", " |"));
    }

    /**
     * The largest n for which a sum of n ones is exact, measured and by the law; then the sum of {@value #ONES} ones to
     * nearest even, to nearest away, toward zero, and stochastic.
     */
    public static String sumsOfOnes(String name) {
        NumberFormat format = NumberFormat.find(name).orElseThrow();
        String sums = List.of(Mode.TIES_TO_EVEN, Mode.TIES_TO_AWAY, Mode.TOWARD_ZERO, Mode.STOCHASTIC).stream()
                .map(mode -> {
                    var rounding = new Rounding(format, mode, true, false);
                    float sum = RunningSum.ofOnes(ONES, rounding, new RandomStream(0, 0, 0));
                    return sum == Math.rint(sum) ? Integer.toString((int) sum) : Float.toString(sum);
                })
                .collect(Collectors.joining(" | "));
        return "| " + name + " | " + RunningSum.maxCountOfOnes(format) + " / " + RunningSum.maxCountOfOnesByLaw(format)
                + " | " + sums + " |";
    }

    /** The median error of the sum of the weights of a row that sees 64, 256, 1024 and 4096 keys, in percent. */
    public static String errorsOfWeights(String format) {
        Rounding rounding = Rounding.toNearestEven(NumberFormat.find(format).orElseThrow());
        return IntStream.of(64, 256, 1024, 4096)
                .mapToObj(length -> {
                    double[] errors = IntStream.range(0, FEWER_SEEDS)
                            .parallel()
                            .mapToDouble(seed -> RunningSum.errorOfWeights(seed, length, rounding))
                            .sorted()
                            .toArray();
                    return String.format(Locale.ROOT, "%.2f", 100 * errors[FEWER_SEEDS / 2]);
                })
                .collect(Collectors.joining(" | ", "| " + format + " | ", " |"));
    }

    private static TensorRounding rounding(String format) {
        return TensorRounding.parse(format, Mode.TIES_TO_EVEN, true, false);
    }
}

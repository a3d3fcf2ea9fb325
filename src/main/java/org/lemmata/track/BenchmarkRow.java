package org.lemmata.track;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.statistic.Interval;

/**
 * One row of JMH's results.
 *
 * @param benchmarkClass the qualified name of the class
 * @param mode JMH's short name: "thrpt", "avgt", "sample", "ss"
 * @param params the values of the class's parameters, in JMH's order
 * @param settings the options with which JMH ran the row
 * @param score the mean over forks and iterations; NaN if JMH has none
 * @param error half the width of JMH's 99.9% interval; NaN for fewer than three samples
 * @param unit the unit of the score, such as "ops/s" or "ns/op"
 * @param samples the measured iterations, one list per fork; empty if JMH wrote none
 * @param secondary the secondary metrics by name, such as work counters and metrics of profilers
 * @param jvm name and version of the JVM that ran the forks; empty if not recorded
 */
public record BenchmarkRow(
        String benchmarkClass,
        String method,
        String mode,
        SequencedMap<String, String> params,
        RunOptions settings,
        double score,
        double error,
        String unit,
        int forks,
        List<List<Double>> samples,
        SequencedMap<String, Metric> secondary,
        String jvm) {

    /** The benchmark parameter with a kernel's number of threads. Without it, a kernel runs on the calling thread. */
    public static final String THREADS = "threads";

    /**
     * JMH's number of threads as a parameter, added unless it is 1, if the file has the same row with another number.
     */
    static final String JMH_THREADS = "-t";

    /** Separates a method from its secondary metric. */
    private static final String METRIC = ":";

    private static final int MOST_PARTS = 12;

    /**
     * JVM arguments that are not settings of a row. They permit or log something, belong to an IDE, JMH or the AOT
     * cache, or force a vector width or a number of registers. Differences in vector width are found by comparing run
     * records.
     */
    private static final Pattern IGNORED_ARGUMENTS = Pattern.compile(
            "-XX:(UseAVX|UseSSE|UseSVE|MaxVectorSize)=\\d+|-Dlemmata\\.simd\\.bits=\\d+|-Djava\\.awt\\.headless=.*"
                    + "|-D(file|native|(sun\\.)?std(out|err))\\.encoding=.*|-Dcom\\.sun\\.management\\.jmxremote.*"
                    + "|-Djmh\\..*|-Xlog:.*|-XX:AOT.*|-XX:[+-](IgnoreUnrecognizedVMOptions|Unlock\\w+VMOptions)"
                    + "|--enable-native-access=.*|--sun-misc-unsafe-memory-access=.*");

    /** Matches the port of a Java agent. An IDE chooses another port for each run. */
    private static final Pattern AGENT_PORT = Pattern.compile("^(-javaagent:.*\\.jar=)\\d+(?=:|$)");

    /**
     * The options with which JMH ran a row. Rows with different options measure different things.
     *
     * @param threads the number of JMH's own threads, not a parameter of the class
     * @param warmup the warm-up iterations, with their minimum time and batch size: "5 x 400 ms", "5 x 10 s, batches of
     *     3"
     * @param measurement the measured iterations, in the same format
     * @param jvmArgs the JVM arguments of the forks, without the {@linkplain #IGNORED_ARGUMENTS ignored arguments}
     * @param jmhVersion JMH's version, such as "1.37"
     */
    public record RunOptions(int threads, String warmup, String measurement, List<String> jvmArgs, String jmhVersion) {

        /** Stands for an option that the file does not contain. */
        public static final String NOT_RECORDED = "not recorded";

        /** The options of a row whose file records none, with 0 threads and {@link #NOT_RECORDED} as a JVM argument. */
        public static final RunOptions UNKNOWN =
                new RunOptions(0, NOT_RECORDED, NOT_RECORDED, List.of(NOT_RECORDED), NOT_RECORDED);

        public RunOptions {
            jvmArgs = jvmArgs.stream()
                    .filter(argument -> !IGNORED_ARGUMENTS.matcher(argument).matches())
                    .map(argument -> AGENT_PORT.matcher(argument).replaceFirst("$1PORT"))
                    .toList();
        }
    }

    /**
     * A secondary metric: JMH's score, half the width of its interval (possibly NaN), the unit and the samples.
     *
     * @param samples the measured iterations of all forks; empty if JMH wrote none
     */
    public record Metric(double score, double error, String unit, List<Double> samples) {}

    public String benchmark() {
        return benchmarkClass + "." + method;
    }

    /** The number of threads on which the kernel runs. */
    public String threads() {
        return params.getOrDefault(THREADS, "1");
    }

    /** A work counter, if the row has it and it is a rate per second above zero. */
    public Optional<Metric> rate(String counter) {
        return Optional.ofNullable(secondary.get(counter))
                .filter(metric -> metric.unit.equals("ops/s") && metric.score > 0);
    }

    /** Whether every fork has scores, all from 1e-150 to 1e150. Their reciprocals, squares and sums are then finite. */
    public static boolean areSound(List<List<Double>> forks) {
        return forks.stream()
                .allMatch(
                        fork -> !fork.isEmpty() && fork.stream().allMatch(score -> score >= 1e-150 && score <= 1e150));
    }

    public String simpleClass() {
        return benchmarkClass.substring(benchmarkClass.lastIndexOf('.') + 1);
    }

    /** The benchmark with its parameters and mode, such as "org.lemmata.X.vector columns=1024 (thrpt)". */
    public String key() {
        return benchmark() + parameters(params) + " (" + mode + ")";
    }

    /** The {@link #key} with parameters sorted by name, because tools that rewrite a file may change their order. */
    public String sortedKey() {
        return benchmark() + parameters(new TreeMap<>(params)) + " (" + mode + ")";
    }

    /** The benchmark and its own parameters, without the mode, as in {@link ForkRun#row}. */
    String cell() {
        var own = new LinkedHashMap<>(params);
        own.remove(JMH_THREADS);
        return benchmark() + parameters(own);
    }

    /** The parameters with a blank before each: {@code " columns=1024 rows=8"}. */
    public static String parameters(Map<String, String> params) {
        return params.entrySet().stream().map(param -> " " + param).collect(Collectors.joining());
    }

    /** The scores as speeds, [fork][iteration]; empty if they are not sound. Greater is faster. */
    List<List<Double>> speeds() {
        return asSpeeds(samples);
    }

    /**
     * A work counter as rates per second, [fork][iteration]. Empty if the row has no such counter, its values are not
     * {@linkplain #areSound sound}, or their number differs from the score's.
     */
    List<List<Double>> rates(String counter) {
        Metric metric = secondary.get(counter);
        if (metric == null) {
            return List.of();
        }
        double perSecond =
                ScoreUnit.of(metric.unit).map(unit -> 1e9 / unit.nanos()).orElse(1.0);
        return map(asSpeeds(byFork(metric)), rate -> rate * perSecond);
    }

    /** The samples of a secondary metric, split into the forks of the score; empty if the numbers of samples differ. */
    public List<List<Double>> byFork(Metric metric) {
        var byFork = new ArrayList<List<Double>>();
        int next = 0;
        if (metric.samples.size() == samples.stream().mapToInt(List::size).sum()) {
            for (List<Double> fork : samples) {
                byFork.add(metric.samples.subList(next, next + fork.size()));
                next += fork.size();
            }
        }
        return byFork;
    }

    /** Converts scores, or work counters, which have the mode of the score, to speeds; empty if they are not sound. */
    private List<List<Double>> asSpeeds(List<List<Double>> values) {
        if (!areSound(values)) {
            return List.of();
        }
        return higherIsFaster() ? values : map(values, value -> 1 / value);
    }

    private static List<List<Double>> map(List<List<Double>> forks, UnaryOperator<Double> change) {
        return forks.stream().map(fork -> fork.stream().map(change).toList()).toList();
    }

    /**
     * A secondary metric as its own row, which JMH prints as {@code method:metric}. Allocations below 1 byte per
     * operation count as 1, because no object is that small, and occasional allocations of the JVM differ from run to
     * run.
     */
    BenchmarkRow metric(String name) {
        Metric metric = named(name);
        boolean bytes = metric.unit.equals("B/op");
        List<List<Double>> forks = map(byFork(metric), value -> bytes ? Math.max(1, value) : value);
        return with(
                method + METRIC + name, params, metric.score, metric.error, metric.unit, forks, new LinkedHashMap<>());
    }

    Metric named(String name) {
        return Objects.requireNonNull(secondary.get(name), name);
    }

    /**
     * The names of the secondary metrics that are parts of a {@code @Group}. Parts have the unit of the score. Rates of
     * parts add up to the score; the smallest such set counts, because work counters may have the same unit. If the
     * unit is a time, all metrics with it are parts, provided that the score lies between them.
     */
    List<String> groupParts() {
        List<String> names = secondary.keySet().stream()
                .filter(name -> named(name).unit.equals(unit))
                .limit(MOST_PARTS)
                .toList();
        if (settings.threads() < 2 || ScoreUnit.of(unit).isEmpty()) {
            return List.of();
        }
        List<String> parts = List.of();
        for (int set = 0; set < 1 << names.size(); set++) {
            int members = set;
            List<String> some = IntStream.range(0, names.size())
                    .filter(i -> (members >> i & 1) != 0)
                    .mapToObj(names::get)
                    .toList();
            DoubleSummaryStatistics scores =
                    some.stream().mapToDouble(name -> named(name).score).summaryStatistics();
            boolean whole = higherIsFaster()
                    ? Math.abs(scores.getSum() - score) <= 1e-6 * Math.abs(score)
                    : some.size() == names.size() && scores.getMin() <= score && score <= scores.getMax();
            if (whole && some.size() > 1 && (parts.isEmpty() || some.size() < parts.size())) {
                parts = some;
            }
        }
        return parts;
    }

    /** This row in the unit of {@code other} if both units are rates or both are times; otherwise this row. */
    BenchmarkRow inUnitOf(BenchmarkRow other) {
        Optional<ScoreUnit> own = ScoreUnit.of(unit);
        Optional<ScoreUnit> wanted = ScoreUnit.of(other.unit);
        if (unit.equals(other.unit)
                || !own.map(ScoreUnit::isRate).equals(wanted.map(ScoreUnit::isRate))
                || own.isEmpty()
                || wanted.isEmpty()) {
            return this;
        }
        double factor = own.get().scale() / wanted.get().scale();
        List<List<Double>> converted = map(samples, value -> value * factor);
        return with(method, params, score * factor, error * factor, other.unit, converted, secondary);
    }

    /** The mean time per operation in microseconds, [fork][iteration]; 0 if the unit is neither a rate nor a time. */
    List<List<Double>> operationMicros() {
        ScoreUnit time = ScoreUnit.of(unit).orElse(new ScoreUnit(false, 0));
        return map(samples, score -> time.nanosPerOperation(score) / 1000);
    }

    /** Whether a greater score is faster. The unit decides if it is known, because tools that rewrite files keep it. */
    public boolean higherIsFaster() {
        // For metrics in unknown units, such as bytes or cycles, less is better in every mode.
        return higherIsFaster(unit, method.contains(METRIC) ? "" : mode);
    }

    static boolean higherIsFaster(String unit, String mode) {
        return ScoreUnit.of(unit).map(ScoreUnit::isRate).orElse(mode.equals("thrpt"));
    }

    /** The mean of each fork. Forks are independent observations, unlike iterations. */
    public List<Double> forkMeans() {
        return forkMeans(samples);
    }

    /**
     * Student's 95% interval for the mean logarithm of the forks' means, as an interval of scores. Logarithms are used
     * because speeds are compared by ratios. Empty for fewer than two forks, which do not show the spread between JVMs.
     *
     * @param samples one list per fork
     */
    public static Optional<Interval> interval(List<List<Double>> samples) {
        double[] logs = forkMeans(samples).stream().mapToDouble(Math::log).toArray();
        if (logs.length < 2) {
            return Optional.empty();
        }
        Interval interval = Interval.mean(logs);
        return Optional.of(new Interval(Math.exp(interval.low()), Math.exp(interval.high())));
    }

    private static List<Double> forkMeans(List<List<Double>> samples) {
        return samples.stream()
                .filter(fork -> !fork.isEmpty())
                .map(fork ->
                        fork.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN))
                .toList();
    }

    /** This row with only its first {@code most} forks. Scores and errors still include all forks. */
    BenchmarkRow first(int most) {
        if (most >= samples.size()) {
            return this;
        }
        var metrics = new LinkedHashMap<String, Metric>();
        secondary.forEach((name, metric) -> {
            var values = byFork(metric).stream().limit(most).flatMap(List::stream);
            metrics.put(name, new Metric(metric.score, metric.error, metric.unit, values.toList()));
        });
        return with(method, params, score, error, unit, samples.subList(0, most), metrics);
    }

    /** This row with its parameter {@code threads} set to 1, or this row if it has no such parameter. */
    public BenchmarkRow onOneThread() {
        if (!params.containsKey(THREADS)) {
            return this;
        }
        var single = new LinkedHashMap<>(params);
        single.put(THREADS, "1");
        return with(method, single, score, error, unit, samples, secondary);
    }

    BenchmarkRow withThreadsAsParameter() {
        var named = new LinkedHashMap<>(params);
        named.put(JMH_THREADS, Integer.toString(settings.threads()));
        return with(method, named, score, error, unit, samples, secondary);
    }

    private BenchmarkRow with(
            String name,
            SequencedMap<String, String> parameters,
            double mean,
            double half,
            String scale,
            List<List<Double>> values,
            SequencedMap<String, Metric> metrics) {
        return new BenchmarkRow(
                benchmarkClass, name, mode, parameters, settings, mean, half, scale, forks, values, metrics, jvm);
    }
}

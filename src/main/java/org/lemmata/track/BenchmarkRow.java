package org.lemmata.track;

import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One row of JMH's results.
 *
 * @param benchmarkClass the qualified name of the class
 * @param method the benchmark's method
 * @param mode JMH's short name: "thrpt", "avgt", "sample", "ss"
 * @param params the values of the class's parameters, in JMH's order
 * @param settings how it was run
 * @param score the mean over forks and iterations; NaN where JMH has none
 * @param error half the width of JMH's interval at 99.9%; NaN with a single sample
 * @param unit of the score, "ops/s" or "ns/op"
 * @param forks the number of JVMs
 * @param samples the measured iterations, one list a fork; empty where JMH wrote none
 * @param secondary the secondary metrics by name: work counters and what profilers add
 * @param jvm name and version of the JVM that ran the forks; empty if the file does not say
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

    /** The parameter that says on how many threads a kernel runs; what has none runs on the calling thread. */
    public static final String THREADS = "threads";

    /** Stands among the parameters of a row that a file also has with another number of JMH's threads. */
    static final String JMH_THREADS = "-t";

    /** Between a method and its secondary metric. */
    private static final String METRIC = ":";

    private static final int MOST_PARTS = 12;

    /**
     * Arguments of a JVM that are no settings of a row: what permits or logs something, what an IDE adds, and what
     * forces a width of vectors or a number of registers. Which the JVM really used stands in the run record, and has
     * to agree.
     */
    private static final Pattern IGNORED_ARGUMENTS = Pattern.compile(
            "-XX:(UseAVX|UseSSE|UseSVE|MaxVectorSize)=\\d+|-Dlemmata\\.simd\\.bits=\\d+|-Djava\\.awt\\.headless=.*"
                    + "|-D(file|native|(sun\\.)?std(out|err))\\.encoding=.*|-Dcom\\.sun\\.management\\.jmxremote.*"
                    + "|-Djmh\\..*|-Xlog:.*|-XX:AOT.*|-XX:[+-](IgnoreUnrecognizedVMOptions|Unlock\\w+VMOptions)"
                    + "|--enable-native-access=.*|--sun-misc-unsafe-memory-access=.*");

    /** An agent's port, which an IDE draws anew for each run. */
    private static final Pattern AGENT_PORT = Pattern.compile("^(-javaagent:.*\\.jar=)\\d+(?=:|$)");

    /**
     * How JMH ran a row: rows that differ in it measure different things.
     *
     * @param threads JMH's own, not a parameter of the class
     * @param warmup iterations, their minimum time and their batch: "5 x 400 ms", "5 x 10 s, batches of 3"
     * @param measurement the same of what is counted
     * @param jvmArgs of the forks, without those that {@linkplain #IGNORED_ARGUMENTS settle nothing}
     * @param jmhVersion "1.37"
     */
    public record RunOptions(int threads, String warmup, String measurement, List<String> jvmArgs, String jmhVersion) {

        /** What a file does not say. */
        public static final String NOT_RECORDED = "not recorded";

        /** Of a file that does not say; 0 threads, and arguments that are one word. */
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
     * A secondary metric: JMH's score, half the width of its interval (may be NaN), unit, samples.
     *
     * @param samples the measured iterations of all forks; empty where JMH wrote none
     */
    public record Metric(double score, double error, String unit, List<Double> samples) {

        public Metric {
            samples = List.copyOf(samples);
        }
    }

    public BenchmarkRow {
        params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
        samples = samples.stream().map(List::copyOf).toList();
        secondary = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(secondary));
    }

    /** Class and method, qualified. */
    public String benchmark() {
        return benchmarkClass + "." + method;
    }

    /** On how many threads the kernel runs. */
    public String threads() {
        return params.getOrDefault(THREADS, "1");
    }

    /** A counter of work, where it is a rate a second and above zero. */
    public Optional<Metric> rate(String counter) {
        return Optional.ofNullable(secondary.get(counter))
                .filter(metric -> metric.unit.equals("ops/s") && metric.score > 0);
    }

    /** Whether every fork has scores, and all have finite reciprocals, squares and sums: 1e-150 to 1e150. */
    public static boolean areSound(List<List<Double>> forks) {
        return forks.stream()
                .allMatch(
                        fork -> !fork.isEmpty() && fork.stream().allMatch(score -> score >= 1e-150 && score <= 1e150));
    }

    /** The class's name without its package. */
    public String simpleClass() {
        return benchmarkClass.substring(benchmarkClass.lastIndexOf('.') + 1);
    }

    /** What tells the row apart from the others of its file: "org.lemmata.X.vector columns=1024 (thrpt)". */
    public String key() {
        return benchmark() + parameters(params) + " (" + mode + ")";
    }

    /** The same with parameters by name: tools that rewrite a file change their order. */
    String sortedKey() {
        return benchmark() + parameters(new TreeMap<>(params)) + " (" + mode + ")";
    }

    /** The benchmark and its parameters: one process measures all modes. */
    String cell() {
        if (!params.containsKey(JMH_THREADS)) {
            return benchmark() + parameters(params);
        }
        var own = new LinkedHashMap<>(params);
        own.remove(JMH_THREADS);
        return benchmark() + parameters(own);
    }

    /** {@code columns=1024 rows=8}, each with a blank before it. */
    public static String parameters(Map<String, String> params) {
        return params.entrySet().stream().map(param -> " " + param).collect(Collectors.joining());
    }

    /** The scores as speeds, [fork][iteration]: greater is faster. */
    List<List<Double>> speeds() {
        return asSpeeds(samples);
    }

    /**
     * A counter of work as rates, [fork][iteration]: as many in each fork as the score has there. Empty if the row has
     * no such counter, or one of its values is no rate.
     */
    List<List<Double>> rates(String counter) {
        Metric metric = secondary.get(counter);
        return metric == null ? List.of() : asSpeeds(byFork(metric));
    }

    /** The samples of a secondary metric by the forks of the score; none where they do not go together. */
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

    /** Empty where a value is no speed; a counter of work goes with the mode, as the score does. */
    private List<List<Double>> asSpeeds(List<List<Double>> values) {
        if (!areSound(values)) {
            return List.of();
        }
        return higherIsFaster()
                ? values
                : values.stream()
                        .map(fork -> fork.stream().map(value -> 1 / value).toList())
                        .toList();
    }

    /**
     * A secondary metric as a row of its own, which JMH's text calls {@code method:metric}. Bytes per operation below 1
     * count as 1: no object is that small, and what the JVM allocates now and then differs from run to run.
     */
    BenchmarkRow metric(String name) {
        Metric metric = named(name);
        boolean bytes = metric.unit.equals("B/op");
        List<List<Double>> forks = byFork(metric).stream()
                .map(fork -> fork.stream()
                        .map(value -> bytes ? Math.max(1, value) : value)
                        .toList())
                .toList();
        return with(
                method + METRIC + name, params, metric.score, metric.error, metric.unit, forks, new LinkedHashMap<>());
    }

    /** A secondary metric that the row has. */
    Metric named(String name) {
        return Objects.requireNonNull(secondary.get(name), name);
    }

    /**
     * The secondary metrics that are the parts of a {@code @Group}: in the unit of the score, and the fewest whose
     * rates add up to it (counters of work may be there as well), or of times all, with the score between them.
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

    /** The same in another row's unit where both are rates, or both are times; else itself. */
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
        List<List<Double>> converted = samples.stream()
                .map(fork -> fork.stream().map(value -> value * factor).toList())
                .toList();
        return with(method, params, score * factor, error * factor, other.unit, converted, secondary);
    }

    /** How long each operation took on average, in microseconds, [fork][iteration]; 0 where the unit does not tell. */
    List<List<Double>> operationMicros() {
        ScoreUnit time = ScoreUnit.of(unit).orElse(new ScoreUnit(false, 0));
        return samples.stream()
                .map(fork -> fork.stream()
                        .map(score -> time.nanosPerOperation(score) / 1000)
                        .toList())
                .toList();
    }

    /** Whether a larger score is a faster benchmark: read from the unit, which tools that rewrite files keep. */
    public boolean higherIsFaster() {
        // Of what profilers count (bytes, cycles, pauses), less is better, whatever the mode.
        return higherIsFaster(unit, method.contains(METRIC) ? "" : mode);
    }

    static boolean higherIsFaster(String unit, String mode) {
        return ScoreUnit.of(unit).map(ScoreUnit::isRate).orElse(mode.equals("thrpt"));
    }

    /** The mean of each fork: a fork, not an iteration, is one independent observation. */
    public List<Double> forkMeans() {
        return samples.stream()
                .filter(fork -> !fork.isEmpty())
                .map(fork ->
                        fork.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN))
                .toList();
    }

    /** This row, as if its parameter {@code threads} were 1; itself where it has none. */
    public BenchmarkRow onOneThread() {
        if (!params.containsKey(THREADS)) {
            return this;
        }
        var single = new LinkedHashMap<>(params);
        single.put(THREADS, "1");
        return with(method, single, score, error, unit, samples, secondary);
    }

    /** This row as one of several with different numbers of JMH's threads. */
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

package org.lemmata.track;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
        SequencedMap<String, Metric> secondary) {

    /** The parameter that says on how many threads a kernel runs; what has none runs on the calling thread. */
    public static final String THREADS = "threads";

    /**
     * Arguments of a JVM that are no settings of a row: what permits or logs something, and what forces a width of
     * vectors or a number of registers. Which the JVM really used stands in the run record, and has to agree.
     */
    private static final Pattern IGNORED_ARGUMENTS = Pattern.compile(
            "-XX:(UseAVX|UseSSE|UseSVE|MaxVectorSize)=\\d+|-Dlemmata\\.simd\\.bits=\\d+|-Djava\\.awt\\.headless=.*"
                    + "|-Djmh\\..*|-Xlog:.*|-XX:AOT.*|-XX:[+-](IgnoreUnrecognizedVMOptions|Unlock\\w+VMOptions)"
                    + "|--enable-native-access=.*|--sun-misc-unsafe-memory-access=.*");

    private static final Map<String, Double> MICROS =
            Map.of("ns", 1e-3, "us", 1.0, "ms", 1e3, "s", 1e6, "min", 6e7, "hr", 3.6e9, "day", 8.64e10);

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

        /** Of a file that does not say. */
        public static final RunOptions UNKNOWN = new RunOptions(0, "unknown", "unknown", List.of(), "unknown");

        public RunOptions {
            jvmArgs = jvmArgs.stream()
                    .filter(argument -> !IGNORED_ARGUMENTS.matcher(argument).matches())
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
        return cell() + " (" + mode + ")";
    }

    /** The same without the mode: one process measures all modes. */
    String cell() {
        return benchmark() + parameters(params);
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
        int iterations = samples.stream().mapToInt(List::size).sum();
        if (metric == null || metric.samples.size() != iterations) {
            return List.of();
        }
        var forks = new ArrayList<List<Double>>();
        int next = 0;
        for (List<Double> fork : samples) {
            forks.add(metric.samples.subList(next, next + fork.size()));
            next += fork.size();
        }
        return asSpeeds(forks);
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

    /** How long each operation took on average, in microseconds, [fork][iteration]; 0 where the unit does not tell. */
    List<List<Double>> operationMicros() {
        double micros = MICROS.getOrDefault(unit().replaceFirst("^ops/|/op$", ""), 0.0);
        return samples.stream()
                .map(fork -> fork.stream()
                        .map(score -> higherIsFaster() ? micros / score : micros * score)
                        .toList())
                .toList();
    }

    /** Whether a larger score is a faster benchmark: read from the mode, never assumed. */
    public boolean higherIsFaster() {
        return mode.equals("thrpt");
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
        return new BenchmarkRow(
                benchmarkClass, method, mode, single, settings, score, error, unit, forks, samples, secondary);
    }
}

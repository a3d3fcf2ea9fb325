package org.lemmata.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkRow;

/**
 * One benchmark with one value for each parameter.
 *
 * @param params the parameters, in JMH's order
 * @param options all other options of JMH
 * @param forks the number of forks per side
 */
public record BenchmarkCell(String benchmark, SequencedMap<String, String> params, List<String> options, int forks) {

    private static final long JMH_ITERATIONS = 5;
    private static final long JMH_NANOS = 10_000_000_000L;
    /** The names of the mode in which an operation runs once per iteration. */
    static final Set<String> ONCE = Set.of("ss", "SingleShotTime");

    private static final Set<String> ALL = Set.of("all", "All");

    /** The number of JMH's modes other than single shots. */
    private static final int MODES = 3;

    BenchmarkCell with(String param, String value) {
        var more = new LinkedHashMap<>(params);
        more.put(param, value);
        return new BenchmarkCell(benchmark, more, options, forks);
    }

    BenchmarkCell withOptions(List<String> more) {
        return new BenchmarkCell(
                benchmark,
                params,
                Stream.concat(options.stream(), more.stream()).toList(),
                forks);
    }

    BenchmarkCell withForks(int count) {
        return new BenchmarkCell(benchmark, params, options, count);
    }

    /** The value of an option of JMH. If the option is repeated, the last value counts. */
    Optional<String> option(String name) {
        int at = options.lastIndexOf(name);
        return at < 0 ? Optional.empty() : Optional.of(options.get(at + 1));
    }

    /** The qualified name of the benchmark with its parameters, such as "org.lemmata.X.vector columns=1024". */
    public String key() {
        return benchmark + BenchmarkRow.parameters(params);
    }

    public String shortKey() {
        return Refuse.printable(key().substring(benchmarkClass().lastIndexOf('.') + 1));
    }

    /** The value of an option: from the command line, the annotations or JMH's defaults; empty if none has it. */
    String setting(String name, BenchmarkList list) {
        return option(name)
                .or(() -> list.entry(benchmark).map(entry -> entry.settings().get(name)))
                .orElse("");
    }

    /** The seconds of warm-up and measurement in a fork, in all modes; 0 for single shots, whose time is unknown. */
    double seconds(BenchmarkList list) {
        UnaryOperator<String> value = name -> setting(name, list);
        long modes = Stream.of(value.apply("-bm").split(",", -1))
                .mapToInt(mode -> ONCE.contains(mode) ? 0 : ALL.contains(mode) ? MODES : 1)
                .sum();
        double nanos = 0;
        for (List<String> phase : List.of(List.of("-wi", "-w"), List.of("-i", "-r"))) {
            String time = value.apply(phase.getLast());
            nanos += (double) Opponent.amount(value.apply(phase.getFirst())).orElse(JMH_ITERATIONS)
                    * Opponent.amount(time.matches("\\d+") ? time + "s" : time).orElse(JMH_NANOS);
        }
        return modes * nanos / 1e9;
    }

    /** The name without package and parameters, such as "X.vector". */
    String shortName() {
        return shortKey().split(" ", 2)[0];
    }

    public String benchmarkClass() {
        return benchmark.substring(0, Math.max(0, benchmark.lastIndexOf('.')));
    }
}

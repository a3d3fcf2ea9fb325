package org.lemmata.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.track.BenchmarkRow;

/**
 * One benchmark with one value for each parameter.
 *
 * @param benchmark the qualified name of the method
 * @param params the parameters, in JMH's order
 * @param options all other options of JMH
 * @param forks the number of forks on each side
 */
public record BenchmarkCell(String benchmark, SequencedMap<String, String> params, List<String> options, int forks) {

    public BenchmarkCell {
        params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
        options = List.copyOf(options);
    }

    /** A copy with additional options. */
    BenchmarkCell withOptions(List<String> more) {
        return new BenchmarkCell(
                benchmark,
                params,
                Stream.concat(options.stream(), more.stream()).toList(),
                forks);
    }

    /** A copy with another number of forks. */
    BenchmarkCell withForks(int count) {
        return new BenchmarkCell(benchmark, params, options, count);
    }

    /** The value of an option of JMH. If the option is repeated, the last value counts. */
    Optional<String> option(String name) {
        int at = options.lastIndexOf(name);
        return at < 0 ? Optional.empty() : Optional.of(options.get(at + 1));
    }

    /** The qualified name with parameters, such as "org.lemmata.X.vector columns=1024". */
    public String key() {
        return benchmark + BenchmarkRow.parameters(params);
    }

    /** The key without the package. */
    public String shortKey() {
        return Refuse.printable(key().substring(benchmarkClass().lastIndexOf('.') + 1));
    }

    /** The name without package and parameters, such as "X.vector". */
    String shortName() {
        return shortKey().split(" ", 2)[0];
    }

    /** The qualified name of the class. */
    public String benchmarkClass() {
        return benchmark.substring(0, Math.max(0, benchmark.lastIndexOf('.')));
    }
}

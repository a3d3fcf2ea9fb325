package org.lemmata.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Finds benchmarks that cannot take a value given with {@code -p}. This is the case if all annotated values of the
 * parameter begin with a digit and none has the shape of the given value. For example, 64x64x64 has the shape of
 * 128x128x128, but not of 2000x18. If an annotated value is a name, any value fits.
 */
final class ParameterShapes {

    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE]-?\\d+)?");

    /** The annotated values, by benchmark and parameter. */
    private final Map<String, Set<String>> annotated = new HashMap<>();

    private final Set<String> names;

    /**
     * @param names the parameters that {@code -p} sets
     * @param cells the cells with their annotated values
     */
    ParameterShapes(List<String> names, List<BenchmarkCell> cells) {
        this.names = new LinkedHashSet<>(names);
        for (BenchmarkCell cell : cells) {
            for (String name : names) {
                String value = cell.params().get(name);
                if (value != null) {
                    annotated
                            .computeIfAbsent(cell.benchmark() + ' ' + name, key -> new LinkedHashSet<>())
                            .add(value);
                }
            }
        }
    }

    /**
     * The cells whose benchmarks can take the values given with {@code -p}. Reports all others to {@code progress}. If
     * no cell fits, returns all cells and reports none.
     */
    static List<BenchmarkCell> fitting(
            BenchmarkJar jar, JmhArguments arguments, List<BenchmarkCell> cells, Consumer<String> progress)
            throws IOException {
        List<String> names = arguments.parameters();
        if (names.isEmpty()) {
            return cells;
        }
        return new ParameterShapes(names, jar.annotatedCells(arguments)).fitting(cells, progress);
    }

    List<BenchmarkCell> fitting(List<BenchmarkCell> cells, Consumer<String> progress) {
        names.stream()
                .filter(name -> cells.stream().noneMatch(cell -> cell.params().containsKey(name)))
                .forEach(name -> progress.accept("-p " + name + ": no selected benchmark has this parameter"));
        var fitting = new ArrayList<BenchmarkCell>();
        var others = new LinkedHashSet<String>();
        for (BenchmarkCell cell : cells) {
            String misfit = misfit(cell);
            if (misfit.isEmpty()) {
                fitting.add(cell);
            } else {
                others.add(misfit);
            }
        }
        if (fitting.isEmpty()) {
            return cells;
        }
        others.forEach(progress);
        return fitting;
    }

    private String misfit(BenchmarkCell cell) {
        for (String name : names) {
            String value = cell.params().getOrDefault(name, "");
            Set<String> values = annotated.getOrDefault(cell.benchmark() + ' ' + name, Set.of());
            if (!values.isEmpty()
                    && values.stream().allMatch(known -> NUMBER.matcher(known).lookingAt())
                    && values.stream().noneMatch(known -> shape(known).equals(shape(value)))) {
                return "left out: " + cell.benchmark() + ": " + name + ": expected a value such as "
                        + values.iterator().next() + ", got " + value;
            }
        }
        return "";
    }

    private static String shape(String value) {
        return NUMBER.matcher(value).replaceAll("N");
    }
}

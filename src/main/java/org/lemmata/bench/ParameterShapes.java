package org.lemmata.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds benchmarks that cannot take a value given with {@code -p}. This is the case if all annotated values of the
 * parameter begin with a digit and none has the shape of the given value. For example, 64x64x64 has the shape of
 * 128x128x128, but not of 2000x18. If an annotated value is a name, any value fits.
 */
final class ParameterShapes {

    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE]-?\\d+)?");

    private ParameterShapes() {}

    /**
     * The cells whose benchmarks can take the values given with {@code -p}. Reports all others, and parameters that no
     * cell has, to {@code progress}. If no cell fits, returns all cells and reports none of them.
     *
     * @param names the parameters that {@code -p} sets
     * @param annotated the cells with their annotated values
     */
    static List<BenchmarkCell> fitting(
            List<String> names, List<BenchmarkCell> annotated, List<BenchmarkCell> cells, Consumer<String> progress) {
        names.stream()
                .filter(name -> cells.stream().noneMatch(cell -> cell.params().containsKey(name)))
                .forEach(name -> progress.accept("-p " + name + ": no selected benchmark has this parameter"));
        var fitting = new ArrayList<>(cells);
        var misfits = new LinkedHashSet<String>();
        for (String name : names) {
            fitting.removeIf(cell -> {
                String value = cell.params().getOrDefault(name, "");
                List<String> known = annotated.stream()
                        .filter(each -> each.benchmark().equals(cell.benchmark()))
                        .flatMap(each -> Stream.ofNullable(each.params().get(name)))
                        .toList();
                boolean misfit = !known.isEmpty()
                        && known.stream().allMatch(each -> NUMBER.matcher(each).lookingAt())
                        && known.stream().noneMatch(each -> shape(each).equals(shape(value)));
                if (misfit) {
                    misfits.add("left out: " + cell.benchmark() + ": " + name + ": expected a value such as "
                            + known.getFirst() + ", got " + value);
                }
                return misfit;
            });
        }
        if (fitting.isEmpty()) {
            return cells;
        }
        misfits.forEach(progress);
        return fitting;
    }

    private static String shape(String value) {
        return NUMBER.matcher(value).replaceAll("N");
    }
}

package org.lemmata.track;

import java.util.List;

/**
 * How fast one thing is beside another of the same run: unlike a speed, it carries from machine to machine.
 *
 * @param name tells the ratio apart from the others of its run: "org.lemmata.X.vector columns=1024 (thrpt) over scalar"
 * @param numerator speeds [fork][iteration], greater is faster
 * @param denominator speeds of what it is held against; the forks of the two were not paired
 * @param settings how the row of the numerator was run
 * @param reference how that of the denominator was
 */
public record PortableRatio(
        String name,
        List<List<Double>> numerator,
        List<List<Double>> denominator,
        BenchmarkRow.Settings settings,
        BenchmarkRow.Settings reference) {

    public PortableRatio {
        numerator = numerator.stream().map(List::copyOf).toList();
        denominator = denominator.stream().map(List::copyOf).toList();
    }
}

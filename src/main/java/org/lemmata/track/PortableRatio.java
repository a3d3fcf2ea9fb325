package org.lemmata.track;

import java.util.List;

/**
 * How fast one thing is beside another of the same run: unlike a speed, it carries from machine to machine.
 *
 * @param row what is measured
 * @param reference what it is held against
 * @param over what the reference is called: "scalar"
 * @param numerator speeds [fork][iteration] of the row, greater is faster
 * @param denominator those of the reference; the forks of the two were not paired
 */
public record PortableRatio(
        BenchmarkRow row,
        BenchmarkRow reference,
        String over,
        List<List<Double>> numerator,
        List<List<Double>> denominator) {

    public PortableRatio {
        numerator = numerator.stream().map(List::copyOf).toList();
        denominator = denominator.stream().map(List::copyOf).toList();
    }

    /** Tells the ratio apart from the others of its run: "org.lemmata.X.vector columns=1024 (thrpt) over scalar". */
    public String name() {
        return row.key() + " over " + over;
    }
}

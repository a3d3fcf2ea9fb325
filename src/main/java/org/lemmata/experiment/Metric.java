package org.lemmata.experiment;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.statistic.Measurement;

/** Measurements of a model other than its training, validation and test loss, with confidence intervals. */
interface Metric {

    /** The measurements; their names are distinct, and they depend only on the parameters. */
    List<Measurement> measurements(float[] parameters);

    /** The names of measurements that are counts: whole numbers, not rates. */
    default Set<String> counts() {
        return Set.of();
    }

    default SortedMap<String, Double> measure(float[] parameters) {
        var values = new TreeMap<String, Double>();
        measurements(parameters).forEach(measurement -> values.put(measurement.name(), measurement.value()));
        return values;
    }
}

package org.lemmata.experiment;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.statistic.Measurement;

/** What is measured of a model besides its loss, with the interval that its sample leaves. */
interface Metric {

    /** Measurements that follow from the parameters alone, each with a name of its own. */
    List<Measurement> measurements(float[] parameters);

    /** The names of those that are counts: whole numbers, not rates. */
    default Set<String> counts() {
        return Set.of();
    }

    /** The values of these measurements, by name. */
    default SortedMap<String, Double> measure(float[] parameters) {
        var values = new TreeMap<String, Double>();
        measurements(parameters).forEach(measurement -> values.put(measurement.name(), measurement.value()));
        return values;
    }
}

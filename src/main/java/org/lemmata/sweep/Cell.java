package org.lemmata.sweep;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.lemmata.config.Configuration;
import org.lemmata.track.CellRecord;

/**
 * One run of a grid. Cells with the same trial and settings have the same id, even in different sweeps.
 *
 * @param id {@link CellRecord#id} for trial and settings
 * @param trial the name of its {@link Trial}
 * @param yaml its settings as YAML, with defaults except implied ones
 * @param settings its settings as text, by dotted path
 * @param axes its values on the axes of its sweep except the seed, by dotted path
 * @param seed the seed of all random numbers
 * @param cost its cost, in its trial's unit
 */
public record Cell(
        String id,
        String trial,
        String yaml,
        LinkedHashMap<String, String> settings,
        LinkedHashMap<String, String> axes,
        long seed,
        double cost)
        implements Serializable {

    static Cell of(
            String trial,
            String yaml,
            SequencedMap<String, String> settings,
            SequencedMap<String, String> axes,
            long seed,
            double cost) {
        return new Cell(
                CellRecord.id(trial, settings),
                trial,
                yaml,
                new LinkedHashMap<>(settings),
                new LinkedHashMap<>(axes),
                seed,
                cost);
    }

    /** The cell that differs from this one only in its seed, which is among its settings. */
    Cell withSeed(long other) {
        String text = Long.toString(other);
        var changed = new LinkedHashMap<>(settings);
        changed.put(Trial.SEED, text);
        return of(trial, yaml.replaceFirst("(?m)^seed: .*$", "seed: " + text), changed, axes, other, cost);
    }

    /** The settings as a configuration for {@code of}, the cell's trial. */
    Configuration configuration(Trial of) {
        return Configuration.of(Configuration.document("cell " + id, yaml, of.section()), of.section());
    }
}

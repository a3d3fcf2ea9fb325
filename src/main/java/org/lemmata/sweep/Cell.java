package org.lemmata.sweep;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.lemmata.config.Configuration;
import org.lemmata.track.CellRecord;

/**
 * One run of a grid. Two cells with the same settings are the same cell, even in different sweeps.
 *
 * @param id {@link CellRecord#id} for trial and settings
 * @param trial the name of its {@link Trial}
 * @param yaml its settings as a configuration, including defaults except implied ones
 * @param settings its settings as text, by dotted path
 * @param axes the values that distinguish it from the other cells of its sweep, by dotted path
 * @param seed determines all random numbers
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

    /** A cell with the id of its content. */
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

    /** The settings as a configuration for its trial. */
    Configuration configuration(Trial of) {
        return Configuration.of(Configuration.document("cell " + id, yaml, of.section()), of.section());
    }
}

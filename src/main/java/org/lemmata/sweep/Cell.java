package org.lemmata.sweep;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.lemmata.track.CellRecord;

/**
 * One run of a grid. It is what it says: two cells with the same settings are the same cell, whatever sweep they are
 * of.
 *
 * @param id {@link CellRecord#id} of trial and settings
 * @param trial the name of its {@link Trial}
 * @param yaml its settings as a configuration, defaults included but those that are implied
 * @param settings the same, by dotted path
 * @param axes the values that tell it apart from the other cells of its sweep, by dotted path
 * @param seed what everything random in it follows from
 * @param cost what it takes, in its trial's unit
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

    /** A cell, with the id that follows from its content. */
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
}

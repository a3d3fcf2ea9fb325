package org.lemmata.sweep;

import org.jspecify.annotations.Nullable;
import org.lemmata.track.CellRecord;

/**
 * How the run of a cell ended.
 *
 * @param ending the kind of ending
 * @param record its record; null if it was interrupted
 * @param trace the stack trace of the failure; null if there was none
 * @param isOfFiles whether a file operation failed, so that the settings are not to blame
 */
public record CellReport(
        Ending ending,
        @Nullable CellRecord record,
        @Nullable String trace,
        boolean isOfFiles) {

    /** A report without a failed file operation. */
    public CellReport(Ending ending, @Nullable CellRecord record, @Nullable String trace) {
        this(ending, record, trace, false);
    }

    public enum Ending {
        DONE,
        /** The cell failed; this run does not retry it. */
        FAILED,
        /** The cell ran out of memory, possibly because of other cells. */
        OUT_OF_MEMORY,
        /** The cell was stopped and can be resumed. */
        INTERRUPTED
    }

    /** The report of an interrupted cell: a constant, because memory may be exhausted. */
    static final CellReport INTERRUPTED = new CellReport(Ending.INTERRUPTED, null, null);
}

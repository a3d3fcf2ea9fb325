package org.lemmata.sweep;

import org.jspecify.annotations.Nullable;
import org.lemmata.track.CellRecord;

/**
 * How the run of a cell ended.
 *
 * @param ending how it ended
 * @param record its record; null if it was interrupted
 * @param trace the stack trace of the failure; null if there was none
 * @param isOfFiles whether a file operation failed, which is not the cell's fault
 */
public record CellReport(
        Ending ending,
        @Nullable CellRecord record,
        @Nullable String trace,
        boolean isOfFiles) {

    /** The report of a run without a known failure of files. */
    public CellReport(Ending ending, @Nullable CellRecord record, @Nullable String trace) {
        this(ending, record, trace, false);
    }

    /** How a run ended. */
    public enum Ending {
        /** The cell has a result. */
        DONE,
        /** The cell failed after all attempts. */
        FAILED,
        /** The cell ran out of memory, possibly because of other cells. */
        OUT_OF_MEMORY,
        /** The cell was stopped and can be resumed. */
        INTERRUPTED
    }

    private static final CellReport INTERRUPTED_REPORT = new CellReport(Ending.INTERRUPTED, null, null);

    /** Returns a constant without allocating, because memory may be exhausted. */
    static CellReport interrupted() {
        return INTERRUPTED_REPORT;
    }
}

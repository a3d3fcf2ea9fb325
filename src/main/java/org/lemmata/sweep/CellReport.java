package org.lemmata.sweep;

import org.jspecify.annotations.Nullable;
import org.lemmata.track.CellRecord;

/**
 * How the run of a cell ended.
 *
 * @param ending in which way
 * @param record what is recorded of it; null if nothing is, since it was interrupted
 * @param trace the stack trace of what failed; null if nothing did
 * @param isOfFiles whether it failed with files, which says nothing of the cell
 */
public record CellReport(
        Ending ending,
        @Nullable CellRecord record,
        @Nullable String trace,
        boolean isOfFiles) {

    /** Of a run that did not fail with files, or of which that is not known. */
    public CellReport(Ending ending, @Nullable CellRecord record, @Nullable String trace) {
        this(ending, record, trace, false);
    }

    /** In which way a run ended. */
    public enum Ending {
        /** With a result. */
        DONE,
        /** Without one, after as many tries as make sense. */
        FAILED,
        /** For want of memory, of which cells beside it may have taken their share. */
        OUT_OF_MEMORY,
        /** Since it was to stop; it can go on later. */
        INTERRUPTED
    }

    private static final CellReport INTERRUPTED_REPORT = new CellReport(Ending.INTERRUPTED, null, null);

    /** Takes no memory, which may be what is missing. */
    static CellReport interrupted() {
        return INTERRUPTED_REPORT;
    }
}

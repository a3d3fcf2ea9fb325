package org.lemmata.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.sweep.CellRun;
import org.lemmata.track.CellRecord;

/**
 * How a cell ended, on its way from an executor.
 *
 * @param ending in which way
 * @param record what is recorded of it, a line of JSON; null if nothing is
 * @param trace the stack trace of what failed; null if nothing did
 * @param files what it left where the driver does not see it
 */
record CellResult(
        CellRun.Report.Ending ending,
        @Nullable String record,
        @Nullable String trace,
        CellFiles files) implements Serializable {

    /** Of a cell that left no memory even to report that. */
    static final CellResult STARVED = new CellResult(CellRun.Report.Ending.OUT_OF_MEMORY, null, null, CellFiles.NONE);

    private static final String COMMIT = "commit";

    static CellResult of(CellRun.Report report, CellFiles files) {
        CellRecord record = report.record();
        return new CellResult(report.ending(), record == null ? null : record.toJson(), report.trace(), files);
    }

    /**
     * The report as the executor made it; its commit is the driver's, from which the executors have their code, and
     * which they cannot find out.
     */
    CellRun.Report report(String commit) throws IOException {
        if (record == null) {
            return new CellRun.Report(ending, null, trace);
        }
        CellRecord read = CellRecord.parse(Path.of("a result from Spark"), "", record);
        Map<String, String> environment = new TreeMap<>(read.run().environment());
        environment.put(COMMIT, commit);
        CellRecord.Run there = read.run();
        var run = new CellRecord.Run(there.attempts(), there.seconds(), environment, there.hashes());
        return new CellRun.Report(ending, read.withRun(run), trace);
    }
}

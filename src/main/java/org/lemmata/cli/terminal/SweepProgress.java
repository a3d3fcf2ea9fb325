package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;

/** How far a sweep is: a bar where someone watches a terminal, else a line every few seconds; failures at once. */
public final class SweepProgress extends TerminalProgress implements SweepRun.ProgressListener {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter err;
    private final long start = System.nanoTime();
    private final SweepTimeLeft left = new SweepTimeLeft();
    private long lineNanos = start;

    public SweepProgress(PrintWriter err, Sweep sweep, boolean terminal) {
        this.err = err;
        bar = terminal
                ? bar("sweep", sweep.cells().size())
                        .setEtaFunction(state -> timeLeft())
                        .build()
                : null;
    }

    @Override
    public synchronized void changed(SweepRun.Progress progress, Optional<CellRecord> ended) {
        secondsLeft = left.changed((System.nanoTime() - start) * 1e-9, progress, ended);
        ended.filter(record -> record.status() == CellRecord.Status.FAILED)
                .ifPresent(record -> err.println("sweep: cell " + record.cell() + " failed: " + record.reason()));
        if (bar != null) {
            bar.stepTo(progress.done() + progress.failed());
            bar.setExtraMessage(" " + progress.running() + " running, " + progress.failed() + " failed");
        } else if (System.nanoTime() - lineNanos >= BETWEEN_LINES.toNanos()) {
            lineNanos = System.nanoTime();
            err.println("sweep: " + progress.done() + " of " + progress.cells() + " cells done, " + progress.running()
                    + " running, " + progress.failed() + " failed"
                    + timeLeft()
                            .map(time -> ", " + time(time.toMillis() * 1e-3) + " left")
                            .orElse(""));
        }
    }
}

package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;

/** How far a sweep is: a bar where someone watches a terminal, else a line every few seconds; failures at once. */
public final class SweepProgress implements SweepRun.ProgressListener, AutoCloseable {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter err;
    private final @Nullable ProgressBar bar;
    private final long start = System.nanoTime();
    private final SweepTimeLeft left = new SweepTimeLeft();
    private long lineNanos = start;
    private volatile double secondsLeft = Double.NaN;

    public SweepProgress(PrintWriter err, Sweep sweep, boolean terminal) {
        this.err = err;
        bar = terminal
                ? TrainingProgress.bar("sweep", sweep.cells().size())
                        .setEtaFunction(state -> timeLeft())
                        .build()
                : null;
    }

    private Optional<Duration> timeLeft() {
        double seconds = secondsLeft;
        return Double.isFinite(seconds) ? Optional.of(Duration.ofMillis(Math.round(1000 * seconds))) : Optional.empty();
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
                            .map(time -> ", " + TrainingProgress.time(time.toMillis() * 1e-3) + " left")
                            .orElse(""));
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}

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
    private final TimeLeft left = new TimeLeft();
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

    /**
     * When a sweep will have ended: (s - b) / p seconds from now. Cells that ended took so many seconds for a unit of
     * cost; s is what cells that have not ended take at that speed, b what those that run have run so far, and p how
     * many ran at most at once.
     */
    static final class TimeLeft {

        private double nowSeconds;

        /** All cells together. */
        private double ranSeconds;

        private double doneCost;
        private double endedSeconds;
        private double costOfResults;
        private double secondsOfResults;
        private int running;
        private int atOnce;

        /**
         * Takes note of a change, and says how many seconds are left; NaN until a cell has a result.
         *
         * @param seconds since the sweep began
         */
        double changed(double seconds, SweepRun.Progress progress, Optional<CellRecord> ended) {
            ranSeconds += running * (seconds - nowSeconds);
            nowSeconds = seconds;
            running = progress.running();
            atOnce = Math.max(atOnce, running);
            ended.ifPresent(record -> {
                endedSeconds += record.run().seconds();
                // A cell that failed may have done little of its work.
                if (record.status() == CellRecord.Status.DONE) {
                    costOfResults += progress.doneCost() - doneCost;
                    secondsOfResults += record.run().seconds();
                }
            });
            doneCost = progress.doneCost();
            double runSoFar = Math.max(0, ranSeconds - endedSeconds);
            double toRun = progress.leftCost() * secondsOfResults / costOfResults - runSoFar;
            return Math.max(0, toRun) / Math.max(1, atOnce);
        }
    }
}

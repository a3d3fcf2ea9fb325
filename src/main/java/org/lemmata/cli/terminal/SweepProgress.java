package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.util.Optional;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;

/** The progress of a sweep: a bar on a terminal, otherwise a line every few seconds. Failures appear at once. */
public final class SweepProgress extends TerminalProgress implements SweepRun.ProgressListener {

    private final long start = System.nanoTime();
    private final TimeLeft left = new TimeLeft();

    public SweepProgress(PrintWriter err, Sweep sweep) {
        super(err);
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
        } else if (isDue(BETWEEN_LINES)) {
            err.println("sweep: " + progress.done() + " of " + progress.cells() + " cells done, " + progress.running()
                    + " running, " + progress.failed() + " failed"
                    + timeLeft()
                            .map(time -> ", " + time(time.toMillis() * 1e-3) + " left")
                            .orElse(""));
        }
    }

    /**
     * Estimates the seconds until a sweep ends as (s - b) / p. The finished cells determine the seconds per unit of
     * cost. At that speed, the unfinished cells need s seconds in total. The running cells have already run for b
     * seconds, and at most p cells ran at once.
     */
    static final class TimeLeft {

        private double nowSeconds;

        private double ranSeconds;

        private double doneCost;
        private double endedSeconds;
        private double costOfResults;
        private double secondsOfResults;
        private int running;
        private int atOnce;

        /**
         * Records a change and returns the seconds left; NaN until a cell has a result.
         *
         * @param seconds the time since the sweep began
         */
        double changed(double seconds, SweepRun.Progress progress, Optional<CellRecord> ended) {
            ranSeconds += running * (seconds - nowSeconds);
            nowSeconds = seconds;
            running = progress.running();
            atOnce = Math.max(atOnce, running);
            ended.ifPresent(record -> {
                endedSeconds += record.run().seconds();
                // A failed cell may have stopped early.
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

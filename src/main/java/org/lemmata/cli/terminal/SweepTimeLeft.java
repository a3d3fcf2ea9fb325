package org.lemmata.cli.terminal;

import java.util.Optional;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;

/**
 * When a sweep will have ended: (s - b) / p seconds from now. Cells that ended took so many seconds for a unit of cost;
 * s is what cells that have not ended take at that speed, b what those that run have run so far, and p how many ran at
 * most at once.
 */
final class SweepTimeLeft {

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

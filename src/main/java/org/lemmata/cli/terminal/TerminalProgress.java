package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.lemmata.bench.BenchmarkRunner;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.train.TrainingListener;
import org.lemmata.train.TrainingListener.CurvePoint;
import org.lemmata.train.TrainingListener.Progress;

/** A progress bar with the time left, if standard error is a terminal. */
public abstract class TerminalProgress implements AutoCloseable {

    public static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    /** Null if lines are printed instead. */
    @Nullable
    ProgressBar bar;

    volatile double secondsLeft = Double.NaN;

    final PrintWriter err;

    /** The time at which a line was last due. */
    private long lineNanos = System.nanoTime();

    /** Whether standard error is a terminal, so that a bar replaces lines. */
    final boolean terminal = StandardError.isTerminal();

    TerminalProgress(PrintWriter err) {
        this.err = err;
    }

    /** Whether {@code pause} has passed since this method last returned true; at first, since the start. */
    final boolean isDue(Duration pause) {
        long now = System.nanoTime();
        boolean due = now - lineNanos >= pause.toNanos();
        lineNanos = due ? now : lineNanos;
        return due;
    }

    /**
     * A bar on standard error. Its width is read only once, because reading the width replaces the terminal's signal
     * handlers, including those of {@link Interruption}.
     */
    static ProgressBarBuilder bar(String task, long steps) {
        int width = new ConsoleProgressBarConsumer(System.err).getMaxRenderedLength();
        return new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(500)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, width));
    }

    final Optional<Duration> timeLeft() {
        double seconds = secondsLeft;
        return Double.isFinite(seconds) ? Optional.of(Duration.ofMillis(Math.round(1000 * seconds))) : Optional.empty();
    }

    public static String time(double seconds) {
        Duration left = Duration.ofSeconds(Math.round(seconds));
        return left.toHours() > 0
                ? String.format(Locale.ROOT, "%d h %d min", left.toHours(), left.toMinutesPart())
                : left.toMinutes() > 0
                        ? String.format(Locale.ROOT, "%d min %d s", left.toMinutes(), left.toSecondsPart())
                        : left.toSeconds() + " s";
    }

    @Override
    public final void close() {
        if (bar != null) {
            bar.close();
        }
    }

    /** The progress of a benchmark run: a bar on a terminal, otherwise a line per fork. Failures appear at once. */
    public static final class BenchProgress extends TerminalProgress implements BenchmarkRunner.Listener {

        private final String first;
        private final double limit;
        private int forks;
        private int before;
        private int done;
        private double seconds;

        /**
         * @param first the first line to print, or ""
         * @param limit the seconds after which no fork starts
         */
        public BenchProgress(PrintWriter err, String first, double limit) {
            super(err);
            this.limit = limit;
            this.first = first;
        }

        @Override
        public void begins(int forks, int before, double least, @Nullable Path aside) {
            this.forks = forks;
            this.before = before;
            done = before;
            if (!first.isEmpty()) {
                err.println("bench: " + first);
            }
            if (aside != null) {
                err.println("bench: the forks of an unfinished run are kept for 30 days in " + aside
                        + "; repeat its command to continue it");
            }
            if (before > 0) {
                err.println("bench: " + before + " of " + forks + " forks ran before");
            }
            if (forks > before) {
                err.println("bench: " + (forks - before == 1 ? "1 fork takes" : forks - before + " forks take")
                        + " at least " + time(least) + (least > limit ? ", which is more than --limit-minutes" : ""));
            }
            if (terminal) {
                bar = bar("bench", forks).startsFrom(before, Duration.ZERO).build();
            }
        }

        @Override
        public void say(String line) {
            err.println(line);
        }

        @Override
        public void ran(String benchmark, String score, double forkSeconds) {
            done++;
            seconds += forkSeconds;
            if (bar != null) {
                bar.stepTo(done);
                bar.setExtraMessage(" " + benchmark);
            } else {
                double left = seconds / (done - before) * (forks - done);
                err.println("bench: " + done + " of " + forks + " forks, " + benchmark + ": " + score
                        + (done < forks ? "; " + time(left) + " left" : ""));
            }
        }
    }

    /** The progress of a sweep: a bar on a terminal, otherwise a line every few seconds. Failures appear at once. */
    public static final class SweepProgress extends TerminalProgress implements SweepRun.ProgressListener {

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
                err.println("sweep: " + progress.done() + " of " + progress.cells() + " cells done, "
                        + progress.running()
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

    /** The progress of training: a bar on a terminal, otherwise a line every few seconds and at each evaluation. */
    public static final class TrainingProgress extends TerminalProgress implements TrainingListener {

        /** The end of the names of counts; other measurements are rates. */
        private static final String COUNT = "InTraining";

        private final BooleanSupplier stop;
        private final Duration pause;
        private String validation = "";

        /**
         * @param pause the time between lines if it is not a terminal
         * @param stop whether the user requested the end of the run
         */
        public TrainingProgress(PrintWriter err, long steps, Duration pause, BooleanSupplier stop) {
            super(err);
            this.stop = stop;
            this.pause = pause;
            bar = terminal
                    ? bar("train", steps).setEtaFunction(state -> timeLeft()).build()
                    : null;
        }

        @Override
        public void stepped(Progress progress) {
            secondsLeft = progress.secondsLeft();
            if (bar != null) {
                bar.stepTo(progress.step());
                bar.setExtraMessage(String.format(
                        Locale.ROOT,
                        " loss %.4g%s, %.0f tokens/s",
                        progress.trainLoss(),
                        validation,
                        progress.tokensPerSecond()));
            } else if (isDue(pause)) {
                err.println(line(progress));
            }
        }

        private static String line(Progress progress) {
            return String.format(
                    Locale.ROOT,
                    "train: step %d of %d, loss %.4g, %.0f tokens/s%s",
                    progress.step(),
                    progress.steps(),
                    progress.trainLoss(),
                    progress.tokensPerSecond(),
                    Double.isNaN(progress.secondsLeft()) ? "" : ", " + time(progress.secondsLeft()) + " left");
        }

        @Override
        public void measured(CurvePoint point) {
            var measured = new StringJoiner(", ");
            if (point.validationLoss() != null) {
                validation = String.format(Locale.ROOT, ", validation %.4g", point.validationLoss());
                measured.add(String.format(Locale.ROOT, "validation loss %.4g", point.validationLoss()));
            }
            point.measured()
                    .forEach((hook, numbers) -> numbers.forEach(
                            (name, number) -> measured.add(hook + " " + name + " " + text(name, number))));
            if (bar == null && measured.length() > 0) {
                err.println("train: step " + point.step() + ": " + measured);
            }
        }

        private String text(String name, double number) {
            return String.format(Locale.ROOT, name.endsWith(COUNT) ? "%.0f" : "%.4g", number);
        }

        @Override
        public boolean wantsToStop() {
            return stop.getAsBoolean();
        }
    }
}

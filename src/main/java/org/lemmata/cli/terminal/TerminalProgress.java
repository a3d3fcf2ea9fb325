package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

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
}

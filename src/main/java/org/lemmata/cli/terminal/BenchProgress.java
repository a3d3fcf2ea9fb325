package org.lemmata.cli.terminal;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lemmata.bench.BenchmarkRunner;

/** The progress of a benchmark run: a bar on a terminal, otherwise a line per fork. Failures appear at once. */
public final class BenchProgress extends TerminalProgress implements BenchmarkRunner.Listener {

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

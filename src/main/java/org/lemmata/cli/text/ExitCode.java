package org.lemmata.cli.text;

/** Exit codes of every command; where several hold, the first of 2, 1, 3 is taken. */
public final class ExitCode {

    /** Everything as it should be. */
    public static final int CLEAN = 0;

    /** A regression, or a verdict contrary to the pinned one. */
    public static final int CONTRARY = 1;

    /** Bad input: usage, settings, files; also a fault of the program, so that 1 always is a verdict. */
    public static final int USAGE = 2;

    /** A verdict is pinned, and none was reached. */
    public static final int INCONCLUSIVE = 3;

    /** Interrupted by Ctrl-C or a request to end, as shells know it: 128 + SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

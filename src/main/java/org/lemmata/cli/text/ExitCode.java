package org.lemmata.cli.text;

/** Exit codes of every command. If several apply, the order of precedence is 2, 1, 3. */
public final class ExitCode {

    /** Success. */
    public static final int CLEAN = 0;

    /** A regression, or a verdict that contradicts the pinned one. */
    public static final int CONTRARY = 1;

    /** Bad input (usage, settings, files), or a fault of the program, so that 1 is always a verdict. */
    public static final int USAGE = 2;

    /** A verdict is pinned, but none was reached. */
    public static final int INCONCLUSIVE = 3;

    /** Interrupted by Ctrl-C or a request to end: 128 + SIGINT, as in shells. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

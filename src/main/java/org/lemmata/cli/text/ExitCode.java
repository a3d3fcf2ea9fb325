package org.lemmata.cli.text;

/** Exit codes of all commands. If several apply, 2 takes precedence, then 1, then 3. */
public final class ExitCode {

    public static final int CLEAN = 0;

    /** A regression, a verdict that contradicts the pinned one, a failed cell of a sweep, or a wrong or slow kernel. */
    public static final int CONTRARY = 1;

    /**
     * Bad input (usage, settings, files) or a fault of the program. Uncaught exceptions also end with 2, not with 1 as
     * in other Java programs.
     */
    public static final int USAGE = 2;

    /** A pinned verdict was not reached, a benchmark or kernel has no verdict, or there is no baseline. */
    public static final int INCONCLUSIVE = 3;

    /** Interrupted by Ctrl-C or a request to end: 128 + SIGINT, as in shells. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

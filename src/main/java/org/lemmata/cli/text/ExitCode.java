package org.lemmata.cli.text;

/** Exit codes of all commands. If several apply, 2 takes precedence, then 1, then 3. */
public final class ExitCode {

    public static final int CLEAN = 0;

    /** A regression, or a verdict that contradicts the pinned one. */
    public static final int CONTRARY = 1;

    /**
     * Bad input (usage, settings, files) or a fault of the program. Uncaught exceptions do not end with 1, which always
     * means a verdict.
     */
    public static final int USAGE = 2;

    /** No verdict was reached, although one is pinned or a baseline exists. */
    public static final int INCONCLUSIVE = 3;

    /** Interrupted by Ctrl-C or a request to end: 128 + SIGINT, as in shells. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command with its exit code, and where it prints. */
abstract class OutputCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    /** For results. */
    final PrintWriter out() {
        return commandLine().getOut();
    }

    /** For messages. */
    final PrintWriter err() {
        return commandLine().getErr();
    }
}

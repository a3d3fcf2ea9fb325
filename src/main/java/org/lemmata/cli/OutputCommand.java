package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.lemmata.kernel.Kernels;
import org.lemmata.setting.Plugin;
import org.lemmata.track.RunRecord;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command with an exit code, and its output streams. */
@Command(exitCodeList = {"0:Success.", "2:Bad input or a failure; one line on standard error names it."})
abstract class OutputCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    final PrintWriter out() {
        return commandLine().getOut();
    }

    final PrintWriter err() {
        return commandLine().getErr();
    }

    /** The environment of a run with {@code kernels} that begins now: commit, time, machine, JVM and plugins. */
    static Map<String, String> environment(Kernels kernels) {
        return Plugin.recordedIn(RunRecord.now(kernels.description()).environment());
    }
}

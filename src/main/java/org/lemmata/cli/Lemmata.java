package org.lemmata.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. Exit codes are those of {@link ExitCode}. */
@Command(
        name = "lemmata",
        description = "Runs what theory papers say of transformers: constructions, tasks, claims with verdicts, speed.",
        subcommands = {
            DoctorCommand.class,
            TasksCommand.class,
            ConstructionsCommand.class,
            ClaimsCommand.class,
            GenerateCommand.class,
            RunCommand.class,
            RoundCommand.class,
            VerifyCommand.class,
            ReportCommand.class
        },
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = ExitCode.USAGE,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND")
public final class Lemmata {

    private Lemmata() {}

    public static void main(String[] args) {
        StandardError.restore();
        var out = new PrintWriter(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        System.exit(execute(out, new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    /** Runs one command line; results go to {@code out}, messages to {@code err}. */
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        var commandLine = new CommandLine(new Lemmata());
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setParameterExceptionHandler(OneLineErrors::usage);
        commandLine.setExecutionExceptionHandler(OneLineErrors::execution);
        int code = args.length == 0 ? OneLineErrors.noCommand(commandLine) : commandLine.execute(args);
        out.flush();
        err.flush();
        return code;
    }
}

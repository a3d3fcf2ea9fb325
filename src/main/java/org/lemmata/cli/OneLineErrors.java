package org.lemmata.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.setting.Plugin;
import org.lemmata.train.DivergenceException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints one line for an exception caused by bad input. For a fault of the program, prints the stack trace. */
final class OneLineErrors {

    /** The messages, of this project and of picocli, for a word that is not in a list. */
    private static final Pattern NONE_OF_A_LIST =
            Pattern.compile("expected one of (?:the settings |\\[)?(.+?)(?:].* but was|, got) '([^']*)'$");

    private OneLineErrors() {}

    static int usage(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        List<String> suggestions =
                exception instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        String hint = suggestions.isEmpty() ? "" : " (did you mean " + String.join(" or ", suggestions) + "?)";
        String problem = Refuse.withShortQuotes(firstLine(exception.getMessage()))
                .replaceAll("( but was .{60}).+", "$1…")
                // A list of unknown options may be long.
                .replaceAll("^(Un(?:known|matched) .{300}).+", "$1…")
                // Picocli writes this word twice.
                .replace("option option", "option");
        return print(
                command,
                suggesting(problem) + hint + "; see " + command.getCommandSpec().qualifiedName() + " --help");
    }

    static int execution(Exception exception, CommandLine command, ParseResult result) throws Exception {
        return switch (exception) {
            case IllegalArgumentException e -> print(command, suggesting(firstLine(e.getMessage())));
            case DivergenceException e -> print(command, firstLine(e.getMessage()));
            case UncheckedIOException e when e.getCause() != null -> print(command, describe(e.getCause()));
            case IOException e -> print(command, describe(e));
            default -> print(command, firstLine(Plugin.fault(exception).orElseThrow(() -> exception)));
        };
    }

    private static String suggesting(String problem) {
        Matcher none = NONE_OF_A_LIST.matcher(problem);
        return !none.find()
                ? problem
                : problem + Suggestion.hint(none.group(2), List.of(none.group(1).split("; |, (?!.*;)")));
    }

    private static int print(CommandLine command, String line) {
        // No file has a name of more than 255 characters.
        String shortened = line.replaceAll("([^/\\s]{60})[^/\\s]{196,}", "$1…");
        command.getErr()
                .println("lemmata: "
                        + Refuse.printable(shortened + locale(line, System.getProperty("sun.jnu.encoding", ""))));
        return ExitCode.USAGE;
    }

    /** A remedy if the JVM cannot read or write a file name in its locale. */
    static String locale(String line, String encoding) {
        return encoding.equals("UTF-8") || (line.indexOf('\uFFFD') < 0 && !line.contains("unmappable characters"))
                ? ""
                : "; the locale's encoding for names is " + encoding + ": set LC_ALL=C.UTF-8";
    }

    private static String describe(IOException exception) {
        return switch (exception) {
            case NoSuchFileException e -> e.getFile() + ": expected a file, got none" + nearest(e.getFile());
            // Thrown if a directory must be created and a file already has its name.
            case FileAlreadyExistsException e -> {
                String link = nearest(e.getFile());
                yield e.getFile() + ": expected a directory, got " + (link.isEmpty() ? "a file" : "a link" + link);
            }
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case FileSystemException e
            when e.getReason() != null -> e.getFile() + ": " + e.getReason() + nearest(e.getFile());
            default -> firstLine(exception.getMessage());
        };
    }

    /** The obstacle to a missing file: a dangling link, a kernel file system, no temporary directory; or empty. */
    private static String nearest(@Nullable String file) {
        Path missing;
        try {
            missing = file == null ? null : Path.of(file).toAbsolutePath();
        } catch (InvalidPathException e) {
            // The locale cannot represent the file name.
            missing = null;
        }
        for (Path at = missing; at != null; at = at.getParent()) {
            try {
                if (Files.isSymbolicLink(at) && !Files.exists(at)) {
                    return "; " + at + " is a link to " + Files.readSymbolicLink(at) + ", which leads nowhere";
                }
                String type = Files.getFileStore(at).type();
                return type.equals("proc") || type.equals("sysfs")
                        ? "; " + at + " is a kernel file system, in which no files can be created"
                        : "";
            } catch (IOException e) {
                if (at.equals(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath())) {
                    return "; java.io.tmpdir names a directory that is missing, " + at;
                }
            }
        }
        return "";
    }

    private static String firstLine(@Nullable String message) {
        return message == null ? "failed without a message" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}

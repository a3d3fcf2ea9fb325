package org.lemmata.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Claims;
import org.lemmata.cli.terminal.StandardError;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Plugin;
import org.lemmata.sweep.Trial;
import org.lemmata.task.TaskProvider;
import org.lemmata.track.GitCommit;
import org.lemmata.track.MachineIdentity;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The command line. {@link ExitCode} lists the exit codes. */
@Command(
        name = "lemmata",
        description = "Test theorems about transformers by running them, and compare JMH benchmarks.",
        versionProvider = Lemmata.Version.class,
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = ExitCode.USAGE,
        scope = CommandLine.ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "",
        exitCodeList = {
            "0:Success.",
            "1:A slower benchmark, a verdict that contradicts the pinned one, a failed cell, or a slow or wrong"
                    + " kernel.",
            "2:Bad input or a failure; one line on standard error names it.",
            "3:No verdict, although one is pinned or was requested.",
            "130:Interrupted; most commands resume."
        },
        footer = {"  lemmata verify depth.theorem-4.1", "  lemmata help verify"},
        exitCodeListHeading = "%nExit codes:%n",
        footerHeading = "%nExamples:%n")
public final class Lemmata {

    private static final String PLUGINS = "LEMMATA_PLUGINS";

    /** The version of the jar and the commit of its build: "lemmata 0.1.0 (commit 7ee967d6..., 2026-11-28)". */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Version.class.getPackage().getImplementationVersion();
            String built = GitCommit.built();
            // String.join, because the first use of + costs the JVM more time than everything else here.
            String commit = built.isEmpty() ? "" : String.join("", " (commit ", built.replace(" ", ", "), ")");
            return new String[] {
                String.join("", "lemmata ", version == null ? "(not run from its jar)" : version, commit)
            };
        }
    }

    private static final SequencedMap<String, List<Class<?>>> GROUPS = groups();

    private static final List<Class<?>> COMMANDS =
            GROUPS.values().stream().flatMap(List::stream).toList();

    /** Commands that read all other commands. */
    private static final Set<Class<?>> OF_ALL = Set.of(HelpCommand.class, AutoComplete.GenerateCompletion.class);

    /** The ratio of a JVM's total memory to its heap. */
    private static final double JVM_PER_HEAP = 1.25;

    private static SequencedMap<String, List<Class<?>>> groups() {
        var groups = new LinkedHashMap<String, List<Class<?>>>();
        groups.put(
                "Claims and constructions",
                List.of(
                        CatalogueCommand.OfClaims.class,
                        VerifyCommand.class,
                        CatalogueCommand.OfTasks.class,
                        CatalogueCommand.OfConstructions.class,
                        RunCommand.class,
                        BoundCommand.class,
                        RoundCommand.class));
        groups.put(
                "Trained models",
                List.of(
                        GenerateCommand.class,
                        TokenizeCommand.class,
                        TrainCommand.class,
                        EvaluateCommand.class,
                        ModelCommand.OfCompletions.class,
                        ModelCommand.OfLogits.class,
                        SweepCommand.class));
        groups.put("Benchmarks", List.of(BenchCommand.class, CompareCommand.class, DoctorCommand.class));
        groups.put(
                "Results and help",
                List.of(ReportCommand.class, HelpCommand.class, AutoComplete.GenerateCompletion.class));
        return groups;
    }

    private static String groups(CommandLine.Help help) {
        var text = new StringBuilder();
        GROUPS.forEach((title, commands) -> {
            var ofGroup = new LinkedHashMap<>(help.subcommands());
            ofGroup.values()
                    .removeIf(each ->
                            !commands.contains(each.commandSpec().userObject().getClass()));
            text.append("%n%s:%n".formatted(title)).append(help.commandList(ofGroup));
        });
        return text.toString();
    }

    private final Set<Path> plugins = new LinkedHashSet<>();

    Lemmata(List<Path> plugins) {
        this.plugins.addAll(plugins);
    }

    /**
     * This option is allowed before and after a command. picocli parses both parts separately and forgets the options
     * of the first.
     */
    @Option(
            names = "--plugin",
            paramLabel = "JAR",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Add your own claims, tasks, constructions or trials from a jar. You can repeat this option"
                    + " and set LEMMATA_PLUGINS.")
    void addPlugins(@Nullable List<Path> jars) {
        plugins.addAll(Objects.requireNonNullElse(jars, List.of()));
    }

    public static void main(String[] args) {
        StandardError.restore();
        System.exit(run(args));
    }

    private static int run(String[] args) {
        var output = new StandardOutput();
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            int code =
                    execute(pluginsOfEnvironment(), new PrintWriter(output, false, StandardCharsets.UTF_8), err, args);
            String loss = output.loss();
            if (loss == null) {
                return code;
            }
            err.println("lemmata: standard output: " + loss);
        } catch (OutOfMemoryError e) {
            err.println("lemmata: " + outOfMemory(e, Runtime.getRuntime().maxMemory(), MachineIdentity.memory()));
        }
        return ExitCode.USAGE;
    }

    /** The message for a lack of memory, with a remedy if one exists. */
    static String outOfMemory(OutOfMemoryError error, long heap, long machine) {
        if (!"Java heap space".equals(error.getMessage())) {
            return "out of memory: " + error.getMessage();
        }
        return "out of memory: expected more than " + (heap >> 20) + " MiB of heap"
                + (machine > JVM_PER_HEAP * heap
                        ? "; LEMMATA_JAVA_OPTIONS=-Xmx... gives more: the machine has " + (machine >> 20) + " MiB"
                        : ", which is about what the machine has");
    }

    /** Rejects a setting that is given twice, as picocli rejects an option that is given twice. */
    private static ParseResult once(ParseResult parsed) {
        ParseResult command = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        var names = new HashSet<String>();
        command.matchedOptions().stream()
                .distinct()
                .filter(option -> option.typeInfo().isMap())
                .flatMap(option -> option.originalStringValues().stream()
                        .map(pair -> option.longestName() + " " + pair.split("=", 2)[0]))
                .filter(name -> !names.add(name))
                .forEach(name -> {
                    throw new ParameterException(
                            command.commandSpec().commandLine(), Refuse.shown(name) + ": expected once, got twice");
                });
        return parsed;
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return execute(List.of(), out, err, args);
    }

    /**
     * The commands to register: only the one that the first word names, unless it is in {@link #OF_ALL}, because
     * reading annotations takes most of the start-up time. All commands if the word names none.
     */
    private static List<Class<?>> commands(String... args) {
        return COMMANDS.stream()
                .filter(command -> args.length > 0
                        && command.getAnnotation(Command.class).name().equals(args[0])
                        && !OF_ALL.contains(command))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS);
    }

    private static double number(String text) {
        try {
            return Refuse.number(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a double");
        }
    }

    /**
     * Rejects an empty path, which would be the current directory: it usually comes from a variable without a value.
     */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("expected a path, got ''");
        }
        return Path.of(text);
    }

    static CommandLine commandLine(Lemmata lemmata, PrintWriter out, PrintWriter err, String... args) {
        var commandLine = new CommandLine(lemmata);
        commands(args).forEach(commandLine::addSubcommand);
        commandLine.setOut(out);
        commandLine.setErr(err);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setExpandAtFiles(false);
        // Picocli would warn in two lines of its own about a quotation mark in a value.
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
        commandLine.registerConverter(double.class, Lemmata::number);
        commandLine.registerConverter(Double.class, Lemmata::number);
        commandLine.registerConverter(Path.class, Lemmata::path);
        // JMH's options are passed through unchanged.
        commandLine.getSubcommands().entrySet().stream()
                .filter(command -> command.getKey().equals("bench"))
                .forEach(command -> command.getValue().setUnmatchedOptionsArePositionalParams(true));
        commandLine.setParameterExceptionHandler(OneLineErrors::usage);
        commandLine.setExecutionExceptionHandler(OneLineErrors::execution);
        commandLine.setExecutionStrategy(parsed -> runWithPlugins(lemmata.plugins, once(parsed)));
        commandLine.getHelpSectionMap().put(SECTION_KEY_COMMAND_LIST, Lemmata::groups);
        return commandLine;
    }

    private static int execute(List<Path> plugins, PrintWriter out, PrintWriter err, String... args) {
        String[] words = args.length == 0
                ? new String[] {"help", "start"}
                : JsonCommand.withFiles(args, hint -> err.println("lemmata: " + hint));
        // Picocli would reject --args=-h, because -h is also an option of its own.
        Arrays.setAll(words, i -> words[i].startsWith("--args=-") ? words[i].replaceFirst("=", "= ") : words[i]);
        int code = commandLine(new Lemmata(plugins), out, err, words).execute(words);
        out.flush();
        err.flush();
        return code;
    }

    /** Standard output that records errors, so that a full disk leads to a failure. */
    private static final class StandardOutput extends FileOutputStream {

        private @Nullable IOException failure;

        StandardOutput() {
            super(FileDescriptor.out);
        }

        /** The only method that writers call. */
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                super.write(bytes, offset, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** Why output was lost, or null. If a reader such as {@code head} closes the pipe early, that is not a loss. */
        @Nullable
        String loss() {
            String message = failure == null ? null : String.valueOf(failure.getMessage());
            return message == null || message.toLowerCase(Locale.ROOT).contains("broken pipe") ? null : message;
        }
    }

    private static List<Path> pluginsOfEnvironment() {
        String jars = System.getenv().getOrDefault(PLUGINS, "");
        return Arrays.stream(jars.split(Pattern.quote(System.getProperty("path.separator"))))
                .filter(jar -> !jar.isBlank())
                .map(Path::of)
                .toList();
    }

    /** Runs a command with plugins; each plugin is loaded once. If a plugin is unusable, the command does not run. */
    private static int runWithPlugins(Set<Path> jars, ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        try {
            if (!jars.isEmpty()) {
                usePlugins(jars.stream()
                        .map(jar -> jar.toAbsolutePath().normalize())
                        .distinct()
                        .map(Plugin::open)
                        .toList());
            }
            return new CommandLine.RunLast().execute(parsed);
        } catch (IllegalArgumentException e) {
            throw pluginFailure(parsed, String.valueOf(e.getMessage()), e);
        } catch (LinkageError | AssertionError e) {
            throw pluginFailure(parsed, Plugin.fault(e).orElseThrow(() -> e), e);
        }
    }

    private static ExecutionException pluginFailure(ParseResult parsed, String message, Throwable cause) {
        return new ExecutionException(
                parsed.commandSpec().commandLine(), message, new IllegalArgumentException(message, cause));
    }

    /**
     * Checks everything that the plugins offer before making it available.
     *
     * @throws IllegalArgumentException if a plugin offers nothing or something unusable; the message is one line
     */
    private static void usePlugins(List<Plugin> plugins) {
        Set<String> offering = new HashSet<>();
        offering.addAll(
                Catalogue.of("task", TaskProvider.class, plugins).plugins().values());
        offering.addAll(Catalogue.of("construction", ConstructionProvider.class, plugins)
                .plugins()
                .values());
        Claims.found(plugins).forEach(claim -> offering.add(claim.plugin()));
        Trial.found(plugins).forEach(trial -> offering.add(trial.plugin()));
        for (Plugin plugin : plugins) {
            Refuse.when(
                    !offering.contains(plugin.name()),
                    "plugin " + plugin.name(),
                    "a provider of claims, tasks, constructions or trials in META-INF/services",
                    "none");
        }
        Plugin.use(plugins);
    }
}

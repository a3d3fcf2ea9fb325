package org.lemmata.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.PinnedVerdicts;
import org.lemmata.config.Configuration;
import org.lemmata.dataset.DataSet;
import org.lemmata.dataset.text.TokenCorpus;
import org.lemmata.experiment.SavedModel;
import org.lemmata.experiment.TrainingTrial;
import org.lemmata.file.FileTree;
import org.lemmata.model.file.SafeTensorsFile;
import org.lemmata.model.file.StoredModel;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.Trial;
import org.lemmata.track.AcceptedRegressions;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;
import org.lemmata.track.History;
import org.lemmata.track.JmhResults;
import org.lemmata.track.RunRecord;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParseResult;

/** The readers of Lemmata's inputs. The resource directory with the reader's name has inputs that it accepts. */
@SuppressWarnings("ImmutableEnumChecker") // Lambdas without state.
enum Readers {
    SAFETENSORS("model.file.SafeTensorsFile model.file.SafeTensorsHeader", Readers::withLength, (place, input) -> {
        try (SafeTensorsFile file = SafeTensorsFile.open(written(place, "file.safetensors", input))) {
            for (var tensor : file.tensors().values()) {
                if (tensor.type().holdsWeights()) {
                    file.read(tensor);
                }
            }
            if (file.metadata().containsKey("crc32c")) {
                file.verifyChecksum();
            }
        }
    }),

    WEIGHTS(
            "model.file.StoredModel model.file.Weights model.file.ArchitectureJson " + "model.file.Gpt2Weights",
            Readers::withLength,
            (place, input) -> {
                written(place, "config.json", "{\"n_head\":1}".getBytes(UTF_8));
                StoredModel.open(written(place, "model.safetensors", input)).values();
            }),

    // An input with "base:" is a sweep, otherwise a training run.
    CONFIGURATIONS(
            "config.Configuration config.YamlText experiment.TrainingPlan "
                    + "experiment.ModelReader experiment.OptimizerReader experiment.PrecisionReader "
                    + "sweep.Sweep sweep.Axis sweep.Condition",
            (place, input) -> {
                Path file = written(place, "file.yaml", input);
                if (new String(input, UTF_8).contains("base:")) {
                    Sweep.read(file, List.of(), Sweep.FULL);
                } else {
                    Trial trial = new TrainingTrial();
                    trial.check(Configuration.read(file, List.of(), trial.section()));
                }
            }),

    JMH("track.JmhResults file.JsonValue", (place, input) -> JmhResults.read(written(place, "jmh.json", input))),

    RUNS("track.RunRecord track.History track.AcceptedRegressions", (place, input) -> {
        Path file = written(place, "file", input);
        String text = new String(input, UTF_8);
        if (text.startsWith("{\"")) {
            History.read(file);
        } else if (text.startsWith("{")) {
            RunRecord.read(file);
        } else {
            AcceptedRegressions.read(file);
        }
    }),

    CELLS(
            "track.CellRecord file.JsonValue",
            Readers::sealedLines,
            (place, input) -> CellRecord.readAll(written(place, "results.jsonl", input))),

    CLAIMS("claim.ClaimResults claim.PinnedVerdicts", (place, input) -> {
        if (new String(input, UTF_8).startsWith("[")) {
            ClaimResults.read(written(place, "claims.json", input));
        } else {
            written(Files.createDirectories(place.resolve("depth")), "verdicts.json", input);
            call(PinnedVerdicts.class, "ofPaper", new PinnedVerdicts(new Evidence(place)), "depth");
        }
    }),

    JOURNALS("bench.BenchmarkJournal", (place, input) -> {
        Path file = written(place, "run.journal", input);
        ((AutoCloseable) call(type("bench.BenchmarkJournal"), "open", file, "plan")).close();
    }),

    /** A data set's examples or labels, after a line with its manifest. */
    TOKENS("dataset.DataSet token.Example token.Vocabulary", (place, input) -> {
        int line = new String(input, ISO_8859_1).indexOf('\n') + 1;
        written(place, "manifest.json", Arrays.copyOf(input, line));
        written(place, "examples", Arrays.copyOfRange(input, line, input.length));
        written(place, "three", "(\n)\n()\n".getBytes(UTF_8));
        DataSet.open(place).examples("train");
    }),

    // An input with "tokens" is a corpus of GPT-2's tokens, otherwise a data set.
    MANIFESTS("dataset.DataSet dataset.text.TokenCorpus dataset.text.TokenFile", (place, input) -> {
        written(place, "manifest.json", input);
        written(
                place,
                "train.jsonl",
                "{\"input\":[\"(\",\")\"],\"target\":[\")\"],\"position\":[0]}\n".getBytes(UTF_8));
        written(place, "train.bin", new byte[4]);
        if (new String(input, UTF_8).contains("\"tokens\"")) {
            TokenCorpus.open(place);
        } else {
            DataSet set = DataSet.open(place);
            for (String split : set.splits()) {
                set.examples(split);
            }
        }
    }),

    /** A configuration of Hugging Face next to a model, or an index of files. */
    DIRECTORIES("model.file.ModelConfig model.file.ShardIndex experiment.SavedModel", (place, input) -> {
        Files.write(place.resolve("model.safetensors"), WEIGHTS.seeds().getLast());
        boolean index = new String(input, UTF_8).contains("weight_map");
        Path file = written(place, index ? "model.safetensors.index.json" : "config.json", input);
        SavedModel.open(index ? file : place.resolve("model.safetensors"));
        Files.delete(file);
    }),

    /** One word per line; a.json and b.json are results of JMH. Commands that train or measure are only parsed. */
    COMMANDS(
            "cli.Lemmata cli.JsonCommand cli.OneLineErrors cli.CatalogueCommand cli.BoundCommand cli.ClaimsCommand "
                    + "cli.CompareCommand cli.GateOptions cli.TokenizeCommand",
            (place, input) -> {
                FileTree.delete(place.resolve("out"));
                written(place, "a.json", JMH.seeds().getFirst());
                written(place, "b.json", JMH.seeds().getFirst());
                // Operating systems do not pass the character 0.
                String[] words = new String(input, UTF_8)
                        .replace("\0", "")
                        .replaceAll("(?m)(^|=)([ab]\\.json|out$)", "$1" + place + "/$2")
                        .lines()
                        .limit(24)
                        .toArray(String[]::new);
                var out = new StringWriter();
                var err = new StringWriter();
                Class<?> lemmata = type("cli.Lemmata");
                String[] given =
                        (String[]) call(type("cli.JsonCommand"), "withFiles", words, (Consumer<String>) hint -> {});
                var command = (CommandLine) call(
                        lemmata,
                        "commandLine",
                        call(lemmata, "new", List.of()),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        given);
                CommandLine.IExecutionStrategy strategy = command.getExecutionStrategy();
                command.setExecutionStrategy(parsed -> isQuick(parsed, place) ? strategy.execute(parsed) : 0);
                int code = command.execute(given);
                if (code == 2) {
                    throw new IllegalArgumentException(err.toString().strip());
                }
            });

    private static final List<String> QUICK =
            List.of("lemmata", "help", "bound", "claims", "tasks", "constructions", "compare", "tokenize");

    /** Reads an input. Exceptions that {@link Fuzzer#fault} names are faults. */
    @FunctionalInterface
    interface Reading {
        void read(Path place, byte[] input) throws Exception;
    }

    private final String classes;
    private final Reading reading;
    private final UnaryOperator<byte[]> repairs;

    Readers(String classes, Reading reading) {
        this(classes, input -> input, reading);
    }

    /**
     * @param classes the reading classes without {@code org.lemmata.}, separated by blanks
     * @param repairs corrects checksums and lengths of an input, so that the code after their checks is reached
     */
    Readers(String classes, UnaryOperator<byte[]> repairs, Reading reading) {
        this.classes = classes;
        this.reading = reading;
        this.repairs = repairs;
    }

    void read(Path place, byte[] input) throws Exception {
        reading.read(place, input);
    }

    byte[] repaired(byte[] input) {
        return repairs.apply(input);
    }

    List<String> classes() {
        return List.of(classes.split(" ", -1));
    }

    /** Inputs that are accepted. */
    List<byte[]> seeds() {
        return files(name().toLowerCase(Locale.ROOT));
    }

    /** Inputs that once caused faults and are now rejected. */
    List<byte[]> rejected() {
        return files(name().toLowerCase(Locale.ROOT) + "-rejected");
    }

    private static List<byte[]> files(String directory) {
        URL place = Readers.class.getResource(directory);
        if (place == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(place.toURI()))) {
            var inputs = new ArrayList<byte[]>();
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
            return List.copyOf(inputs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path written(Path place, String name, byte[] input) throws IOException {
        return Files.write(place.resolve(name), input);
    }

    /** The length of the header of a safetensors file: up to its last brace, and blanks. */
    private static byte[] withLength(byte[] input) {
        int end = input.length;
        while (end > 0 && input[end - 1] != '}') {
            end--;
        }
        while (end < input.length && input[end] == ' ') {
            end++;
        }
        byte[] output = input.clone();
        if (end > Long.BYTES) {
            ByteBuffer.wrap(output).order(ByteOrder.LITTLE_ENDIAN).putLong(end - Long.BYTES);
        }
        return output;
    }

    private static byte[] sealedLines(byte[] input) {
        return new String(input, UTF_8)
                .lines()
                .map(line -> line.replaceFirst(",\"checksum\":\"[0-9a-f]{16}\"}$", "}"))
                .map(line -> line.endsWith("}") ? sealed(line) : line)
                .reduce("", (all, line) -> all + line + "\n")
                .getBytes(UTF_8);
    }

    private static String sealed(String line) {
        try {
            return (String) call(CellRecord.class, "sealed", line);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isQuick(ParseResult parsed, Path place) {
        ParseResult last = parsed;
        boolean quick = true;
        while (quick) {
            quick = QUICK.contains(last.commandSpec().name())
                    && last.matchedArgs().stream().noneMatch(argument -> isOther(argument, place));
            if (!last.hasSubcommand()) {
                break;
            }
            last = last.subcommand();
        }
        return quick;
    }

    /** Whether an argument is a file outside {@code place}. */
    private static boolean isOther(ArgSpec argument, Path place) {
        return Stream.of(argument.auxiliaryTypes()).anyMatch(Path.class::equals)
                && argument.stringValues().stream()
                        .anyMatch(value -> !value.equals("-")
                                && !Path.of(value).normalize().startsWith(place));
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName("org.lemmata." + name, true, Readers.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    /** Calls a package-private method or, with the name {@code new}, a constructor. */
    private static Object call(Class<?> type, String name, Object... arguments) throws Exception {
        try {
            for (Executable each : name.equals("new") ? type.getDeclaredConstructors() : type.getDeclaredMethods()) {
                boolean wanted = name.equals("new") || each.getName().equals(name);
                boolean instance = each instanceof Method && !Modifier.isStatic(each.getModifiers());
                if (wanted && each.getParameterCount() == arguments.length - (instance ? 1 : 0)) {
                    each.setAccessible(true);
                    Object[] rest = instance ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
                    return each instanceof Method method
                            ? method.invoke(instance ? arguments[0] : null, rest)
                            : ((Constructor<?>) each).newInstance(rest);
                }
            }
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        }
        throw new NoSuchMethodException(type + "." + name);
    }
}

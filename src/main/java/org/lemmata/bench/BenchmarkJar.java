package org.lemmata.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

/**
 * A jar of JMH benchmarks, with the libraries that its manifest names and those in {@code peers-lib} next to it.
 *
 * @param file the jar
 * @param title a short name of the source of the build, such as "HEAD~1 (16ec9eb5)"; otherwise the path of the file
 * @param commit the commit from which the jar was built, with "-dirty" if files had changed; empty if unknown
 * @param chosen the JVM that runs the jar; if empty, {@link #jvm} finds one
 */
public record BenchmarkJar(Path file, String title, String commit, Optional<ForkJvm> chosen) {

    private static final Pattern SHAPE_NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE]-?\\d+)?");

    /** The jar that the Maven profile {@code jmh} builds. */
    public static final Path BUILT = Path.of("target", "lemmata-benchmarks.jar");

    /** Names of the entries that are hashed: all except the metadata of a build. */
    private static final Pattern CODE = Pattern.compile("(?!META-INF/)|META-INF/(versions|services)/");

    /** Lines that the JVM prints before the program starts. */
    static final Pattern SAID_BY_JVM = Pattern.compile("WARNING: Using incubator modules|Picked up \\w+_OPTIONS: ");

    private static final Pattern PARAM = Pattern.compile("  param \"([^\"]*)\" = \\{(.*)}");

    /** An entry that only Lemmata's own jar has. */
    private static final String OWN_ENTRY = "org/lemmata/benchmark/MachineBenchmark.class";

    /** Options for running JMH on Lemmata's own jar; forks inherit them. */
    private static final List<String> JVM_OPTIONS = List.of("--add-modules", "jdk.incubator.vector");

    /** The main class of JMH. */
    static final String JMH = "org.openjdk.jmh.Main";

    /** Permits sun.misc.Unsafe, which JMH 1.37 still uses. JVMs before 23 reject this option. */
    private static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

    /** JMH versions whose results lack data that a comparison needs. */
    private static final Pattern OLD_JMH = Pattern.compile("1\\.(\\d|1\\d|20)(\\D.*)?");

    /**
     * Opens the jar at a path.
     *
     * @throws IOException if the file does not exist or is not a jar of JMH benchmarks, or its path contains the path
     *     separator
     */
    public static BenchmarkJar open(Path file) throws IOException {
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw new MalformedFileException(
                    file,
                    "",
                    "expected a jar of benchmarks, got " + (Files.exists(file) ? "a directory" : "none")
                            + (file.equals(BUILT)
                                    ? "; --jar names one, mvn -P jmh -DskipTests package builds Lemmata's"
                                    : ""));
        }
        if (file.toString().contains(File.pathSeparator)) {
            throw new MalformedFileException(
                    file, "", "expected a path without " + File.pathSeparator + ", which separates the jars of a JVM");
        }
        try (var jar = new JarFile(file.toFile())) {
            if (jar.getEntry(BenchmarkList.FILE) == null) {
                throw new MalformedFileException(
                        file, "", "expected a jar of JMH benchmarks, got one without " + BenchmarkList.FILE);
            }
            return new BenchmarkJar(file, file.toString(), "", Optional.empty());
        } catch (ZipException e) {
            throw new MalformedFileException(file, "", "expected a JMH jar, got no jar: " + e.getMessage());
        }
    }

    /** @param origin the new title */
    BenchmarkJar of(String origin, String builtFrom) {
        return new BenchmarkJar(file, origin, builtFrom, chosen);
    }

    BenchmarkJar on(ForkJvm other) {
        return new BenchmarkJar(file, title, commit, Optional.of(other));
    }

    /** A copy on the JVM that {@code -jvm} names; without that option, on {@link #jvm}. */
    public BenchmarkJar onJvmOf(JmhArguments arguments) throws IOException {
        List<String> named = arguments.values("-jvm");
        return on(named.isEmpty() ? jvm() : ForkJvm.of(Path.of(named.getLast())));
    }

    /**
     * The JVM that runs this jar: the chosen JVM if there is one. Otherwise it is the JVM of this process for Lemmata's
     * own jar, and the user's JVM for any other jar.
     *
     * @throws IOException if no JVM can run benchmarks
     */
    ForkJvm jvm() throws IOException {
        return chosen.isPresent() ? chosen.get() : isOwn() ? ForkJvm.ours() : ForkJvm.owners();
    }

    /** The JVM that runs the jar, and its version of JMH, such as "JDK ..., /usr/bin/java, JMH 1.37". */
    public String runsOn() throws IOException {
        ForkJvm jvm = jvm();
        return jvm.version() + ", " + jvm.java()
                + jmhVersion().map(version -> ", JMH " + version).orElse("");
    }

    private boolean isOwn() throws IOException {
        try (var jar = new JarFile(file.toFile())) {
            return jar.getEntry(OWN_ENTRY) != null;
        }
    }

    /**
     * The start of a command line that runs a class of this jar or of its libraries.
     *
     * @param before the jars that come first on the class path, such as that of Lemmata's profilers
     * @param options additional options of the JVM
     */
    List<String> command(String mainClass, List<Path> before, String... options) throws IOException {
        var command = new ArrayList<String>();
        ForkJvm jvm = jvm();
        command.add(jvm.java().toString());
        if (isOwn()) {
            command.addAll(JVM_OPTIONS);
            command.addAll(jvm.equals(ForkJvm.ours()) ? List.of(UNSAFE) : List.of());
        }
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(before.stream().map(each -> each + File.pathSeparator).collect(Collectors.joining()) + file
                + File.pathSeparator + file.resolveSibling("peers-lib") + File.separator + "*");
        command.add(mainClass);
        return command;
    }

    /** The cells that a JMH command line selects, without benchmarks that cannot take a value given with {@code -p}. */
    public List<BenchmarkCell> fittingCells(JmhArguments arguments, int defaultForks, Consumer<String> progress)
            throws IOException {
        List<BenchmarkCell> cells = cells(arguments, defaultForks);
        List<String> names = arguments.parameters();
        return names.isEmpty() ? cells : fitting(names, annotatedCells(arguments), cells, progress);
    }

    /**
     * The cells that a JMH command line selects, in JMH's order: every benchmark with every combination of parameter
     * values.
     *
     * @param defaultForks the number of forks if the command line has no {@code -f}
     * @throws IllegalArgumentException if no benchmark matches, JMH rejects the command line, or a value contains a
     *     comma, which JMH would read as two values
     */
    public List<BenchmarkCell> cells(JmhArguments arguments, int defaultForks) throws IOException {
        return cells(arguments, defaultForks, true);
    }

    /** The cells with their annotated parameter values, ignoring {@code -p}. A value with ", " in it counts as two. */
    List<BenchmarkCell> annotatedCells(JmhArguments arguments) throws IOException {
        return cells(arguments.withoutParameters(), 1, false);
    }

    private List<BenchmarkCell> cells(JmhArguments arguments, int defaultForks, boolean toRun) throws IOException {
        Optional<String> version = jmhVersion();
        if (version.isPresent() && OLD_JMH.matcher(version.get()).matches()) {
            throw new MalformedFileException(file, "", "expected JMH 1.21 or newer, got " + version.get());
        }
        Output output = jmh(arguments, "-lp");
        if (output.code != 0) {
            throw new IllegalArgumentException("JMH: "
                    + output.text
                            .replaceFirst("^(Error parsing command line:|Exception in thread .*Exception:)\\s+", "")
                            .lines()
                            .findFirst()
                            .orElse("failed without a message"));
        }
        BenchmarkList list = list();
        // JMH lists a benchmark once for each of its modes; one process measures all of them.
        var cells = new LinkedHashSet<BenchmarkCell>();
        List<String> options = arguments.withoutParameters().options();
        int forks = arguments.forks().orElse(defaultForks);
        String benchmark = "";
        List<BenchmarkCell> ofBenchmark = List.of();
        for (String line : output.text
                .lines()
                .dropWhile(line -> !line.startsWith("Benchmarks:"))
                .skip(1)
                .toList()) {
            Matcher param = PARAM.matcher(line);
            if (param.matches()) {
                String name = param.group(1);
                String listed = param.group(2);
                if (toRun) {
                    requireNoComma(benchmark, name, listed, arguments, list);
                }
                ofBenchmark = ofBenchmark.stream()
                        .flatMap(cell -> Stream.of(listed.split(", ")).map(value -> cell.with(name, value)))
                        .toList();
            } else if (!line.isBlank()) {
                cells.addAll(ofBenchmark);
                benchmark = line.strip();
                ofBenchmark = List.of(new BenchmarkCell(benchmark, new LinkedHashMap<>(), options, forks));
            }
        }
        cells.addAll(ofBenchmark);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("expected regular expressions of benchmarks, got "
                    + String.join(" ", arguments.includes()) + ", which match none of " + file + "; -l lists them");
        }
        return List.copyOf(cells);
    }

    private Output jmh(JmhArguments arguments, String... first) throws IOException {
        List<String> command = command(JMH, List.of());
        command.addAll(List.of(first));
        command.addAll(arguments.includes());
        command.addAll(arguments.options());
        return run(command);
    }

    /** @param listed the values of the parameter, as JMH prints them: "first, second" */
    private static void requireNoComma(
            String benchmark, String name, String listed, JmhArguments arguments, BenchmarkList list) {
        List<String> values = List.of(listed.split(", "));
        Optional<Integer> annotated = arguments.parameters().contains(name)
                ? Optional.empty()
                : list.entry(benchmark).map(entry -> entry.values().get(name));
        if (annotated.orElse(values.size()) != values.size()
                || values.stream().anyMatch(value -> value.contains(","))) {
            throw new IllegalArgumentException(name + " of " + benchmark + ": expected values without a comma, got "
                    + listed + "; set others with -p");
        }
    }

    /** Passes a listing option such as {@code -l} or {@code -h} to JMH and returns what it prints. */
    public String answer(JmhArguments arguments) throws IOException {
        return jmh(arguments).text;
    }

    /**
     * The machine and the commit. Lemmata's own jar reports them, in a JVM with the options of the forks. For any other
     * jar, the record has this machine, the JVM of the forks, an unknown vector width, and the commit of the checkout
     * around the jar. If {@link #commit} is known, it is kept.
     */
    public RunRecord record(JmhArguments arguments) throws IOException {
        RunRecord seen = seen(arguments);
        return commit.isEmpty()
                ? seen
                : new RunRecord(commit, seen.time(), seen.seeds(), seen.machine(), seen.session());
    }

    private RunRecord seen(JmhArguments arguments) throws IOException {
        Path directory = file.toAbsolutePath().resolveSibling("");
        if (!isOwn()) {
            return RunRecord.now(directory, MachineIdentity.current("unknown").on(jvm().version()));
        }
        Path answer = Files.createTempFile("lemmata-", ".run.json");
        try {
            List<String> command = command("org.lemmata.cli.Lemmata", List.of());
            for (String option : List.of("-jvmArgs", "-jvmArgsPrepend", "-jvmArgsAppend")) {
                for (String value : arguments.values(option)) {
                    command.addAll(command.size() - 1, JmhArguments.words(value));
                }
            }
            command.addAll(List.of("doctor", "--no-check", "--record", answer.toString()));
            if (run(command).code == 0) {
                return RunRecord.read(answer);
            }
        } finally {
            Files.deleteIfExists(answer);
        }
        return RunRecord.now(directory, MachineIdentity.current("unknown"));
    }

    BenchmarkList list() throws IOException {
        try (var jar = new JarFile(file.toFile());
                InputStream in = jar.getInputStream(jar.getEntry(BenchmarkList.FILE))) {
            return BenchmarkList.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The version of JMH in this jar or its libraries; empty if unknown. */
    Optional<String> jmhVersion() throws IOException {
        URL[] classPath = {file.toUri().toURL()};
        try (var libraries = new URLClassLoader(classPath, null);
                InputStream in = libraries.getResourceAsStream("jmh.properties")) {
            var properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return Optional.ofNullable(properties.getProperty("jmh.version"));
        }
    }

    /**
     * A hash of the classes and resources of this jar and of its libraries. Builds of the same source have the same
     * hash.
     */
    public String hash() throws IOException {
        MessageDigest digest = Sha256.digest();
        for (Path jar : jars()) {
            try (var entries = new JarFile(jar.toFile())) {
                var names = new TreeSet<String>();
                entries.stream()
                        .filter(entry -> !entry.isDirectory()
                                && CODE.matcher(entry.getName()).lookingAt())
                        .forEach(entry -> names.add(entry.getName() + ' ' + entry.getCrc()));
                names.forEach(name -> digest.update((name + '\n').getBytes(StandardCharsets.UTF_8)));
            }
        }
        return Sha256.hex(digest, 16);
    }

    /** The modification times and lengths of the jars. While these do not change, the hash does not change either. */
    String stamp() throws IOException {
        var stamps = new ArrayList<String>();
        for (Path jar : jars()) {
            stamps.add(jar + " " + Files.getLastModifiedTime(jar) + " " + Files.size(jar));
        }
        return String.join("\n", stamps);
    }

    private List<Path> jars() throws IOException {
        var jars = new ArrayList<Path>();
        jars.add(file);
        try (var jar = new JarFile(file.toFile())) {
            String libraries = jar.getManifest() == null
                    ? null
                    : jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            if (libraries != null) {
                for (String library : libraries.split(" ", -1)) {
                    Path path = library(library);
                    if (Files.isRegularFile(path)) {
                        jars.add(path);
                    }
                }
            }
        }
        Path peers = file.resolveSibling("peers-lib");
        if (Files.isDirectory(peers)) {
            try (Stream<Path> libraries = Files.list(peers)) {
                libraries
                        .filter(library -> library.toString().endsWith(".jar"))
                        .sorted()
                        .forEach(jars::add);
            }
        }
        return jars;
    }

    /** The file of an entry of the manifest's class path, which is a URL relative to that of the jar. */
    private Path library(String entry) {
        try {
            return Path.of(file.toUri().resolve(entry));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            // The JVM also accepts characters that a URI must escape.
            return file.resolveSibling(entry);
        }
    }

    private record Output(int code, String text) {}

    private static Output run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String ours = text.lines()
                .filter(line -> !SAID_BY_JVM.matcher(line).lookingAt())
                .reduce("", (before, line) -> before + line + "\n");
        return new Output(process.onExit().join().exitValue(), ours);
    }

    /**
     * The cells whose benchmarks can take the values given with {@code -p}. A benchmark cannot take a value if all
     * annotated values of the parameter begin with a digit and none has the shape of the given value. For example,
     * 64x64x64 has the shape of 128x128x128, but not of 2000x18. If an annotated value is a name, any value fits.
     *
     * <p>Reports all other benchmarks, and parameters that no cell has, to {@code progress}. If no cell fits, returns
     * all cells and reports none of them.
     *
     * @param names the parameters that {@code -p} sets
     * @param annotated the cells with their annotated values
     */
    static List<BenchmarkCell> fitting(
            List<String> names, List<BenchmarkCell> annotated, List<BenchmarkCell> cells, Consumer<String> progress) {
        names.stream()
                .filter(name -> cells.stream().noneMatch(cell -> cell.params().containsKey(name)))
                .forEach(name -> progress.accept("-p " + name + ": no selected benchmark has this parameter"));
        var fitting = new ArrayList<>(cells);
        var misfits = new LinkedHashSet<String>();
        for (String name : names) {
            fitting.removeIf(cell -> {
                String value = cell.params().getOrDefault(name, "");
                List<String> known = annotated.stream()
                        .filter(each -> each.benchmark().equals(cell.benchmark()))
                        .flatMap(each -> Stream.ofNullable(each.params().get(name)))
                        .toList();
                boolean misfit = !known.isEmpty()
                        && known.stream()
                                .allMatch(each -> SHAPE_NUMBER.matcher(each).lookingAt())
                        && known.stream().noneMatch(each -> shape(each).equals(shape(value)));
                if (misfit) {
                    misfits.add("left out: " + cell.benchmark() + ": " + name + ": expected a value such as "
                            + known.getFirst() + ", got " + value);
                }
                return misfit;
            });
        }
        if (fitting.isEmpty()) {
            return cells;
        }
        misfits.forEach(progress);
        return fitting;
    }

    private static String shape(String value) {
        return SHAPE_NUMBER.matcher(value).replaceAll("N");
    }
}

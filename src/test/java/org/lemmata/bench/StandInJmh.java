package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.FileTree;

/**
 * A stand-in for a JMH jar, because JMH is not on the class path of the tests. It lists four benchmarks, and writes
 * rows whose score is the number of forks that have ended.
 *
 * @param jar the jar, in its own directory
 */
public record StandInJmh(BenchmarkJar jar) {

    /** The list that the annotation processor would write: 2 x 200 ms and 3 x 100 ms, {@code fast} with -Xbatch. */
    public static final String LIST = """
        JMH S 10 demo.Bench S 1 G S 5 fails S 11 AverageTime %1$s E M 0 U 11 NANOSECONDS E E\s
        JMH S 10 demo.Bench S 1 G S 4 fast S 11 AverageTime %1$s L 1 7 -Xbatch M 1 1 n 2 1 x 1 y U 11 NANOSECONDS E E\s
        JMH S 10 demo.Bench S 1 G S 5 modes S 11 AverageTime %1$s E M 0 U 11 NANOSECONDS E E\s
        JMH S 10 demo.Bench S 1 G S 5 modes S 10 Throughput %1$s E M 0 U 11 NANOSECONDS E E\s
        JMH S 10 demo.Bench S 1 G S 6 sleeps S 11 AverageTime %1$s E M 0 U 11 NANOSECONDS E E\s
        """.formatted("E A 1 1 1 E I 1 2 T 6 200 ms E I 1 3 T 6 100 ms E I 1 1 E E E E");

    private static final String SOURCE = """
        package org.openjdk.jmh;

        import java.nio.file.*;
        import java.util.*;

        public class Main {
            public static void main(String[] args) throws Exception {
                // Not the first of the class path: the barrier of a duet goes before it.
                Path home = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getParent();
                boolean trial = String.join(" ", args).contains("ThreadProfile");
                boolean duet = String.join(" ", args).contains("DuetBarrier:");
                // Side, own core, the other's, file.
                String[] place = duet ? String.join(" ", args).replaceAll(".*DuetBarrier:(\\\\S+).*", "$1").split(",") : null;
                String include = "";
                Path values = home.resolve("values");
                String n = Files.exists(values) ? Files.readString(values) : "1, 2";
                String results = "";
                boolean list = false;
                for (int i = 0; i < args.length; i++) {
                    switch (args[i]) {
                        case "-lp" -> list = true;
                        case "-h" -> { System.out.println("Usage: java -jar ... [regexp*] [options]"); return; }
                        case "-p" -> n = args[++i].substring(2).replace(",", ", ");
                        case "-rff" -> results = args[++i];
                        case "-bad" -> { System.out.println("Picked up JAVA_TOOL_OPTIONS: -Xmx1g\\nError parsing command line:\\n bad is not a recognized option"); System.exit(1); }
                        default -> { if (args[i].startsWith("-")) i++; else include = args[i]; }
                    }
                }
                var pattern = java.util.regex.Pattern.compile(include);
                if (list) {
                    System.out.println("Benchmarks: ");
                    // As JMH does: once for each mode.
                    for (String name : List.of("fails", "fast", "modes", "modes", "sleeps")) {
                        if (pattern.matcher("demo.Bench." + name).find()) {
                            System.out.println("demo.Bench." + name);
                            if (name.equals("fast")) System.out.println("  param \\"n\\" = {" + n + "}");
                        }
                    }
                    return;
                }
                String name = include.substring(3, include.length() - 3);
                String params = name.endsWith("fast") ? "\\"n\\":\\"" + n + "\\"" : "";
                String what = name.substring(11) + (params.isEmpty() ? "" : n);
                int call = add(home.resolve(trial ? "trials" : "calls"), what);
                if (Files.exists(home.resolve("locked"))
                        && Files.readAllLines(home.resolve("locked")).contains("" + call)) {
                    System.out.println("ERROR: Unable to acquire the JMH lock (/tmp/jmh.lock), exiting.");
                    System.exit(1);
                }
                // Of a duet: neither fails nor ends before the other one is there, so that two calls are one pair.
                for (int tries = 0; duet && Files.readAllLines(home.resolve("calls")).size() < (call + 1) / 2 * 2; tries++) {
                    if (tries > 1200) System.exit(1);
                    Thread.sleep(50);
                }
                System.out.write(new byte[] {(byte) 0xE9, '\\n'});
                if (!trial && !Files.exists(home.resolve("repaired"))) {
                    if (name.endsWith("fails") && Files.exists(home.resolve("illegal"))) {
                        System.out.println("#  SIGILL (0x4) at pc=0x00007f, pid=1, tid=2");
                        System.exit(134);
                    }
                    if (name.endsWith("fails")) {
                        System.out.println("<failure>\\n\\njava.lang.IllegalStateException: broken\\n");
                        System.exit(1);
                    }
                    if (name.endsWith("sleeps")) Thread.sleep(600_000);
                }
                int score = trial ? 1 : add(home.resolve("ends"), what);
                int pair = (call + 1) / 2;
                String metric = "\\"duet.%1$s\\":{\\"score\\":0,\\"scoreUnit\\":\\"us\\",\\"rawData\\":[[%2$s]]}";
                Path others = home.resolve("others");
                String secondary = trial && Files.exists(others) ? metric.formatted("others", "0.9," + Files.readString(others)) : !duet ? "" : metric.formatted("start", 1000 * pair) + ","
                        + metric.formatted("end", 1000 * pair + 100) + "," + metric.formatted("waited", place[0].equals("0") ? 50 : 0) + ","
                        + metric.formatted("core", Integer.parseInt(place[1]));
                var rows = new StringJoiner(",", "[", "]");
                for (String mode : name.endsWith("modes") ? List.of("avgt", "thrpt") : List.of("avgt")) {
                    System.out.println("# JMH version: 1.37\\n# Benchmark mode: "
                            + (mode.equals("avgt") ? "Average time, time/op" : "Throughput, ops/time"));
                    System.out.println("Secondary result \\"" + name + ":gc.count\\":\\n  " + call + " counts\\n");
                    rows.add("{\\"benchmark\\":\\"" + name + "\\","
                            + "\\"mode\\":\\"" + mode + "\\",\\"threads\\":1,\\"forks\\":1,"
                            + "\\"measurementIterations\\":1,\\"params\\":{" + params + "},"
                            + "\\"primaryMetric\\":{\\"score\\":"
                            + score + ",\\"scoreError\\":\\"NaN\\",\\"scoreUnit\\":\\"ns/op\\","
                            + "\\"rawData\\":[[" + score
                            + "]]},\\"jvmArgs\\":[\\"-Xmx1g\\"" + (duet ? ",\\"-Djmh.ignoreLock=true\\"" : "")
                            + "],\\"secondaryMetrics\\":{" + secondary + "}}");
                }
                System.out.println("# Run complete. Total time: 00:00:01");
                Files.writeString(Path.of(results), rows.toString());
            }

            private static int add(Path file, String line) throws Exception {
                Files.writeString(file, line + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                return Files.readAllLines(file).size();
            }
        }
        """;

    /** The main class of forks in duets. It is in the jar of the barrier, which the tests do not use. */
    private static final Path HOST = Path.of("src/jmh/java/org/lemmata/benchmark/duet/JmhHost.java");

    private static final List<String> CLASSES =
            List.of("org/openjdk/jmh/Main.class", "org/lemmata/benchmark/duet/JmhHost.class");

    /** The classes of the stand-in, compiled once. */
    private static @Nullable List<byte[]> compiled;

    /** Builds the jar in a directory. */
    public static StandInJmh build(Path directory) throws IOException {
        return write(directory, 0, LIST, "");
    }

    private static synchronized List<byte[]> classes() throws IOException {
        if (compiled == null) {
            Path directory = Files.createTempDirectory("stand-in-");
            Path source = directory.resolve("Main.java");
            Files.writeString(source, SOURCE, StandardCharsets.UTF_8);
            // Forks run on the JVM of JAVA_HOME, which may be older. Hundreds of JVMs start the class; invokedynamic
            // would be slow to start.
            String[] options = "-proc:none --release 17 -XDstringConcat=inline -d".split(" ", -1);
            String[] arguments = Stream.concat(
                            Stream.of(options),
                            Stream.of(directory, source, HOST).map(Path::toString))
                    .toArray(String[]::new);
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments))
                    .isZero();
            var bytes = new ArrayList<byte[]>();
            for (String each : CLASSES) {
                bytes.add(Files.readAllBytes(directory.resolve(each)));
            }
            FileTree.delete(directory);
            compiled = bytes;
        }
        return compiled;
    }

    /** Builds the jar again in its place, with the same content or with an additional entry. */
    public void rebuild(String more) throws IOException {
        write(home(), 1_700_000_000_000L, LIST, "", more);
    }

    private static StandInJmh write(Path directory, long time, String list, String version) throws IOException {
        return write(directory, time, list, version, "");
    }

    private static StandInJmh write(Path directory, long time, String list, String version, String more)
            throws IOException {
        Path file = directory.resolve("benchmarks.jar");
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new JarEntry("META-INF/BenchmarkList"));
            jar.write(list.getBytes(StandardCharsets.UTF_8));
            if (!version.isEmpty()) {
                jar.putNextEntry(new JarEntry("jmh.properties"));
                jar.write(("jmh.version=" + version).getBytes(StandardCharsets.UTF_8));
            }
            if (!more.isEmpty()) {
                jar.putNextEntry(new JarEntry(more));
            }
            for (int i = 0; i < CLASSES.size(); i++) {
                var entry = new JarEntry(CLASSES.get(i));
                entry.setTime(time);
                jar.putNextEntry(entry);
                jar.write(classes().get(i));
            }
        }
        return new StandInJmh(BenchmarkJar.open(file).onJvmOf(JmhArguments.parse(List.of())));
    }

    /** A later build of the same source in another directory. */
    public StandInJmh again(String directory) throws IOException {
        return again(directory, LIST);
    }

    /** A later build in another directory, with another list of benchmarks. */
    public StandInJmh again(String directory, String list) throws IOException {
        return write(directory(directory), 1_700_000_000_000L, list, "");
    }

    /** A build with a version of JMH. */
    StandInJmh of(String version) throws IOException {
        return write(directory(version), 0, LIST, version);
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(home().resolve(name));
    }

    private Path home() {
        return jar.file().resolveSibling("");
    }

    List<BenchmarkCell> cells(String... words) throws IOException {
        return jar.cells(JmhArguments.parse(List.of(words)), 2);
    }

    /** The forks that were started, one word per fork. */
    public List<String> calls() throws IOException {
        Path calls = home().resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /** From now on nothing fails or sleeps. */
    public void repair() throws IOException {
        Files.createFile(home().resolve("repaired"));
    }

    /** From now on {@code fails} ends at an instruction that the processor lacks. */
    void useIllegalInstruction() throws IOException {
        Files.createFile(home().resolve("illegal"));
    }

    /** From now on, threads other than the worker have this share of the time. */
    void giveThreads(String share) throws IOException {
        Files.writeString(home().resolve("others"), share);
    }

    /** The trials that ran alone before duets, one word per fork. */
    List<String> trials() throws IOException {
        Path trials = home().resolve("trials");
        return Files.exists(trials) ? Files.readAllLines(trials) : List.of();
    }

    /** Sets the values of the parameter of {@code fast}, as JMH lists them. */
    public void give(String values) throws IOException {
        Files.writeString(home().resolve("values"), values);
    }

    /** Lets another run of JMH hold the lock at these calls, counted from 1. */
    void lock(String... calls) throws IOException {
        Files.write(home().resolve("locked"), List.of(calls));
    }
}

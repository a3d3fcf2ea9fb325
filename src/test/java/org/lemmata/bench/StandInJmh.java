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
import javax.tools.ToolProvider;

/**
 * A jar that answers as JMH does, since JMH is not on the class path of the tests: it lists four benchmarks, and writes
 * rows whose score is the number of the call.
 *
 * @param jar in a directory of its own
 */
record StandInJmh(BenchmarkJar jar) {

    private static final String SOURCE = """
            package org.openjdk.jmh;

            import java.nio.file.*;
            import java.util.*;

            public class Main {
                public static void main(String[] args) throws Exception {
                    Path home = Path.of(System.getProperty("java.class.path").split(":")[0]).getParent();
                    String include = "";
                    String n = "1, 2";
                    String results = "";
                    boolean list = false;
                    for (int i = 0; i < args.length; i++) {
                        switch (args[i]) {
                            case "-lp" -> list = true;
                            case "-p" -> n = args[++i].substring(2).replace(",", ", ");
                            case "-rff" -> results = args[++i];
                            case "-bad" -> { System.out.println("bad is not a recognized option"); System.exit(1); }
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
                    Path calls = home.resolve("calls");
                    Files.writeString(calls, name.substring(11) + (params.isEmpty() ? "" : n) + "\\n",
                            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    int call = Files.readAllLines(calls).size();
                    if (Files.deleteIfExists(home.resolve("locked"))) {
                        System.out.println("ERROR: Unable to acquire the JMH lock (/tmp/jmh.lock), exiting.");
                        System.exit(1);
                    }
                    System.out.write(new byte[] {(byte) 0xE9, '\\n'});
                    if (!Files.exists(home.resolve("mended"))) {
                        if (name.endsWith("fails")) {
                            System.out.println("<failure>\\n\\njava.lang.IllegalStateException: broken\\n");
                            System.exit(1);
                        }
                        if (name.endsWith("sleeps")) Thread.sleep(600_000);
                    }
                    var rows = new StringJoiner(",", "[", "]");
                    for (String mode : name.endsWith("modes") ? List.of("avgt", "thrpt") : List.of("avgt")) {
                        rows.add("{\\"benchmark\\":\\"" + name + "\\","
                                + "\\"mode\\":\\"" + mode + "\\",\\"threads\\":1,\\"forks\\":1,"
                                + "\\"measurementIterations\\":1,\\"params\\":{" + params + "},"
                                + "\\"primaryMetric\\":{\\"score\\":"
                                + call + ",\\"scoreError\\":\\"NaN\\",\\"scoreUnit\\":\\"ns/op\\","
                                + "\\"rawData\\":[[" + call
                                + "]]},\\"secondaryMetrics\\":{}}");
                    }
                    Files.writeString(Path.of(results), rows.toString());
                }
            }
            """;

    static StandInJmh build(Path directory) throws IOException {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Path source = Files.writeString(directory.resolve("Main.java"), SOURCE, StandardCharsets.UTF_8);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString()))
                .isZero();
        Path file = directory.resolve("benchmarks.jar");
        write(file, classes, 0);
        return new StandInJmh(BenchmarkJar.open(file));
    }

    private static void write(Path file, Path classes, long time) throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new JarEntry("META-INF/BenchmarkList"));
            jar.write(Long.toString(time).getBytes(StandardCharsets.UTF_8));
            var main = new JarEntry("org/openjdk/jmh/Main.class");
            main.setTime(time);
            jar.putNextEntry(main);
            jar.write(Files.readAllBytes(classes.resolve("org/openjdk/jmh/Main.class")));
        }
    }

    /** Another build of the same source, elsewhere and later. */
    BenchmarkJar again() throws IOException {
        Path directory = Files.createDirectories(home().resolve("again"));
        write(directory.resolve("benchmarks.jar"), home().resolve("classes"), 1_700_000_000_000L);
        return BenchmarkJar.open(directory.resolve("benchmarks.jar"));
    }

    private Path home() {
        return jar.file().resolveSibling("");
    }

    List<BenchmarkCell> cells(String... words) throws IOException {
        return jar.cells(JmhArguments.parse(List.of(words)), 2);
    }

    /** What ran, a word a fork. */
    List<String> calls() throws IOException {
        Path calls = jar.file().resolveSibling("calls");
        return Files.exists(calls) ? new ArrayList<>(Files.readAllLines(calls)) : List.of();
    }

    /** From now on nothing fails or sleeps. */
    void mend() throws IOException {
        Files.createFile(jar.file().resolveSibling("mended"));
    }
}

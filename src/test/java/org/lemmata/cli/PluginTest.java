package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.ClaimResults;
import org.lemmata.claim.Outcome;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.dataset.DataSet;
import org.lemmata.setting.Plugin;
import org.lemmata.sweep.Trial;
import org.lemmata.task.TaskProvider;

/**
 * Users' jars. Plugins apply to a whole process, and other tests must not see them, so commands with plugins run on
 * separately loaded classes.
 */
class PluginTest {

    private static final Path SOURCES = Path.of("src/test/plugin");
    private static final Path EXAMPLE = Path.of("docs/examples/own-claim/src/main");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private static Path shared;

    @TempDir
    private Path directory;

    /** The jar with all providers of the test plugin; {@link #example} is the documents' example. */
    private static Path mine;

    private static Path example;

    private static Apart lemmata;

    @BeforeAll
    static void compile() throws IOException, ReflectiveOperationException {
        Path classes = compiled(SOURCES, "mine");
        Files.copy(SOURCES.resolve("mine/coins.yaml"), classes.resolve("mine/coins.yaml"));
        mine = jar(
                "mine",
                Map.of(
                        ClaimProvider.class, "mine.Mine$Claims",
                        TaskProvider.class, "mine.Mine$Tasks",
                        ConstructionProvider.class, "mine.Mine$Constructions",
                        Trial.class, "mine.Mine$Coin"));
        compiled(EXAMPLE.resolve("java"), "own-claim");
        Path service = EXAMPLE.resolve("resources/META-INF/services").resolve(ClaimProvider.class.getName());
        example = jar(
                "own-claim",
                Map.of(ClaimProvider.class, Files.readString(service).strip()));
        lemmata = new Apart();
    }

    @AfterAll
    static void close() throws IOException {
        lemmata.close();
    }

    /** Compiles sources into a directory of {@link #shared}; returns the directory. */
    private static Path compiled(Path sources, String name) throws IOException {
        Path classes = Files.createDirectory(shared.resolve(name));
        var arguments = new ArrayList<>(List.of("-cp", CLASS_PATH, "-proc:none", "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    /** Packs compiled classes and their providers into a jar. */
    private static Path jar(String classes, Map<Class<?>, String> providers) throws IOException {
        return jar(shared.resolve(classes + ".jar"), classes, providers);
    }

    private static Path jar(Path jar, String classes, Map<Class<?>, String> providers) throws IOException {
        Path root = shared.resolve(classes);
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(root.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
            for (Map.Entry<Class<?>, String> provider : providers.entrySet()) {
                out.putNextEntry(
                        new JarEntry("META-INF/services/" + provider.getKey().getName()));
                out.write(provider.getValue().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    /** Lemmata with separately loaded classes, which no other test sees. */
    private static final class Apart implements AutoCloseable {

        private final URLClassLoader loader;
        private final Method execute;

        Apart() throws IOException, ReflectiveOperationException {
            var urls = new ArrayList<URL>();
            for (String entry : CLASS_PATH.split(java.io.File.pathSeparator, -1)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            execute = loader.loadClass(Lemmata.class.getName())
                    .getDeclaredMethod("execute", PrintWriter.class, PrintWriter.class, String[].class);
            execute.setAccessible(true);
        }

        /** Runs a line with both plugins. */
        CommandLineRun run(String line) throws ReflectiveOperationException {
            return run("--plugin " + mine + " " + line + " --plugin " + example, Map.of());
        }

        /** Runs a line after replacing some words. */
        CommandLineRun run(String line, Map<String, String> words) throws ReflectiveOperationException {
            List<String> args = replaced(line, words);
            var out = new StringWriter();
            var err = new StringWriter();
            try {
                Object code =
                        execute.invoke(null, new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
                return new CommandLineRun((Integer) code, out.toString(), err.toString());
            } catch (InvocationTargetException e) {
                throw new AssertionError(line, e.getCause());
            }
        }

        @Override
        public void close() throws IOException {
            loader.close();
        }
    }

    private static String clean(String line) throws ReflectiveOperationException {
        CommandLineRun run = lemmata.run(line);
        assertThat(run.code()).as("%s: %s", line, run.err()).isZero();
        return run.out();
    }

    private static List<String> replaced(String line, Map<String, String> words) {
        return Arrays.stream(line.split(" "))
                .map(word -> words.getOrDefault(word, word))
                .toList();
    }

    /** Runs the commands of docs/extending.md unchanged, except for the paths. */
    @Test
    void aTaskIsCompiledPackedAndTrainedOnWithoutMaven() throws Exception {
        Map<String, String> places = Map.of(
                "target/lemmata.jar", CLASS_PATH,
                "own-task", directory.resolve("own-task").toString(),
                "own-task.jar", directory.resolve("own-task.jar").toString(),
                "words", directory.resolve("words").toString(),
                "own-reversed", directory.resolve("reversed").toString());
        String text = Files.readString(Path.of("docs/extending.md"));
        List<String> commands = text.substring(text.indexOf("\njavac "), text.indexOf("```", text.indexOf("\njavac ")))
                .strip()
                .lines()
                .toList();
        assertThat(commands).hasSize(5);
        for (String command : commands.subList(0, 2)) {
            List<String> words = replaced(command, places);
            var tool = java.util.spi.ToolProvider.findFirst(words.getFirst()).orElseThrow();
            var output = new StringWriter();
            assertThat(tool.run(
                            new PrintWriter(output),
                            new PrintWriter(output),
                            words.stream().skip(1).toArray(String[]::new)))
                    .as("%s: %s", command, output)
                    .isZero();
        }
        try (var own = new Apart()) {
            for (String command : commands.subList(2, 5)) {
                String line = command.replace("bin/lemmata ", "")
                        .replace(
                                "reverse.yaml",
                                "reverse.yaml steps=2 batch=4 model.width=8 model.layers=1 data.test=30"
                                        + " data.validation=9 schedule.warm-up=1 evaluation.sequences=3"
                                        + " task.settings.longest=3");
                CommandLineRun run = own.run(line, places).clean();
                if (line.startsWith("evaluate")) {
                    assertThat(run.out())
                            .contains("right.24", "test              6")
                            .doesNotContain("test              8");
                    assertThat(own.run(line + " --json", places)
                                    .clean()
                                    .json()
                                    .at("/environment/plugins")
                                    .asText())
                            .matches("own-task.jar [0-9a-f]{10}");
                }
            }
        }
        assertThat(DataSet.open(directory.resolve("words")).examples("train"))
                .hasSize(10)
                .allSatisfy(example -> {
                    int[] word = Arrays.copyOf(example.inputs(), example.length() / 2);
                    assertThat(example.targets()).hasSameSizeAs(word);
                    for (int i = 0; i < word.length; i++) {
                        assertThat(example.targets()[word.length - 1 - i]).isEqualTo(word[i]);
                    }
                });
    }

    @Test
    void whatTheyOfferIsListedVerifiedSweptAndReportedWithTheirMark() throws Exception {
        Path claims = directory.resolve("claims.json");
        Path evidence = Files.createDirectory(directory.resolve("evidence"));
        Path input = Files.writeString(directory.resolve("lines"), "twice\n");
        assertThat(clean("claims"))
                .contains("depth.claim-5.3: ", "\nmine.holds [mine.jar]: ", "\nmajority.head [own-claim.jar]: ");
        assertThat(clean("tasks")).contains("\nmine-twins [mine.jar]: a bit, twice\n    Doe (2026)");
        assertThat(clean("constructions --json")).containsOnlyOnce("\"plugin\" : \"mine.jar\"");
        assertThat(clean("help mine-echo")).startsWith("mine-echo [mine.jar]: ");
        assertThat(clean("run mine-echo --input " + input)).contains("\"again\":\"twice\"");
        clean("generate mine-twins -n 4 --out " + directory.resolve("data"));
        assertThat(directory.resolve("data/train.jsonl")).content().hasLineCount(4);

        // The plugin's figure has neither evidence nor a pinned verdict, so there is no alarm.
        String options = " --evidence " + evidence;
        assertThat(clean("verify mine.coins" + options)).startsWith("NotTested    mine.coins.small [mine.jar] ");
        clean("verify mine.coins --budget standard --work " + directory.resolve("work") + options);
        assertThat(evidence.resolve("mine/results.jsonl"))
                .content()
                .hasLineCount(2)
                .contains("\"plugins\":\"mine.jar ");
        assertThat(clean("verify mine.holds mine.coins majority --pin" + options))
                .contains("Recomputed   mine.coins", "Supported    majority.head [own-claim.jar] (")
                .contains(
                        "Pinned 3 of 3 verdicts in " + evidence.resolve("mine") + ", " + evidence.resolve("majority"));
        clean("verify mine.holds mine.coins depth.claim-5.3 majority --json=" + claims + options + " --markdown "
                + directory.resolve("claims.md"));
        clean("report --claims " + claims + " --jmh " + Files.writeString(directory.resolve("jmh.json"), "[]")
                + " --evidence " + evidence + " --out " + directory.resolve("page"));
        assertThat(ClaimResults.read(claims)).hasSize(4).allSatisfy(result -> {
            assertThat(result.said().plugin())
                    .isEqualTo(
                            switch (result.paperKey()) {
                                case "mine" -> "mine.jar";
                                case "majority" -> "own-claim.jar";
                                default -> "";
                            });
            assertThat(result.outcome()).isEqualTo(Outcome.SUPPORTED);
            assertThat(result.run().environment().get("plugins"))
                    .matches("mine.jar [0-9a-f]{10}, own-claim.jar [0-9a-f]{10}");
        });
        assertThat(ClaimResults.read(claims))
                .filteredOn(result -> !result.said().plugin().isEmpty())
                .extracting(ClaimResult::pinned)
                .containsOnly(Outcome.SUPPORTED);
        assertThat(directory.resolve("claims.md")).content().contains("## `mine`", "| `mine.holds` [mine.jar] | ");
        assertThat(directory.resolve("page/index.html"))
                .content()
                .contains("<span class=\"chip\">mine.jar</span>", "Evidence for mine.coins");
    }

    @Test
    void aFaultOfTheirsIsOneLineWithItsPlace() throws Exception {
        CommandLineRun run = lemmata.run("verify mine.fault");
        assertThat(run.refusal())
                .matches("lemmata: plugin mine.jar: IllegalStateException: a fault; of two lines, at"
                        + " mine[.]Mine[$]Claims[.].*:\\d+");
    }

    @Test
    void theirTrialIsSwept() throws Exception {
        Path file = SOURCES.resolve("mine/coins.yaml");
        clean("sweep " + file + " --budget standard --out " + directory.resolve("sweep"));
        assertThat(directory.resolve("sweep/results.jsonl")).content().hasLineCount(2);
        CommandLineRun without = CommandLineRun.line("sweep %s --out %s", file, directory.resolve("other"));
        assertThat(without.err()).contains("trial: expected one of ", "got 'mine-coin'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Unmade | ClaimProvider | mine.Unusable$Unmade
        Missing | ClaimProvider | Provider mine.Unusable$Missing not found
        Throwing | ClaimProvider | IllegalStateException: no place; to be, at mine.Unusable$Throwing.<init>:
        Silent | ClaimProvider | UnsupportedOperationException: ask another, at mine.Unusable$Silent.claims:
        Empty | ClaimProvider | expected a provider of claims, tasks, constructions or trials in META-INF/services, got none
        Taken | ClaimProvider | claim: expected a name that no other one has, got 'depth.claim-5.3'
        Among | ClaimProvider | claim: expected an id that begins with no key of Lemmata's papers, got 'depth.of-mine'
        Elsewhere | ClaimProvider | claim: expected an id that begins with its paper's key, such as mine.theorem-1, got 'mine./../../secret'
        Keyless | ClaimProvider | claim: expected an id that begins with its paper's key, such as mine.theorem-1, got 'holds'
        Tasks | TaskProvider | task: expected a name that no other one has, got 'dyck-words'
        Constructions | ConstructionProvider | construction: expected a name that no other one has, got 'simple-task'
        """)
    void whatCannotBeUsedIsRefusedInOneLine(String provider, String service, String message) throws IOException {
        Class<?> type = Stream.of(ClaimProvider.class, TaskProvider.class, ConstructionProvider.class)
                .filter(each -> each.getSimpleName().equals(service))
                .findFirst()
                .orElseThrow();
        Path jar = jar(directory.resolve("bad.jar"), "mine", Map.of(type, "mine.Unusable$" + provider));
        CommandLineRun run = CommandLineRun.of("constructions", "--plugin", jar.toString());
        assertThat(run.out()).isEmpty();
        assertThat(run.refusal()).startsWith("lemmata: plugin bad.jar: ").contains(message);
    }

    /** The engine spark, which only the profile spark compiles, sends the jar to its executors. */
    @Test
    void aPluginNamesItsJar() {
        assertThat(Plugin.open(mine).jar()).isEqualTo(mine);
    }

    @Test
    void whatIsNoJarIsRefusedOnEveryCommandButHelpIsGiven() throws IOException {
        Path text = Files.writeString(directory.resolve("text.jar"), "text");
        for (String command : List.of("doctor", "verify", "train x.yaml --out y", "bench", "report", "round")) {
            var args = new ArrayList<>(Arrays.asList(command.split(" ")));
            args.addAll(List.of("--plugin", text.toString()));
            CommandLineRun run = CommandLineRun.of(args.toArray(String[]::new));
            assertThat(run.err()).as(command).startsWith("lemmata: plugin " + text + ": expected a jar, got none: ");
            assertThat(run.errLines()).hasSize(1);
            assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        }
        Path nothing = directory.resolve("nothing.jar");
        assertThat(CommandLineRun.of("--plugin", nothing.toString(), "claims").err())
                .isEqualTo("lemmata: plugin " + nothing + ": expected a jar, got no such file\n");
        assertThat(CommandLineRun.of("claims", "--plugin", directory.toString()).err())
                .isEqualTo("lemmata: plugin " + directory + ": expected a jar, got a directory\n");
        CommandLineRun.clean("verify --help --plugin %s", nothing);
    }
}

package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.cli.text.ExitCode;

/** {@code bin/lemmata} with a stand-in for the JVM, in an environment that each test sets. */
class LauncherTest {

    private static final String RELEASE = "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base jdk.incubator.vector\"\n";

    /** Prints its locale and arguments, or fails like a JVM with wrong options. */
    private static final String JAVA = """
        #!/bin/sh
        case " $* $JAVA_TOOL_OPTIONS " in
          *-XX:+Nonsense*)
            echo "Unrecognized VM option 'Nonsense'" >&2
            echo "Error: Could not create the Java Virtual Machine." >&2
            exit 1
            ;;
          *-javaagent:*--dry-run*) exit 1 ;;
          *--dry-run*) exit 0 ;;
        esac
        echo "LC_ALL=$LC_ALL"
        echo "$*"
        echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2
        echo 'WARNING: Using incubator modules: another' >&2
        printf 'the end' >&2
        exit 1
        """;

    @TempDir
    private Path directory;

    private record Run(int code, List<String> out, List<String> err) {}

    @BeforeEach
    void layOut() throws IOException {
        executable("checkout/bin/lemmata", Files.readString(Path.of("bin/lemmata")));
        Files.createDirectory(directory.resolve("checkout/target"));
        Files.createFile(directory.resolve("checkout/target/lemmata.jar"));
        executable("jdk/bin/java", JAVA);
        Files.writeString(directory.resolve("jdk/release"), RELEASE);
        // The launcher must not use grep, whose options differ between systems.
        executable("tools/grep", "#!/bin/sh\necho 'grep: unrecognized option' >&2\nexit 1\n");
    }

    private void executable(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Run run(Map<String, String> environment, String... arguments) throws Exception {
        var command = new ArrayList<>(
                List.of("bash", directory.resolve("checkout/bin/lemmata").toString()));
        command.addAll(List.of(arguments));
        return run(environment, command);
    }

    private Run run(Map<String, String> environment, List<String> command) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        var builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", directory.resolve("tools") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        int code = process.waitFor();
        // The filter of standard error may write for a moment after the JVM has ended.
        for (int i = 0;
                i < 100 && code != ExitCode.USAGE && !Files.readString(err).endsWith("the end\n");
                i++) {
            Thread.sleep(10);
        }
        return new Run(
                code, Files.readAllLines(out, StandardCharsets.UTF_8), Files.readAllLines(err, StandardCharsets.UTF_8));
    }

    /** A shell with CDPATH looks for relative directories elsewhere; a directory of PATH may be a link. */
    @ParameterizedTest
    @ValueSource(
            strings = {"cd checkout && bin/lemmata tasks", "ln -s checkout/bin programs && programs/lemmata tasks"})
    void theProgramIsFoundFromWherever(String script) throws Exception {
        Files.createDirectories(directory.resolve("elsewhere/bin"));
        String path = directory.resolve("elsewhere").toString();
        Run run = run(Map.of("CDPATH", path), List.of("bash", "-c", "CDPATH= cd " + directory + " && " + script));
        assertThat(run.out()).last().asString().endsWith(directory.resolve("checkout/target/lemmata.jar") + " tasks");
    }

    @ParameterizedTest
    @CsvSource({
        "LANG, '', LC_ALL=C.UTF-8",
        "LC_ALL, C, LC_ALL=C.UTF-8",
        "LC_CTYPE, POSIX, LC_ALL=C.UTF-8",
        "LANG, xx_XX.UTF-8, LC_ALL=C.UTF-8",
        "LANG, C.UTF-8, LC_ALL=",
        "LC_ALL, C.UTF-8, LC_ALL=C.UTF-8"
    })
    void namesAreReadInUtf8(String variable, String value, String expected) throws Exception {
        assertThat(run(Map.of(variable, value), "tasks").out()).first().isEqualTo(expected);
        assertThat(run(Map.of(variable, value), "verify").out()).first().isEqualTo(expected);
    }

    @Test
    void theExitCodeAndMessagesOfTheProgramPass() throws Exception {
        Run run = run(Map.of(), "verify", "x");
        assertThat(run.code()).isEqualTo(ExitCode.CONTRARY);
        assertThat(run.out())
                .last()
                .asString()
                .contains("--add-modules jdk.incubator.vector")
                .endsWith("checkout/target/lemmata.jar verify x");
        assertThat(run.err()).containsExactly("WARNING: Using incubator modules: another", "the end");
    }

    @ParameterizedTest
    @CsvSource({
        "LEMMATA_JAVA_OPTIONS, verify, -Djava.io.tmpdir=/home/_agent/tmp -XX:+Nonsense",
        "LEMMATA_JAVA_OPTIONS, compare, -XX:+Nonsense",
        "LEMMATA_JAVA_OPTIONS, round, -XX:+Nonsense",
        "JAVA_TOOL_OPTIONS, bench, -XX:+Nonsense",
        "JAVA_TOOL_OPTIONS, tasks, -XX:+Nonsense"
    })
    void aJvmThatDoesNotStartIsNoRegression(String variable, String command, String options) throws Exception {
        Run run = run(Map.of(variable, options), command);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .containsExactly("lemmata: " + directory.resolve("jdk/bin/java")
                        + " does not start: Unrecognized VM option 'Nonsense'; Error: Could not create the Java Virtual"
                        + " Machine.");
    }

    /** The trial start omits agents, at which the stand-in would fail, but still finds other wrong options. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        -javaagent:%s=a=b -XX:+Nonsense; java does not start: Unrecognized VM option 'Nonsense'
        -javaagent:%s.missing=a; -javaagent: expected a file, got none at %s.missing
        -agentpath:%s.missing; -agentpath: expected a file, got none at %s.missing
        """)
    void anAgentIsThereAndTakesNoPartInTheTrial(String options, String message) throws Exception {
        String jar = Files.createFile(directory.resolve("a.jar")).toString();
        Run run = run(Map.of("LEMMATA_JAVA_OPTIONS", options.replace("%s", jar)), "verify");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).singleElement().asString().contains(message.replace("%s", jar));
        Run agent = run(Map.of("LEMMATA_JAVA_OPTIONS", "-javaagent:" + jar), "verify");
        assertThat(agent.code()).isEqualTo(ExitCode.CONTRARY);
        assertThat(agent.out()).anyMatch(line -> line.contains("-javaagent:" + jar));
    }

    @Test
    void aRuntimeWithoutTheVectorApiIsNotAskedForIt() throws Exception {
        Files.writeString(directory.resolve("jdk/release"), RELEASE.replace(" jdk.incubator.vector", ""));
        assertThat(run(Map.of(), "verify").out()).last().asString().doesNotContain("--add-modules");
    }

    /** An archive's runtime takes precedence over JAVA_HOME, which names the JDK of the user's own projects. */
    @Test
    void anArchiveRunsItsProgramOnItsRuntime() throws Exception {
        Files.createDirectory(directory.resolve("checkout/app"));
        Files.createFile(directory.resolve("checkout/app/lemmata.jar"));
        assertThat(run(Map.of(), "tasks").out()).last().asString().endsWith("checkout/app/lemmata.jar tasks");
        executable("checkout/runtime/bin/java", JAVA.replace("echo \"$*\"", "echo \"$0 $*\""));
        Files.writeString(directory.resolve("checkout/runtime/release"), RELEASE);
        for (String command : List.of("tasks", "verify")) {
            assertThat(run(Map.of(), command).out())
                    .last()
                    .asString()
                    .startsWith(directory.resolve("checkout/runtime/bin/java").toString())
                    .endsWith("checkout/app/lemmata.jar " + command);
        }
    }
}

package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the tutorials command by command: they show what the program prints, where "..." stands for anything. */
class TutorialTest {

    private static final Path TUTORIAL = Path.of("docs", "tutorial-theorem.md");
    private static final Pattern COMMAND = Pattern.compile("(?:printf '([^']*)' \\| )?bin/lemmata (.*)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");
    private static final Pattern SECONDS = Pattern.compile("\\(\\d+[.]\\d s\\)");
    private static final Path REGRESSION = Path.of("docs", "tutorial-regression.md");
    private static final Path EXAMPLE = Path.of("docs", "examples", "own-benchmarks");
    private static final Path REPOSITORY = Path.of(System.getProperty("user.home"), ".m2", "repository");
    private static final String MARK = "-- exit code ";
    private static final Pattern ROW = Pattern.compile(
            "(?m)^(slower|faster|same|inconclusive|probably slower|probably faster) .* (\\S+ words=100 [(]avgt[)]).*$");
    private static final Pattern NUMBER = Pattern.compile("\\b[0-9a-f]{8}\\b|\\d+([.]\\d+)?");

    /** Runs the command line of the tested classes, with few short forks that alternate. */
    private static final String LEMMATA = """
        #!/bin/bash
        words=()
        while [ $# -gt 0 ]; do
          case "$1" in
            -f|-wi|-w|-i|-r) shift ;;
            *) words+=("$1") ;;
          esac
          shift
        done
        short=(--in-turn -f 2 -wi 1 -w 20ms -i 2 -r 20ms)
        exec JAVA --add-modules jdk.incubator.vector -cp CLASSES org.lemmata.cli.Lemmata "${words[@]}" "${short[@]}"
        """;

    /**
     * A command with what it prints.
     *
     * @param line without the prompt
     */
    record Step(String line, List<String> output) {

        boolean shows(String printed) {
            String wanted = Stream.of(withoutSeconds(String.join("\n", output)).split("(?:\\n? *)[.]{3}(?: *\\n?)", -1))
                    .map(Pattern::quote)
                    .reduce((before, after) -> before + ".*?" + after)
                    .orElseThrow();
            return Pattern.compile(wanted, Pattern.DOTALL)
                    .matcher(withoutSeconds(printed.strip()))
                    .matches();
        }

        private static String withoutSeconds(String text) {
            return SECONDS.matcher(text).replaceAll("(s)");
        }

        @Override
        public String toString() {
            return line;
        }
    }

    static List<Step> steps() throws IOException {
        return steps(TUTORIAL);
    }

    /** The commands in blocks {@code console}. */
    static List<Step> steps(Path tutorial) throws IOException {
        List<Step> steps = new ArrayList<>();
        boolean inConsole = false;
        for (String line : Files.readAllLines(tutorial)) {
            if (line.startsWith("```")) {
                inConsole = line.equals("```console");
            } else if (inConsole && line.startsWith("$ ")) {
                steps.add(new Step(line.substring(2), new ArrayList<>()));
            } else if (inConsole) {
                steps.getLast().output().add(line);
            }
        }
        return steps;
    }

    @ParameterizedTest
    @MethodSource("steps")
    void printsWhatItShows(Step step) {
        Matcher command = COMMAND.matcher(step.line());
        assertThat(command.matches()).as(step.line()).isTrue();
        String input = command.group(1) == null ? "" : command.group(1).replace("\\n", "\n");
        String[] words = WORD.matcher(command.group(2))
                .results()
                .map(word -> word.group().replace("'", ""))
                .toArray(String[]::new);
        CommandLineRun run = CommandLineRun.withInput(input, words);
        assertThat(step.shows(run.out() + run.err()))
                .as("%s%nprints%n%s", step, run.out() + run.err())
                .isTrue();
    }

    @Test
    void hasSteps() throws IOException {
        assertThat(steps()).hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @CsvSource({"one (1.0 s),true", "one (2.5 s),true", "two (1.0 s),false", "one (1.0 s) more,false"})
    void otherOutputIsSeen(String printed, boolean shows) {
        assertThat(new Step("", List.of("one (9.9 s)")).shows(printed)).isEqualTo(shows);
    }

    @ParameterizedTest
    @CsvSource({"'a\nb\nc\nd',true", "'a\nb\nc\ne',false", "'b\nd',false"})
    void anythingStandsForDots(String printed, boolean shows) {
        assertThat(new Step("", List.of("a", "    ...", "d")).shows(printed)).isEqualTo(shows);
    }

    private static String masked(String text) {
        String rows = ROW.matcher(text).replaceAll("ROW $2");
        return NUMBER.matcher(rows).replaceAll("0").replaceAll(" +", " ").replaceAll("(?m) $", "");
    }

    private static void program(Path directory, String name, String text) throws IOException {
        assertThat(Files.writeString(Files.createDirectories(directory).resolve(name), text)
                        .toFile()
                        .setExecutable(true))
                .isTrue();
    }

    /**
     * Runs the tutorial about regressions as a script, with JMH from the local Maven repository. Its comparisons have
     * few short forks, so numbers and verdicts are masked.
     */
    @Test
    @Tag("long")
    void regressionPrintsWhatItShows(@TempDir Path directory) throws Exception {
        List<Path> jars = Stream.of(
                        "org/openjdk/jmh/jmh-core/1.37/jmh-core-1.37.jar",
                        "org/openjdk/jmh/jmh-generator-annprocess/1.37/jmh-generator-annprocess-1.37.jar",
                        "net/sf/jopt-simple/jopt-simple/5.0.4/jopt-simple-5.0.4.jar",
                        "org/apache/commons/commons-math3/3.6.1/commons-math3-3.6.1.jar")
                .map(REPOSITORY::resolve)
                .toList();
        assumeThat(jars).allMatch(Files::exists);
        Path java = Path.of(System.getProperty("java.home"), "bin");
        String ours = Stream.of(System.getProperty("java.class.path").split(":", -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(":"));
        Path programs = directory.resolve("bin");
        program(
                programs,
                "lemmata",
                LEMMATA.replace("JAVA", "'" + java.resolve("java") + "'").replace("CLASSES", "'" + ours + "'"));
        // Builds the jar as the project's pom does, but without Maven.
        program(programs, "mvn", """
            #!/bin/bash
            set -e
            mkdir -p target/classes
            '%1$s/javac' --release 17 -proc:full -cp '%2$s' -d target/classes src/main/java/example/*.java
            cd target/classes
            for jar in $(tr : ' ' <<<'%2$s'); do '%1$s/jar' --extract --file "$jar"; done
            '%1$s/jar' --create --file ../benchmarks.jar --main-class org.openjdk.jmh.Main .
            """.formatted(
                        java, jars.stream().map(Path::toString).collect(Collectors.joining(":"))));

        List<Step> steps = steps(REGRESSION);
        String unpack = "mkdir -p lemmata-0.1.0/docs/examples; cp -r '" + EXAMPLE.toAbsolutePath()
                + "' lemmata-0.1.0/docs/examples\n";
        String script = steps.stream()
                .map(step -> step.line() + "\necho '" + MARK + "'$?\n")
                .collect(Collectors.joining("", unpack, ""));
        Path log = directory.resolve("log");
        var bash = new ProcessBuilder("bash", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        bash.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        bash.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        for (String who : List.of("AUTHOR", "COMMITTER")) {
            bash.environment().put("GIT_" + who + "_NAME", "reader");
            bash.environment().put("GIT_" + who + "_EMAIL", "reader@localhost");
        }
        assertThat(bash.start().waitFor()).isZero();

        String[] printed = Files.readString(log, StandardCharsets.UTF_8).split(MARK, -1);
        assertThat(printed).hasSize(steps.size() + 1);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String text = i == 0 ? printed[i] : printed[i].replaceFirst("\\d+\n", "");
            assertThat(new Step(
                                    step.line(),
                                    masked(String.join("\n", step.output()))
                                            .lines()
                                            .toList())
                            .shows(masked(text)))
                    .as("%s%nprints%n%s", step, text)
                    .isTrue();
            boolean compares = step.line().startsWith("lemmata bench");
            assertThat(printed[i + 1])
                    .as(step.line())
                    .matches(Pattern.compile((compares ? "[013]" : "0") + "\n.*", Pattern.DOTALL));
        }
    }

    @Test
    void masksFiguresButNotNames() {
        assertThat(masked("slower   0.95  [0.9, 0.97]  2%  10  -  A.b words=100 (avgt)"))
                .isEqualTo(masked("inconclusive  1  no information  2%  2  31  A.b words=100 (avgt)"))
                .isNotEqualTo(masked("slower   0.95  [0.9, 0.97]  2%  10  -  A.c words=100 (avgt)"));
        assertThat(masked("as HEAD (42f85651)")).isEqualTo("as HEAD (0)");
    }
}

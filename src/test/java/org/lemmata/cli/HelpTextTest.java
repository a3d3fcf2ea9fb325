package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every help text lists exit codes, and its examples are command lines that the program accepts. */
class HelpTextTest {

    private static CommandLine lemmata(String... args) {
        var nowhere = new PrintWriter(Writer.nullWriter());
        return Lemmata.commandLine(new Lemmata(List.of()), nowhere, nowhere, args);
    }

    private static CommandLine.Model.UsageMessageSpec usage(String name) {
        return Objects.requireNonNull(lemmata().getSubcommands().get(name))
                .getCommandSpec()
                .usageMessage();
    }

    static Stream<String> commands() {
        return lemmata().getSubcommands().keySet().stream().filter(name -> !name.equals("generate-completion"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aCommandHasExitCodesAndExamplesThatParse(String name) {
        assertThat(CommandLineRun.of(name, "--help").quiet().out()).contains("Usage: lemmata " + name, "--help");
        CommandLine.Model.UsageMessageSpec usage = usage(name);
        assertThat(usage.exitCodeList()).containsKeys("0", "2");
        // Formatted like picocli does, which warns about a single %.
        List<String> examples = Arrays.stream(usage.footer())
                .map(line -> String.format(Locale.ROOT, line))
                .toList();
        assertThat(examples).anyMatch(line -> line.contains("lemmata " + name)).allMatch(line -> line.startsWith("  "));
        for (String example : examples) {
            String[] words = example.replaceFirst("^.*lemmata ", "")
                    .replaceAll("['\"]([^'\"]*) ([^'\"]*) ([^'\"]*)['\"]", "$1_$2_$3")
                    .replace("'", "")
                    .split(" +", -1);
            assertThatCode(() -> lemmata(words).parseArgs(JsonCommand.withFiles(words, hint -> {})))
                    .as(example)
                    .doesNotThrowAnyException();
        }
    }

    /** A verb that addresses the reader: "Test claims", not "Tests claims". */
    @ParameterizedTest
    @MethodSource("commands")
    void aDescriptionIsImperative(String name) {
        String description = usage(name).description()[0];
        assertThat(description).doesNotMatch("^[A-Za-z]+s .*").endsWith(".").hasSizeLessThan(90);
    }

    @Test
    void theListHasEveryCommandInOneOfFourGroups() {
        String help = CommandLineRun.of("--help").quiet().out();
        assertThat(help.lines().filter(line -> line.matches("[A-Z][a-z ]+:")).toList())
                .containsExactly(
                        "Claims and constructions:",
                        "Trained models:",
                        "Benchmarks:",
                        "Results and help:",
                        "Exit codes:",
                        "Examples:");
        lemmata().getSubcommands().keySet().forEach(name -> assertThat(help).contains("\n  " + name + " "));
    }
}

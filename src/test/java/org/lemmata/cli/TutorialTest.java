package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the tutorials command by command: they show what the program prints, where "..." stands for anything. */
class TutorialTest {

    private static final Path TUTORIAL = Path.of("docs", "tutorial-theorem.md");
    private static final Pattern COMMAND = Pattern.compile("(?:printf '([^']*)' \\| )?bin/lemmata (.*)");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s']|'[^']*')+");
    private static final Pattern SECONDS = Pattern.compile("\\(\\d+[.]\\d s\\)");

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
}

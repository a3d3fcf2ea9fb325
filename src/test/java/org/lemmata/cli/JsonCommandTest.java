package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --json} alone prints JSON; {@code --json=FILE} writes it to the file. */
class JsonCommandTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"verify depth.lemma-5.2", "tasks", "claims depth", "doctor --no-check"})
    void jsonAloneIsAllThatIsPrinted(String command) throws IOException {
        String out = CommandLineRun.line(command + " --json").clean().out();
        assertThat(CommandLineRun.json(out).isContainerNode()).isTrue();
        assertThat(out).doesNotContain("Supported    depth");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks", "claims depth", "doctor --no-check"})
    void aFileGetsIt(String command) throws IOException {
        Path file = directory.resolve("new.json");
        CommandLineRun run = CommandLineRun.line(command + " --json=%s", file).clean();
        assertThat(run.out()).isEmpty();
        assertThat(CommandLineRun.json(file).isContainerNode()).isTrue();
    }

    @Test
    void verdictsArePrintedBesideTheFile() throws IOException {
        Path file = directory.resolve("claims.json");
        assertThat(CommandLineRun.line("verify depth.lemma-5.2 --json=%s", file)
                        .clean()
                        .out())
                .startsWith("Supported");
        assertThat(CommandLineRun.json(file)).hasSize(1);
    }

    @Test
    void aFileAfterABlankIsTakenWithAHint() {
        var hints = new ArrayList<String>();
        assertThat(JsonCommand.withFiles(new String[] {"verify", "--json", "a.json", "depth"}, hints::add))
                .containsExactly("verify", "--json=a.json", "depth");
        assertThat(hints).containsExactly("--json a.json is read as --json=a.json; write it that way");
    }

    @Test
    void anotherWordAfterABlankIsNone() throws IOException {
        var hints = new ArrayList<String>();
        assertThat(JsonCommand.withFiles(new String[] {"verify", "--json", "depth"}, hints::add))
                .containsExactly("verify", "--json=-", "depth");
        Path results = Files.writeString(directory.resolve("results.json"), "[]");
        assertThat(JsonCommand.withFiles(new String[] {"compare", "--json", results.toString(), "now"}, hints::add))
                .containsExactly("compare", "--json=-", results.toString(), "now");
        assertThat(JsonCommand.withFiles(new String[] {"claims", "--json"}, hints::add))
                .containsExactly("claims", "--json=-");
        assertThat(hints).isEmpty();
    }

    /** Otherwise the JSON would replace a file that the command should read. */
    @ParameterizedTest
    @ValueSource(strings = {"tokenize --json %s", "train --json %s", "--plugin own.jar compare --json %s now.json"})
    void aFileWithOtherContentIsNoPlace(String command) throws IOException {
        Path file = Files.writeString(directory.resolve("input.json"), command.contains("compare") ? "[]" : "text: x");
        String[] words = command.formatted(file).split(" ");
        assertThat(JsonCommand.withFiles(words, hint -> {})).contains("--json=-", file.toString());
        Files.writeString(file, "{}");
        boolean reads = command.startsWith("tokenize");
        assertThat(JsonCommand.withFiles(words, hint -> {})).contains(reads ? "--json=-" : "--json=" + file);
        assertThat(JsonCommand.withFiles(command.formatted(directory).split(" "), hint -> {}))
                .contains("--json=-", directory.toString());
        Path other = directory.resolve("other.json");
        assertThat(JsonCommand.withFiles(command.formatted(other).split(" "), hint -> {}))
                .contains("--json=" + other);
    }

    /** Only root can create files beside a device, but others can write to the device. */
    @Test
    void aDeviceIsAPlace() {
        CommandLineRun.of("tasks", "--json=/dev/null").quiet();
        CommandLineRun.of("verify", "depth.claim-5.3", "--json=/dev/null", "--markdown=/dev/null")
                .quiet();
    }
}

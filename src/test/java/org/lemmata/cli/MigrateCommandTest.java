package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.Evidence;

/** {@code migrate} on a copy of recorded cells. */
class MigrateCommandTest {

    private static final String NEW = "answers[.](.*)[.]majority";

    @TempDir
    private Path directory;

    private Path copy() throws IOException {
        Path file = new Evidence(directory).file("depth");
        Files.createDirectories(file.getParent());
        return Files.copy(Evidence.ofCheckout().file("depth"), file);
    }

    private CommandLineRun migrate(String name, String replacement) {
        return CommandLineRun.of("migrate", "depth", name, replacement, "--evidence", directory.toString());
    }

    @Test
    void namesChangeThereAndBackAndNothingElseDoes() throws IOException {
        Path file = copy();
        String before = Files.readString(file);
        CommandLineRun there = migrate(NEW, "answers.$1.mostFrequent").clean();
        assertThat(there.outLines()).containsExactly("100 measurements renamed in " + file);
        // A text of the same lines, but for that one word in the names of measurements, and the checksums.
        assertThat(withoutChecksums(Files.readString(file)))
                .isEqualTo(withoutChecksums(before)
                        .replaceAll("(\"name\":\"answers[.][^\"]*[.])majority\"", "$1mostFrequent\""))
                .isNotEqualTo(withoutChecksums(before));
        migrate("answers[.](.*)[.]mostFrequent", "answers.$1.majority").clean();
        assertThat(file).hasContent(before);
        assertThat(migrate("no such name", "x").outLines()).containsExactly("0 measurements renamed in " + file);
        assertThat(file).hasContent(before);
    }

    private static String withoutChecksums(String lines) {
        return lines.replaceAll(",\"checksum\":\"[0-9a-f]{16}\"}(?=\n)", "}");
    }

    @Test
    void whatWouldLoseOrCannotBeReadIsRefusedInOneLine() throws IOException {
        assertThat(migrate(NEW, "x").code()).isEqualTo(2);
        Path file = copy();
        String before = Files.readString(file);
        for (List<String> refused : List.of(
                List.of(NEW, "answers.$1", "expected different names after renaming, got two of 'answers."),
                List.of("(", "x", "NAME: expected a regular expression, got '('"),
                List.of(NEW, "$2", "NEW: expected groups that NAME has, got '$2'"))) {
            assertThat(migrate(refused.get(0), refused.get(1)).refusal()).contains(refused.get(2));
        }
        assertThat(file).hasContent(before);
    }
}

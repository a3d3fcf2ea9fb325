package org.lemmata.argument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RefuseTest {

    @Test
    void whatCameIsCutAfterSixtyCharacters() {
        assertThat(Refuse.quoted("a".repeat(60))).isEqualTo("'" + "a".repeat(60) + "'");
        assertThat(Refuse.quoted("a".repeat(61))).isEqualTo("'" + "a".repeat(60) + "…'");
        assertThat(Refuse.shown("𝄞".repeat(61)))
                .as("characters, not halves of them")
                .isEqualTo("𝄞".repeat(60) + "…");
    }

    @Test
    void nothingThatATerminalWouldObeyIsShown() {
        assertThat(Refuse.quoted("\u001b[31mred\u0000\u0007\u009b1m\u202egnp\n"))
                .isEqualTo("'?[31mred???1m?gnp?'");
        assertThat(Refuse.quoted("λ ⟶ 𝄞")).isEqualTo("'λ ⟶ 𝄞'");
    }

    @Test
    void ofALibrarysMessageTheQuotesAloneAreCut() {
        String word = "x".repeat(100);
        String rest = " and a sentence of more than sixty characters, which is left as it is written";
        assertThat(Refuse.withShortQuotes("Unknown option: '" + word + "' (or '--a')" + rest))
                .isEqualTo("Unknown option: '" + "x".repeat(60) + "…' (or '--a')" + rest);
    }

    /** Code that puts quotes around a text itself does not shorten it or make it printable. */
    @Test
    void noMessageQuotesWhatCameByItself() throws IOException {
        Pattern byHand = Pattern.compile("got '\"\\s*\\+");
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> byHand.matcher(read(file)).find())
                    .toList();
            assertThat(found).extracting(file -> file.getFileName().toString()).isEmpty();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file.toString(), e);
        }
    }
}

package org.lemmata.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentsTest {

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.write(directory.resolve("file"), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void aByteThatIsNoTextIsNamedWithItsLine() throws IOException {
        Path first = file("a\nb\n\u00ff\nc");
        assertMalformed(() -> Contents.text(first), first + ": line 3: expected UTF-8, got the byte 0xff");
        Path cutOff = file("a\n\u00c3");
        assertThatThrownBy(() -> Contents.text(cutOff))
                .hasMessage(cutOff + ": line 2: expected UTF-8, got the byte 0xc3");
    }

    @Test
    void whatFollowsTheLastLineBreakIsNoLine() throws IOException {
        Path file = file("\u00c3\u00bc\n\u00c3");
        byte[] bytes = Contents.of(file);
        assertThat(Contents.text(file, bytes, Contents.endOfLines(bytes))).isEqualTo("\u00fc\n");
        assertThat(Contents.endOfLines(new byte[] {'a'})).isZero();
    }
}

package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepDocumentationTest {

    @Test
    void theDocumentationListsEveryKeyWithItsDefaultAndItsMeaning() throws IOException {
        List<String> declared = Sweep.SECTION.keys().stream()
                .map(key -> "| `" + key.name() + "` | " + (key.fallback().isEmpty() ? "" : "`" + key.fallback() + "` ")
                        + "| " + key.meaning() + " |")
                .toList();
        String text = Files.readString(Path.of("docs/sweeps.md"));
        String file = text.substring(text.indexOf("## Write a sweep file"), text.indexOf("## Read the results"));
        assertThat(file.lines().filter(line -> line.startsWith("| `"))).containsExactlyElementsOf(declared);
    }
}

package org.lemmata.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of results do not depend on the user's language: neither its decimal comma, nor its digits, nor its i. */
class LocaleTest {

    @TempDir
    private Path directory;

    @Test
    void outputsAreTheSameInEveryLanguage() throws IOException {
        List<Process> children = new ArrayList<>();
        for (String language : List.of("en-US", "de-DE", "tr-TR", "ar-EG")) {
            children.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--add-modules",
                            "jdk.incubator.vector",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Dstdout.encoding=UTF-8",
                            "-Duser.language=" + language.substring(0, 2),
                            "-Duser.country=" + language.substring(3),
                            "-cp",
                            System.getProperty("java.class.path"),
                            LocaleProbe.class.getName(),
                            directory.resolve(language).toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
        List<String> outputs = new ArrayList<>();
        for (Process child : children) {
            outputs.add(new String(child.getInputStream().readAllBytes(), UTF_8));
        }
        assertThat(outputs.getFirst())
                .contains("(by the law 0.7500)", "p = 0.01")
                .contains("</html>");
        assertThat(outputs).containsOnly(outputs.getFirst());
    }
}

package org.lemmata.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results are equal bytes in every language, whatever its decimal separator, digits and case of the letter i. */
class LocaleTest {

    /** Claims that take little time and print fractions in names and reasons. */
    private static final List<String> FRACTIONS =
            List.of("depth.optimum", "depth.stability", "parity.lemma-8", "parity.lemma-9", "parity.lemma-10");

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
                            LocaleTest.class.getName(),
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

    /**
     * The program of a child JVM: runs commands that print or write numbers, and prints their output and files, without
     * directory and times.
     *
     * @param args a new directory
     */
    public static void main(String[] args) throws IOException {
        String place = args[0];
        Path claims = Files.createDirectory(Path.of(place)).resolve("claims.json");
        String page = place + "/page";
        run(place, "0.1\n1e-7\n", "round", "--format", "mxfp8_e4m3");
        run(place, "(\n", "run", "dyck-completion", "-p", "word=(()())()");
        run(place, "", "verify", "depth.algorithm-1", "-p", "draws=1000", "-p", "q=2..3", "--json", claims.toString());
        Path fractions = Path.of(place, "fractions.json");
        run(
                place,
                "",
                Stream.of(Stream.of("verify"), FRACTIONS.stream(), Stream.of("--json", fractions.toString()))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
        print(place, Files.readString(fractions));
        run(place, "", "report", "--claims", claims.toString(), "--out", page, "--markdown=" + page + "/summary.md");
        run(place, "", "tasks");
        run(place, "", "constructions");
        run(place, "", "help", "round");
        print(place, Files.readString(claims));
        print(place, Files.readString(Path.of(page, "index.html")));
        print(place, Files.readString(Path.of(page, "summary.md")));
    }

    private static void run(String place, String input, String... command) {
        CommandLineRun run = CommandLineRun.withInput(input, command);
        print(place, command[0] + ": " + run.code() + "\n" + run.out() + run.err());
    }

    private static void print(String place, String text) {
        System.out.println(text.replace(place, "DIRECTORY")
                .replaceAll("\\d+(\\.\\d+)? m?s\\b|(?<=\"seconds\" : )[0-9.E-]+|20\\d\\d-[-:T0-9.]+Z", "..."));
    }
}

package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program of a child JVM: runs commands that print or write numbers, and prints what they did, without directory
 * and times.
 */
final class LocaleProbe {

    /** Claims that take little time and print fractions in names and reasons. */
    private static final List<String> FRACTIONS =
            List.of("depth.optimum", "depth.stability", "parity.lemma-8", "parity.lemma-9", "parity.lemma-10");

    private static String directory = "";

    private LocaleProbe() {}

    // Its argument: a directory that is new.
    public static void main(String[] args) throws IOException {
        directory = args[0];
        Path claims = Files.createDirectory(Path.of(directory)).resolve("claims.json");
        String page = directory + "/page";
        run("0.1\n1e-7\n", "round", "--format", "mxfp8_e4m3");
        run("(\n", "run", "dyck-completion", "-p", "word=(()())()");
        run("", "verify", "depth.algorithm-1", "-p", "draws=1000", "-p", "q=2..3", "--json", claims.toString());
        Path fractions = Path.of(directory, "fractions.json");
        run(
                "",
                Stream.of(Stream.of("verify"), FRACTIONS.stream(), Stream.of("--json", fractions.toString()))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
        print(Files.readString(fractions));
        run("", "report", "--claims", claims.toString(), "--out", page, "--markdown=" + page + "/summary.md");
        run("", "tasks");
        run("", "constructions");
        run("", "help", "round");
        print(Files.readString(claims));
        print(Files.readString(Path.of(page, "index.html")));
        print(Files.readString(Path.of(page, "summary.md")));
    }

    private static void run(String input, String... command) {
        CommandLineRun run = CommandLineRun.withInput(input, command);
        print(command[0] + ": " + run.code() + "\n" + run.out() + run.err());
    }

    private static void print(String text) {
        System.out.println(text.replace(directory, "DIRECTORY")
                .replaceAll("\\d+(\\.\\d+)? m?s\\b|(?<=\"seconds\" : )[0-9.E-]+|20\\d\\d-[-:T0-9.]+Z", "..."));
    }
}

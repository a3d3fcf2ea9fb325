package org.lemmata.bench;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds, in the output of JMH and a fork, the cause of a missing result, not the exception that wraps it. */
final class FailureCause {

    private static final Pattern EXITED = Pattern.compile("VM prematurely exited before JMH had finished");

    private static final Pattern EXIT_CODE = Pattern.compile("<forked VM failed with exit code (-?\\d+)>");

    /** Patterns in order of priority. The groups of the first pattern that matches are the cause. */
    private static final List<Pattern> CAUSES = List.of(
            Pattern.compile("<failure>\\s+(\\S.*)"),
            Pattern.compile("#\\s+(SIG\\w+|Internal Error|Out of Memory Error|There is insufficient memory)[\\s\\S]*?"
                    + "(?:# Problematic frame:\\s+#( .*)|\\z)"),
            Pattern.compile("(Terminating due to .*)"),
            Pattern.compile("(Profilers failed to initialize).*\\s+(.+)"),
            Pattern.compile("<std(?:out|err) last='20 lines'>\\s+([^<\\s].*)"),
            Pattern.compile("Suppressed: (.*)"),
            Pattern.compile("(?m)^\\s*(Error.*|.*Exception.*)"));

    private FailureCause() {}

    static String of(String output, int code) {
        String text = output.lines()
                .filter(line -> !line.startsWith("WARNING: ")
                        && !BenchmarkJar.SAID_BY_JVM.matcher(line).lookingAt())
                .collect(Collectors.joining("\n"));
        if (EXITED.matcher(text).find()) {
            Matcher exit = EXIT_CODE.matcher(text);
            return "its JVM ended before JMH had finished" + (exit.find() ? ", with exit code " + exit.group(1) : "")
                    + ": was System.exit called?";
        }
        return CAUSES.stream()
                .map(cause -> cause.matcher(text))
                .filter(Matcher::find)
                .findFirst()
                .map(found -> IntStream.rangeClosed(1, found.groupCount())
                        .mapToObj(found::group)
                        .flatMap(Stream::ofNullable)
                        .map(String::strip)
                        .collect(Collectors.joining(": ")))
                .orElse("JMH ended with exit code " + code);
    }
}

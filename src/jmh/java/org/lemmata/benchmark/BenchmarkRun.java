package org.lemmata.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.lemmata.kernel.Kernels;
import org.lemmata.report.PeerText;
import org.lemmata.track.JmhResults;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;
import org.openjdk.jmh.Main;

/**
 * Runs JMH and leaves {@code jmh-results/latest.json}, JMH's own format, only if every benchmark succeeded; beside it
 * {@code latest.run.json}, what ran where, for which JMH's format has no place.
 *
 * <p>Arguments, each of them once: {@code include=REGEX}, {@code prof=async|jfr|gc|...}, {@code args=OPTIONS}, where
 * the options are JMH's, separated by blanks; what they set is not set here again, since JMH refuses repeated options.
 *
 * <p>JMH by itself drops a benchmark that throws and still succeeds, and truncates its result file at the start: hence
 * {@code -foe true} and the temporary name.
 */
public final class BenchmarkRun {

    private static final Path RESULTS = Path.of("jmh-results");
    private static final Path PROFILES = Path.of("target", "profiles");

    private BenchmarkRun() {}

    public static void main(String[] args) throws IOException {
        List<String> options = new ArrayList<>();
        options.addAll(words(value("include", args)));
        options.addAll(words(value("args", args)));
        for (String profiler : words(value("prof", args))) {
            options.add("-prof");
            options.add(profiler);
        }
        for (int i = 1; i < options.size(); i++) {
            if (options.get(i - 1).equals("-prof")) {
                options.set(i, withLocation(options.get(i)));
            }
        }
        addUnlessGiven(options, "-foe", "true");
        boolean json = addUnlessGiven(options, "-rf", "json");
        Path temporary = RESULTS.resolve(".latest." + ProcessHandle.current().pid() + ".part");
        // Another format belongs to a file of its own name: latest.json always is JSON.
        boolean ours = json && addUnlessGiven(options, "-rff", temporary.toString());
        Files.createDirectories(RESULTS);
        temporary.toFile().deleteOnExit();

        RunRecord record = RunRecord.now(MachineIdentity.current(Kernels.best().description()), List.of());
        Main.main(options.toArray(String[]::new)); // exits with 1 by itself if a benchmark fails or none matches

        // Listings (-l, -lprof, -h) write no results.
        if (ours && Files.exists(temporary) && Files.size(temporary) > 0) {
            Path latest = RESULTS.resolve("latest.json");
            Files.move(temporary, latest, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            record.write(RunRecord.beside(latest));
            System.out.print(PeerText.of(JmhResults.read(latest)));
            System.out.println("results: " + latest);
        }
    }

    private static String value(String name, String[] args) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(name + "="))
                .map(arg -> arg.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }

    private static boolean addUnlessGiven(List<String> options, String option, String value) {
        boolean absent = !options.contains(option);
        if (absent) {
            options.add(option);
            options.add(value);
        }
        return absent;
    }

    /** A profiler named without settings gets the ones it needs here; settings that are given stay as they are. */
    private static String withLocation(String profiler) throws IOException {
        return switch (profiler) {
            case "async" -> "async:libPath=" + asyncProfilerLibrary() + ";output=flamegraph;dir=" + PROFILES;
            case "jfr" -> "jfr:dir=" + PROFILES;
            default -> profiler;
        };
    }

    /** Unpacks the native library from async-profiler's jar. */
    private static Path asyncProfilerLibrary() throws IOException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "macos" : "linux";
        String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        String name = (os.equals("macos") ? os : os + "-" + cpu) + "/libasyncProfiler.so";
        Path directory = Path.of("target", "async-profiler").toAbsolutePath();
        Path library = directory.resolve("libasyncProfiler.so");
        try (InputStream packed = BenchmarkRun.class.getClassLoader().getResourceAsStream(name)) {
            if (packed == null) {
                throw new IOException(
                        "-Djmh.prof=async: expected " + name + " in async-profiler's jar; there is none for "
                                + System.getProperty("os.name") + " on " + System.getProperty("os.arch"));
            }
            Files.createDirectories(directory);
            Files.copy(packed, library, StandardCopyOption.REPLACE_EXISTING);
        }
        return library;
    }
}

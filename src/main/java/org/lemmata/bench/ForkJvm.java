package org.lemmata.bench;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.file.MalformedFileException;
import org.lemmata.track.RunRecord;

/**
 * The JVM that runs forks.
 *
 * @param java the {@code java} program
 * @param version the vendor and version, as in run records
 */
public record ForkJvm(Path java, String version) {

    private static final Path BIN = Path.of("bin", "java");

    private static final Path OURS = Path.of(System.getProperty("java.home")).resolve(BIN);

    private static final int OLDEST = 17;

    private static final Pattern VENDOR = Pattern.compile("java\\.vendor = (.*)");
    private static final Pattern VERSION = Pattern.compile("java\\.runtime\\.version = ((\\d+).*)");

    static ForkJvm ours() {
        return new ForkJvm(OURS, System.getProperty("java.vendor") + " " + Runtime.version());
    }

    /**
     * The JVM of the user of a jar: the JVM in JAVA_HOME, otherwise {@code java} on the path, otherwise the JVM of this
     * process.
     *
     * @throws IOException if that JVM is too old, or is the runtime in Lemmata's archive, which lacks most of a JDK
     */
    static ForkJvm owners() throws IOException {
        Optional<Path> java = installed(System.getenv());
        if (java.isEmpty()
                && Files.exists(
                        RunRecord.codeDirectory().resolveSibling("runtime").resolve(BIN))) {
            throw new IOException("expected java in JAVA_HOME or on PATH, to run benchmarks, got none; -jvm names one");
        }
        return java.isPresent() ? of(java.get()) : ours();
    }

    private static Optional<Path> installed(Map<String, String> environment) {
        Stream<Path> homes = Stream.ofNullable(environment.get("JAVA_HOME"))
                .map(home -> Path.of(home).resolve(BIN));
        return homes.filter(Files::isExecutable).findFirst().or(() -> onPath("java", environment));
    }

    static Optional<Path> onPath(String program, Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, 0))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Identifies the JDK of builds by its {@code release} file or the path of {@code java}; empty without a JDK. */
    static String release(Map<String, String> environment) throws IOException {
        Optional<Path> java = installed(environment);
        if (java.isEmpty()) {
            return "";
        }
        Path program = java.get().toRealPath();
        Path release = program.resolve("../../release").normalize();
        return Files.exists(release) ? Files.readString(release) : program.toString();
    }

    /** @throws IOException if {@code java} does not start, or is older than 17 */
    static ForkJvm of(Path java) throws IOException {
        if (Files.exists(java) && Files.isSameFile(java, OURS)) {
            return new ForkJvm(java, ours().version);
        }
        Process process = new ProcessBuilder(java.toString(), "-XshowSettings:properties", "-version")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher vendor = VENDOR.matcher(text);
        Matcher version = VERSION.matcher(text);
        boolean known = vendor.find() && version.find();
        if (!known || Integer.parseInt(version.group(2)) < OLDEST) {
            throw new MalformedFileException(
                    java,
                    "",
                    "expected a JVM of version " + OLDEST + " or newer, got "
                            + Refuse.printable(
                                    known
                                            ? version.group(1)
                                            : text.lines().findFirst().orElse("no answer")));
        }
        return new ForkJvm(java, vendor.group(1) + " " + version.group(1));
    }
}

package org.lemmata.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lemmata.track.GitCommit;

/** What has to be there so that the jar of another commit can be built in any project, checked before anything runs. */
public final class ProjectBuild {

    private ProjectBuild() {}

    /** Whether git takes the text for a commit of the checkout that the directory is in. */
    public static boolean isCommit(Path directory, String text) {
        return GitCommit.git(directory, "rev-parse", "--verify", "--quiet", text + "^{commit}")
                .isPresent();
    }

    /**
     * The command that builds a project with Maven, or with Gradle and its plug-in for JMH; the project's wrapper comes
     * first.
     *
     * @throws IllegalArgumentException if the directory has the build file of neither
     */
    public static String usual(Path directory) {
        if (Files.exists(directory.resolve("pom.xml"))) {
            return program(directory, "mvnw", "mvn") + " -B -q -ntp -DskipTests package";
        }
        if (Stream.of("build.gradle", "build.gradle.kts").anyMatch(name -> Files.exists(directory.resolve(name)))) {
            return program(directory, "gradlew", "gradle") + " -q jmhJar";
        }
        throw new IllegalArgumentException(
                "--against: expected --build with the command that builds the jar of a commit,"
                        + " or a pom.xml, build.gradle or build.gradle.kts in this directory, got none");
    }

    /** Why git reads no checkout in a directory, in its own words; empty if it does. */
    static String fault(Path directory) {
        return GitCommit.fault(directory, Map.of(), "rev-parse", "--git-dir");
    }

    private static String program(Path directory, String wrapper, String program) {
        return Files.isExecutable(directory.resolve(wrapper)) ? "./" + wrapper : program;
    }

    /**
     * Checks that git knows the checkout, and that there is the program of the command.
     *
     * @throws IOException if not; the message says what is missing
     */
    public static void require(Path directory, List<String> command, Map<String, String> environment)
            throws IOException {
        String fault = fault(directory);
        if (!fault.isEmpty()) {
            throw new IOException(
                    "--build: expected a checkout of git in this directory, to build a copy of it" + fault);
        }
        String program = command.getFirst();
        boolean found = program.contains("/")
                ? Files.isExecutable(directory.resolve(program))
                : Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, 0))
                        .anyMatch(place -> Files.isExecutable(Path.of(place).resolve(program)));
        if (!found) {
            throw new IOException("--build " + String.join(" ", command) + ": expected the program " + program
                    + (program.contains("/") ? "" : " on PATH") + ", got none");
        }
    }
}

package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lemmata.track.GitCommit;

/** Checks, before a run, that the jar of another commit can be built, for any project. */
public final class ProjectBuild {

    private ProjectBuild() {}

    /**
     * The usual build command of a project with Maven, or with Gradle and its JMH plug-in. Uses the project's wrapper
     * if there is one.
     *
     * @throws IllegalArgumentException if the directory has neither a Maven nor a Gradle build file
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

    /** The message of git if it finds no checkout in a directory; empty if it finds one. */
    static String fault(Path directory) {
        return GitCommit.fault(directory, Map.of(), "rev-parse", "--git-dir");
    }

    private static String program(Path directory, String wrapper, String program) {
        return Files.isExecutable(directory.resolve(wrapper)) ? "./" + wrapper : program;
    }

    /**
     * Checks that git finds the checkout and that the program of the command exists.
     *
     * @throws IOException if one of them is missing; the message names it
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
                : ForkJvm.onPath(program, environment).isPresent();
        if (!found) {
            throw new IOException("--build " + String.join(" ", command) + ": expected the program " + program
                    + (program.contains("/") ? "" : " on PATH") + ", got none");
        }
    }
}

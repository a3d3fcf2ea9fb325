package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.GitCommit;

class BuildCommandTest {

    @TempDir
    private Path directory;

    @Test
    void theBuildFileNamesTheCommandAndAWrapperComesFirst() throws Exception {
        assertThatThrownBy(() -> CommitBuilds.usualCommand(directory))
                .hasMessage("--against: expected --build with the command that builds the jar of a commit, or a"
                        + " pom.xml, build.gradle or build.gradle.kts in this directory, got none");
        Files.createFile(directory.resolve("build.gradle.kts"));
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("gradle -q jmhJar");
        executable("gradlew");
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("./gradlew -q jmhJar");
        Files.createFile(directory.resolve("pom.xml"));
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("mvn -B -q -ntp -DskipTests package");
        executable("mvnw");
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("./mvnw -B -q -ntp -DskipTests package");
    }

    private void executable(String name) throws Exception {
        assertThat(Files.createFile(directory.resolve(name)).toFile().setExecutable(true))
                .isTrue();
    }

    @Test
    void gitAndTheProgramAreCheckedFirst() throws Exception {
        Map<String, String> path = Map.of("PATH", "/nowhere:" + directory);
        assertThatThrownBy(() -> CommitBuilds.require(directory, List.of("make", "jar"), path))
                .hasMessageStartingWith(
                        "--build: expected a checkout of git in this directory, to build a copy of it; git: ");
        Checkout checkout = Checkout.init(directory);
        assertThat(GitCommit.ofRevision(directory, "HEAD")).isEmpty();
        checkout.commit("");
        assertThat(GitCommit.ofRevision(directory, "HEAD")).isPresent();
        assertThatThrownBy(() -> CommitBuilds.require(directory, List.of("make", "jar"), path))
                .hasMessage("--build make jar: expected the program make on PATH, got none");
        assertThatThrownBy(() -> CommitBuilds.require(directory, List.of("./make"), path))
                .hasMessage("--build ./make: expected the program ./make, got none");
        executable("make");
        CommitBuilds.require(directory, List.of("make", "jar"), path);
        CommitBuilds.require(directory, List.of("./make"), path);
    }
}

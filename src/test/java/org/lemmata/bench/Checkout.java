package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.lemmata.file.Sha256;

/** A small repository whose build, {@code build.sh}, copies the stand-in for JMH. */
public record Checkout(Path directory) {

    public static Checkout init(Path directory) throws IOException, InterruptedException {
        var checkout = new Checkout(directory.toRealPath());
        checkout.git("init", "-q");
        Files.writeString(directory.resolve(".gitignore"), "/target/\nbuilds\n");
        return checkout;
    }

    public String git(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                "git",
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "commit.gpgsign=false",
                "-C",
                directory.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("git %s: %s", List.of(arguments), output)
                .isZero();
        return output.strip();
    }

    /** Commits everything with a build; returns the hash. */
    String commit(String build) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("build.sh"), build);
        git("add", "--all");
        git("commit", "-qm", "build");
        return git("rev-parse", "HEAD");
    }

    /** The build script of a commit: it records that it ran, and which source files it had. */
    String copies(StandInJmh jmh) {
        return "find src -name '*.java' 2>/dev/null | sort | sed 's|.*/||' >> '" + directory.resolve("builds")
                + "'\necho built >> '"
                + directory.resolve("builds") + "'\nmkdir -p target\ncp '"
                + jmh.jar().file()
                + "' target/lemmata-benchmarks.jar\n";
    }

    CommitBuilds builds(Consumer<String> told, BooleanSupplier stop) {
        return new CommitBuilds(
                cache(), directory, BenchmarkJar.BUILT, List.of("sh", "build.sh"), told, stop, new ArrayList<>());
    }

    /** The directory with the build of a commit. */
    Path tree(String commit) {
        try {
            String key = Sha256.hex(directory + ForkJvm.release(System.getenv()), 8);
            return cache().resolve(key + "-" + commit.substring(0, 12));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cache, which git ignores, so that builds do not count as changes. */
    Path cache() {
        return directory.resolve("target/cache");
    }

    /** Writes a file whose modification time is {@code younger} seconds in the future. */
    Path write(String name, String text, long younger) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(younger)));
        return file;
    }
}

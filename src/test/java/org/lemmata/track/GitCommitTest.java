package org.lemmata.track;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.bench.Checkout;

class GitCommitTest {

    @TempDir
    private Path directory;

    @Test
    void namesHeadAndSaysWhenTheTreeDiffers() throws Exception {
        git("init", "-q");
        assertThat(GitCommit.of(directory)).as("before the first commit").isEqualTo("unknown");
        Files.writeString(directory.resolve("a.txt"), "one");
        git("add", ".");
        git("commit", "-qm", "one");
        String head = git("rev-parse", "HEAD");
        assertThat(head).matches("[0-9a-f]{40,64}");
        assertThat(GitCommit.of(directory)).isEqualTo(head);

        Files.createDirectories(directory.resolve("evidence/depth"));
        Files.writeString(directory.resolve("evidence/depth/results.jsonl"), "");
        assertThat(GitCommit.of(directory.resolve("evidence"))).as("evidence").isEqualTo(head);

        Files.writeString(directory.resolve("a.txt"), "two");
        assertThat(GitCommit.of(directory)).as("a changed file").isEqualTo(head + "-dirty");
        Files.writeString(directory.resolve("a.txt"), "one");
        Files.writeString(directory.resolve("new.txt"), "");
        assertThat(GitCommit.of(directory)).as("an untracked file").isEqualTo(head + "-dirty");
    }

    @Test
    void isUnknownOutsideACheckout() {
        assertThat(GitCommit.of(Path.of(directory.getRoot().toString()))).isEqualTo("unknown");
        assertThat(GitCommit.of(directory.resolve("missing"))).isEqualTo("unknown");
    }

    /** The program of a separate process: prints why git fails in a directory. */
    public static void main(String[] args) {
        System.out.print(GitCommit.fault(Path.of(args[0]), Map.of(), "rev-parse", "--git-dir"));
    }

    @Test
    void whatKeepsGitFromReadingACheckoutIsNamed() throws Exception {
        String[] question = {"rev-parse", "--git-dir"};
        assertThat(GitCommit.fault(directory, Map.of(), question)).startsWith("; git: fatal: not a git repository");
        git("init", "-q");
        assertThat(GitCommit.fault(directory, Map.of(), question)).isEmpty();
        assertThat(GitCommit.fault(directory, Map.of("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"), question))
                .startsWith("; git: fatal: detected dubious ownership")
                .contains("safe.directory " + directory.toRealPath());

        var withoutGit = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GitCommitTest.class.getName(),
                directory.toString());
        withoutGit.environment().put("PATH", directory.toString());
        Process process = withoutGit.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("; git: Cannot run program \"git\"")
                .contains("No such file or directory");
        assertThat(process.waitFor()).isZero();
    }

    private String git(String... arguments) throws Exception {
        return new Checkout(directory).git(arguments);
    }
}

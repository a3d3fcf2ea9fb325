package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits are those of a small repository, whose build copies the stand-in for JMH. */
class OpponentTest extends StandInFixture {

    @TempDir
    private Path checkout;

    private CommitBuilds commits() {
        return new CommitBuilds(checkout, List.of("sh", "build.sh"), told::add);
    }

    private BenchmarkSide opponent(String text, String... words) throws IOException {
        return Opponent.of(text, jmh.jar(), jmh.cells(words), commits());
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                "git",
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "commit.gpgsign=false",
                "-C",
                checkout.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("git %s: %s", List.of(arguments), output)
                .isZero();
        return output.strip();
    }

    /** Commits a build; returns the hash. */
    private String commit(String build) throws IOException, InterruptedException {
        Files.writeString(checkout.resolve("build.sh"), build);
        git("add", "build.sh");
        git("commit", "-qm", "build");
        return git("rev-parse", "HEAD");
    }

    private String copies() {
        return "echo built >> '" + checkout.resolve("builds") + "'\nmkdir -p target\ncp '"
                + jmh.jar().file() + "' target/lemmata-benchmarks.jar\n";
    }

    @Test
    void aCommitIsCheckedOutAndBuiltOnce() throws Exception {
        git("init", "-q");
        String old = commit(copies());
        String broken = commit("echo no compiler\nexit 1\n");
        BenchmarkSide side = opponent("HEAD~1", "fast");
        Path tree = checkout.resolve("target/commits").resolve(old.substring(0, 12));
        assertThat(side.name()).isEqualTo("B");
        assertThat(side.jar().file()).isEqualTo(tree.resolve("target/lemmata-benchmarks.jar"));
        assertThat(side.cells()).isEqualTo(jmh.cells("fast"));
        assertThat(told).containsExactly("building " + old + " in " + tree);
        assertThat(side.jar().record(JmhArguments.parse(List.of())).commit()).startsWith(old);
        opponent(old, "modes");
        assertThat(checkout.resolve("builds")).hasContent("built");

        Path log = checkout.resolve("target/commits").resolve(broken.substring(0, 12) + ".log");
        assertThatThrownBy(() -> opponent("HEAD", "fast"))
                .isInstanceOf(IOException.class)
                .hasMessage(log + ": expected sh build.sh of " + broken + " to succeed, it failed");
        assertThat(log).hasContent("no compiler");
    }

    @Test
    void aBuildThatWasCutOffIsDoneAgain() throws Exception {
        git("init", "-q");
        String commit = commit(copies());
        Path tree = checkout.resolve("target/commits").resolve(commit.substring(0, 12));
        git("worktree", "add", "-q", "--detach", tree.toString(), commit);
        Files.delete(tree.resolve("build.sh"));
        Files.createDirectories(tree.resolve("target"));
        Files.writeString(tree.resolve(BenchmarkJar.BUILT), "half a jar");
        assertThat(opponent("HEAD", "fast").jar().hash()).isEqualTo(jmh.jar().hash());
        assertThat(checkout.resolve("builds")).hasContent("built");
    }

    /** As an interrupted removal leaves it: git would take the checkout around it for its own. */
    @Test
    void aDirectoryThatIsNoTreeLeavesTheCheckoutAlone() throws Exception {
        git("init", "-q");
        String old = commit(copies());
        String newest = commit(copies() + "# newer\n");
        Files.writeString(checkout.resolve("build.sh"), "not committed");
        Path tree = checkout.resolve("target/commits").resolve(old.substring(0, 12));
        Files.createDirectories(tree.resolve("src"));
        assertThatThrownBy(() -> opponent(old, "fast"))
                .isInstanceOf(IOException.class)
                .hasMessage(tree + ": expected git to check out " + old
                        + ", it failed; remove that directory and try again");
        assertThat(git("rev-parse", "HEAD")).isEqualTo(newest);
        assertThat(checkout.resolve("build.sh")).hasContent("not committed");
    }

    @Test
    void anotherJarHasTheSameBenchmarks() throws IOException {
        StandInJmh other = jmh.again("other");
        assertThat(opponent(other.jar().file().toString(), "fast|modes"))
                .isEqualTo(new BenchmarkSide("B", other.jar(), jmh.cells("fast|modes")));
        var unknown = new BenchmarkCell(
                "demo.Bench.newer", jmh.cells("modes").getFirst().params(), List.of(), 1);
        assertThatThrownBy(() -> Opponent.of(other.jar().file().toString(), jmh.jar(), List.of(unknown), commits()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--against: expected demo.Bench.newer in " + other.jar().file() + ", got none");
        var fewer = new BenchmarkCell(
                "demo.Bench.fast", jmh.cells("modes").getFirst().params(), List.of(), 1);
        assertThatThrownBy(() -> Opponent.of(other.jar().file().toString(), jmh.jar(), List.of(fewer), commits()))
                .hasMessage("--against: expected demo.Bench.fast in "
                        + other.jar().file() + " with the parameters [], got [n]");
    }

    @Test
    void anotherBenchmarkHasTheSameParameters() throws IOException {
        BenchmarkSide side = opponent("Bench.sleeps$", "modes", "-wi", "1", "-f", "4");
        assertThat(side.jar()).isEqualTo(jmh.jar());
        assertThat(side.cells()).extracting(BenchmarkCell::benchmark).containsExactly("demo.Bench.sleeps");
        assertThat(side.cells().getFirst().options()).containsExactly("-wi", "1");
        assertThat(side.cells().getFirst().forks()).isEqualTo(4);
        assertThat(opponent("fast", "fast", "-p", "n=7").cells())
                .extracting(BenchmarkCell::shortKey)
                .containsExactly("Bench.fast n=7");
        assertThat(opponent("Bench.sleeps$", "fast", "-p", "n=7").cells())
                .extracting(BenchmarkCell::shortKey)
                .as("what it has no parameter for")
                .containsExactly("Bench.sleeps");
        assertThat(opponent("fast -p n=9", "fast", "-p", "n=7,8").cells())
                .extracting(BenchmarkCell::shortKey)
                .as("what is given")
                .containsExactly("Bench.fast n=9", "Bench.fast n=9");
        assertThatThrownBy(() -> opponent("fast", "modes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--against fast: expected one benchmark with the parameters of Bench.modes, got 2");
        assertThatThrownBy(() -> opponent("sleeps|fails", "modes")).hasMessageEndingWith("of Bench.modes, got 2");
        assertThatThrownBy(() -> opponent("nonsense", "modes"))
                .hasMessage("--against: expected a jar, a commit or a regular expression of benchmarks, got nonsense");
    }
}

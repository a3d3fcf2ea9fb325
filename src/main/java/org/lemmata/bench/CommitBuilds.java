package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.lemmata.track.GitCommit;

/**
 * Jars of benchmarks of other commits, each checked out and built once, under {@code target/commits} of a checkout.
 *
 * @param checkout a directory in it
 * @param command what builds {@code target/lemmata-benchmarks.jar} in a tree of its own
 * @param progress told what takes long
 */
public record CommitBuilds(Path checkout, List<String> command, Consumer<String> progress) {

    private static final List<String> MAVEN = List.of("mvn", "-B", "-ntp", "-P", "jmh", "-DskipTests", "package");

    /** Left in the tree by a build that succeeded: one that was cut off may have left a jar, too. */
    private static final Path BUILT = Path.of("target", "commit-is-built");

    public CommitBuilds {
        checkout = checkout.toAbsolutePath();
        command = List.copyOf(command);
    }

    /** Of the checkout that the program was started in. */
    public static CommitBuilds byMaven(Consumer<String> progress) {
        return new CommitBuilds(Path.of(""), MAVEN, progress);
    }

    /** The hash of what git takes for a commit; empty if it does not, or there is no checkout. */
    Optional<String> commit(String text) throws IOException {
        return GitCommit.git(checkout, "rev-parse", "--verify", "--quiet", text + "^{commit}")
                .map(String::strip);
    }

    /**
     * The jar of a commit.
     *
     * @param commit its full hash
     * @throws IOException if git or the build fails; the message names the log
     */
    BenchmarkJar build(String commit) throws IOException {
        Path commits = checkout.resolve("target", "commits");
        Path tree = commits.resolve(commit.substring(0, 12));
        if (!Files.exists(tree.resolve(BUILT))) {
            progress.accept("building " + commit + " in " + tree);
            checkOut(tree, commit);
            Path log = commits.resolve(tree.getFileName() + ".log");
            Process process = new ProcessBuilder(command)
                    .directory(tree.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            process.getOutputStream().close();
            if (waitFor(process) != 0 || !Files.exists(tree.resolve(BenchmarkJar.BUILT))) {
                throw new IOException(
                        log + ": expected " + String.join(" ", command) + " of " + commit + " to succeed, it failed");
            }
            Files.createFile(tree.resolve(BUILT));
        }
        return BenchmarkJar.open(tree.resolve(BenchmarkJar.BUILT));
    }

    private void checkOut(Path tree, String commit) throws IOException {
        Files.createDirectories(tree.resolveSibling(""));
        // Trees that were removed by hand, as by mvn clean.
        GitCommit.git(checkout, "worktree", "prune");
        // In a directory that is no tree of its own, git would check out in the one around it.
        Optional<String> done = Files.exists(tree.resolve(".git"))
                ? GitCommit.git(tree, "checkout", "--force", "--detach", commit)
                : GitCommit.git(checkout, "worktree", "add", "--detach", tree.toString(), commit);
        if (done.isEmpty()) {
            throw new IOException(tree + ": expected git to check out " + commit
                    + ", it failed; remove that directory and try again");
        }
    }

    private static int waitFor(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new IOException("interrupted", e);
        }
    }
}

package org.lemmata.track;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the commit of a checkout from git. */
public final class GitCommit {

    static final String UNKNOWN = "unknown";

    private static final String BUILT = "/META-INF/lemmata-commit";

    private GitCommit() {}

    /**
     * The commit from which the running code was built, with "-dirty" if files had changed, and its date, such as
     * "7ee967d6... 2026-11-28". Empty if Maven did not build it in a checkout.
     */
    public static String built() {
        try (InputStream in = GitCommit.class.getResourceAsStream(BUILT)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * The full hash of HEAD, with "-dirty" if the tree has uncommitted or untracked files. "unknown" outside a
     * checkout, before the first commit, and without git. Changes of the evidence do not count, because it is not code.
     */
    public static String of(Path directory) {
        Optional<String> head = git(directory, Map.of(), "rev-parse", "--verify", "--quiet", "HEAD");
        if (head.isEmpty() || head.get().isBlank()) {
            return UNKNOWN;
        }
        boolean clean = git(directory, Map.of(), "status", "--porcelain", "--", ":/", ":(top,exclude)evidence")
                .map(String::isBlank)
                .orElse(true);
        return head.get().strip() + (clean ? "" : "-dirty");
    }

    /** The commit hash for a revision; empty if git finds no such commit or there is no checkout. */
    public static Optional<String> ofRevision(Path directory, String text) {
        return git(directory, Map.of(), "rev-parse", "--verify", "--quiet", text + "^{commit}")
                .map(String::strip);
    }

    /** The output of git in a directory; empty if git fails or is missing. */
    public static Optional<String> git(Path directory, Map<String, String> environment, String... arguments) {
        Ended ended = run(directory, environment, false, arguments);
        return ended.well() ? Optional.of(ended.text()) : Optional.empty();
    }

    /** "; git: " and git's error message; empty if git succeeds. */
    public static String fault(Path directory, Map<String, String> environment, String... arguments) {
        Ended ended = run(directory, environment, true, arguments);
        return ended.well() ? "" : "; git: " + ended.text().strip();
    }

    private record Ended(boolean well, String text) {}

    /** Runs git. If {@code errors}, error messages are part of the returned text. */
    private static Ended run(Path directory, Map<String, String> environment, boolean errors, String... arguments) {
        var command = new ArrayList<String>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectErrorStream(errors);
        builder.environment().putAll(environment);
        // Without this, `status` rewrites the index, and may collide with another git process.
        builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.onExit().join().exitValue() == 0, output);
        } catch (IOException e) {
            return new Ended(false, String.valueOf(e.getMessage()));
        }
    }
}

package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lemmata.file.FileTree;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.track.GitCommit;
import org.lemmata.track.RunRecord;

/**
 * Builds benchmark jars for commits of a checkout and for its current files. Each state is built once, in its own
 * directory outside the checkout. The five builds used last are kept. Until this object is closed, no other process
 * rebuilds or deletes the builds that it returned.
 *
 * @param cache the directory of all builds, including those of other checkouts
 * @param checkout a directory of the checkout; the command runs in the same directory of a copy
 * @param jar the jar that the command builds, relative to that directory
 * @param command the build command
 * @param progress receives messages about slow steps
 * @param stop polled during a build; when it returns true, the build is stopped
 * @param used receives a lock for each returned build
 */
public record CommitBuilds(
        Path cache,
        Path checkout,
        Path jar,
        List<String> command,
        Consumer<String> progress,
        BooleanSupplier stop,
        List<LockedFile> used)
        implements AutoCloseable {

    public static final Path CACHE =
            cache(Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), ""), System.getProperty("user.home"));

    private static final int KEPT = 5;

    private static final String MARK = ".build";

    /** Skips formatting and tests, so that code can be measured before it is formatted and its tests are adapted. */
    private static final List<String> MAVEN =
            List.of("mvn", "-B", "-ntp", "-P", "jmh", "-Dmaven.test.skip", "-Dformat.skip", "package");

    /** Git patterns for all files except those that no jar contains and that may change while benchmarks run. */
    private static final List<String> NOT_BUILT = List.of(
            ":/",
            ":(top,exclude)target",
            ":(top,exclude)jmh-results",
            ":(top,exclude)evidence",
            ":(top,exclude)docs",
            ":(top,exclude).ci",
            ":(top,exclude).github",
            ":(top,exclude,glob)*.md");

    private static final int SHORT_HASH = 8;

    public CommitBuilds {
        checkout = checkout.toAbsolutePath();
        command = List.copyOf(command);
    }

    /**
     * The cache below XDG_CACHE_HOME, .cache in the home directory, or the temporary directory. The first absolute path
     * counts: the XDG standard ignores relative paths, and Java reports an unknown home directory as "?".
     */
    static Path cache(String xdg, String home) {
        Path user =
                Path.of(home).isAbsolute() ? Path.of(home, ".cache") : Path.of(System.getProperty("java.io.tmpdir"));
        return (Path.of(xdg).isAbsolute() ? Path.of(xdg) : user)
                .resolve("lemmata")
                .resolve("builds");
    }

    /** The builds for the checkout of the running code; empty unless it is the current directory. */
    public static Optional<CommitBuilds> ofThisProgram(Consumer<String> progress, BooleanSupplier stop)
            throws IOException {
        Optional<Path> root = RunRecord.checkout();
        return root.isPresent() && Files.isSameFile(root.get(), Path.of("").toAbsolutePath())
                ? Optional.of(new CommitBuilds(
                        CACHE, Path.of(""), BenchmarkJar.BUILT, MAVEN, progress, stop, new ArrayList<>()))
                : Optional.empty();
    }

    /**
     * The usual build command of a project with Maven, or with Gradle and its JMH plug-in. Uses the project's wrapper
     * if there is one.
     *
     * @throws IllegalArgumentException if the directory has neither a Maven nor a Gradle build file
     */
    public static String usualCommand(Path directory) {
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

    /** The message of git if it finds no checkout in a directory; empty if it finds one. */
    static String fault(Path directory) {
        return GitCommit.fault(directory, Map.of(), "rev-parse", "--git-dir");
    }

    /** A title with the user's text and the hash, such as "HEAD~1 (16ec9eb5)"; only the text if it is a hash. */
    static String title(String text, String commit) {
        return commit.startsWith(text) ? text : text + " (" + commit.substring(0, SHORT_HASH) + ")";
    }

    /**
     * The jar of the current files: the jar built in place if no file is newer, otherwise a new build.
     *
     * @throws IOException if there is no checkout, or the build fails
     */
    public BenchmarkJar workingTree() throws IOException {
        String head = GitCommit.ofRevision(checkout, "HEAD")
                .orElseThrow(() -> new IOException(checkout
                        + ": expected a git checkout with a commit, to see whether " + jar
                        + " is up to date; use --jar to measure a jar as it is" + fault(checkout)));
        String state = GitCommit.of(checkout);
        String title =
                "the working tree (" + head.substring(0, SHORT_HASH) + (state.equals(head) ? ")" : " with changes)");
        Path inPlace = checkout.resolve(jar);
        String obstacle = "is not there";
        if (Files.exists(inPlace)) {
            Optional<Path> newer = newer(Files.getLastModifiedTime(inPlace));
            if (newer.isEmpty()) {
                return BenchmarkJar.open(FileTree.shown(inPlace)).of(title, state);
            }
            obstacle = "is older than " + newer.get();
        }
        progress.accept(FileTree.shown(inPlace) + " " + obstacle);
        return build(snapshot(head), title).of(title, state);
    }

    /**
     * A file or directory of the checkout, except tests, that is newer than {@code than}. Directories count, because
     * deleting a file changes only its directory.
     */
    private Optional<Path> newer(FileTime than) throws IOException {
        Path root = root();
        Set<Path> places = new LinkedHashSet<>();
        for (String name : files(":(top,exclude)src/test").split("\0", 0)) {
            for (Path at = Path.of(name); at != null; at = at.getParent()) {
                places.add(at);
            }
        }
        for (Path place : places) {
            Path file = root.resolve(place);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                                    .compareTo(than)
                            > 0) {
                return Optional.of(place);
            }
        }
        return Optional.empty();
    }

    /** The files that git tracks or would add, relative to the root. A NUL follows each name. */
    private String files(String... without) throws IOException {
        var arguments = new ArrayList<>(
                List.of("ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--"));
        arguments.addAll(NOT_BUILT);
        arguments.addAll(List.of(without));
        return git(Map.of(), arguments.toArray(String[]::new));
    }

    private Path root() throws IOException {
        return Path.of(git(Map.of(), "rev-parse", "--show-toplevel"));
    }

    /** A commit of the current files that is on no branch, or {@code head} if no file has changed. */
    private String snapshot(String head) throws IOException {
        Path index = Files.createTempFile("lemmata-", ".index");
        Path names = Files.createTempFile("lemmata-", ".names");
        try {
            Path own = checkout.resolve(git(Map.of(), "rev-parse", "--git-path", "index"));
            Files.copy(own, index, StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(names, files());
            Map<String, String> there = Map.of("GIT_INDEX_FILE", index.toString(), "GIT_LITERAL_PATHSPECS", "1");
            // Passes file names instead of NOT_BUILT, because git rejects patterns that match ignored files.
            git(root(), there, "add", "--all", "--pathspec-from-file=" + names, "--pathspec-file-nul");
            String tree = git(there, "write-tree");
            if (tree.equals(git(Map.of(), "rev-parse", head + "^{tree}"))) {
                return head;
            }
            // With a fixed author and time, the same files always have the same hash.
            String time = git(Map.of(), "show", "--no-patch", "--format=%cI", head);
            return git(
                    Map.of(
                            "GIT_AUTHOR_NAME", "lemmata",
                            "GIT_AUTHOR_EMAIL", "lemmata@localhost",
                            "GIT_AUTHOR_DATE", time,
                            "GIT_COMMITTER_NAME", "lemmata",
                            "GIT_COMMITTER_EMAIL", "lemmata@localhost",
                            "GIT_COMMITTER_DATE", time),
                    "commit-tree",
                    tree,
                    "-p",
                    head,
                    "-m",
                    "The working tree, for benchmarks");
        } finally {
            Files.deleteIfExists(index);
            Files.deleteIfExists(names);
        }
    }

    private String git(Map<String, String> environment, String... arguments) throws IOException {
        return git(checkout, environment, arguments);
    }

    private static String git(Path directory, Map<String, String> environment, String... arguments) throws IOException {
        return GitCommit.git(directory, environment, arguments)
                .map(String::strip)
                .orElseThrow(() -> new IOException(directory + ": expected git " + String.join(" ", arguments)
                        + " to succeed, it failed" + GitCommit.fault(directory, environment, arguments)));
    }

    /**
     * @param commit the full hash
     * @throws IOException if git or the build fails; if the build fails, the message names the log
     */
    BenchmarkJar build(String commit, String title) throws IOException {
        String key = Sha256.hex(root() + ForkJvm.release(System.getenv()), SHORT_HASH);
        Path tree = cache.resolve(key + "-" + commit.substring(0, 12));
        Path directory = tree.resolve(git(Map.of(), "rev-parse", "--show-prefix"));
        Files.createDirectories(cache);
        Path mark = Path.of(tree + MARK);
        try (TreeBuild build = TreeBuild.of(mark)) {
            // Files.setLastModifiedTime opens and closes the file, which releases the lock on POSIX systems.
            boolean touched = mark.toFile().setLastModified(System.currentTimeMillis());
            assert touched : mark;
            if (!build.isDone(command) || !Files.exists(directory.resolve(jar))) {
                Path log = log(tree);
                if (DuetMeeting.isLocked(log)) {
                    throw inUse(log);
                }
                progress.accept("building " + title + " in " + tree + ", which takes a while; the output is in " + log);
                checkOut(tree, commit);
                Instant start = Instant.now();
                boolean done = build.run(
                        command, directory, log, line -> progress.accept("building " + title + ": " + line), stop);
                if (!done || !Files.exists(directory.resolve(jar))) {
                    throw new MalformedFileException(
                            log,
                            "",
                            "expected " + String.join(" ", command) + " of " + title + " to succeed, "
                                    + (done ? "it built no " + jar : "it failed" + reason(log) + noShell()));
                }
                progress.accept("built " + title + " in "
                        + Duration.between(start, Instant.now()).toSeconds() + " s");
            }
            LockedFile.share(log(tree)).ifPresent(used::add);
        }
        clean(cache, KEPT);
        return BenchmarkJar.open(directory.resolve(jar)).of(title, commit);
    }

    private static Path log(Path tree) {
        return Path.of(tree + ".log");
    }

    private static MalformedFileException inUse(Path log) {
        return new MalformedFileException(
                log,
                "",
                "expected a build that no other run uses or deletes, got one in use; try again when that run has"
                        + " ended");
    }

    @Override
    public void close() throws IOException {
        for (LockedFile each : used) {
            each.close();
        }
        used.clear();
    }

    /**
     * Prevents the build of a jar from being rebuilt or deleted while the result is open. The result is empty for other
     * jars, and if this process already holds the lock.
     *
     * @throws IOException if another process is building or deleting the build
     */
    static Optional<LockedFile> use(Path file) throws IOException {
        for (Path tree = file.toAbsolutePath(); tree != null; tree = tree.getParent()) {
            Path mark = Path.of(tree + MARK);
            if (Files.exists(mark)) {
                Path log = log(tree);
                // A process locks the mark while it builds or deletes the tree, or checks whether the tree is in use.
                try (var _ = TreeBuild.lock(mark, StandardOpenOption.READ, StandardOpenOption.WRITE)
                        .orElseThrow(() -> inUse(log))) {
                    return LockedFile.share(log);
                } catch (NoSuchFileException e) {
                    // The build was deleted while this process waited.
                    throw inUse(log);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Deletes builds, except the {@code kept} most recently used builds and builds in progress or in use.
     *
     * @return the number of deleted builds
     */
    public static int clean(Path cache, int kept) throws IOException {
        if (!Files.isDirectory(cache)) {
            return 0;
        }
        List<Path> marks;
        try (Stream<Path> files = Files.list(cache)) {
            marks = files.filter(file -> file.toString().endsWith(MARK))
                    .sorted(Comparator.comparingLong(
                                    (Path mark) -> mark.toFile().lastModified())
                            .reversed())
                    .skip(kept)
                    .toList();
        }
        int deleted = 0;
        for (Path mark : marks) {
            Path tree = Path.of(mark.toString().substring(0, mark.toString().length() - MARK.length()));
            // While the mark is locked, no run can start using the build.
            try (LockedFile own = LockedFile.open(mark).orElse(null);
                    LockedFile unused =
                            own == null ? null : LockedFile.open(log(tree)).orElse(null)) {
                if (own != null && unused != null) {
                    own.channel().truncate(0);
                    FileTree.delete(tree);
                    Files.deleteIfExists(log(tree));
                    Files.delete(mark);
                    deleted++;
                }
            }
        }
        return deleted;
    }

    private String noShell() {
        boolean ofShell = command.stream().anyMatch(word -> word.matches("&&|[|]{1,2}|.*;"));
        return ofShell ? "; the command runs without a shell" : "";
    }

    /** The first error message of Maven, a compiler or Gradle, if there is one. */
    private static String reason(Path log) throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("[ERROR]") || line.contains("error:") || line.startsWith("* What"))
                .findFirst()
                .map(line -> ": " + line.replaceFirst("^\\[ERROR] ", ""))
                .orElse("");
    }

    /**
     * Checks out a commit in a new repository that shares the objects of the checkout, so that the user's checkout does
     * not list it as a worktree.
     */
    private void checkOut(Path tree, String commit) throws IOException {
        // Without this repository, git would check out in the repository around the directory.
        Path own = tree.resolve(".git");
        if (!Files.exists(tree)) {
            git(Map.of(), "init", "--quiet", tree.toString());
            Files.writeString(own.resolve("objects/info/alternates"), gitPath("objects") + "\n");
            // In this file, a shallow clone lists the commits whose parents it lacks.
            Path shallow = gitPath("shallow");
            if (Files.exists(shallow)) {
                Files.copy(shallow, own.resolve("shallow"));
            }
        }
        if (!Files.exists(own)
                || GitCommit.git(tree, Map.of(), "checkout", "--force", "--detach", commit)
                        .isEmpty()) {
            throw new IOException(tree + ": expected git to check out " + commit
                    + ", it failed; remove that directory and try again" + fault(checkout));
        }
    }

    private Path gitPath(String name) throws IOException {
        return checkout.resolve(git(Map.of(), "rev-parse", "--git-path", name)).normalize();
    }
}

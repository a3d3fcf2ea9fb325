package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.LockedFile;
import org.lemmata.track.GitCommit;

/** Builds of commits and files of a small repository, whose build copies the stand-in for JMH. */
class CommitBuildsTest extends StandInFixture {

    private static final String IN_USE = ": expected a build that no other run uses or deletes, got one in use; try"
            + " again when that run has ended";

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Checkout checkout;

    @BeforeEach
    void init() throws IOException, InterruptedException {
        checkout = Checkout.init(directory);
    }

    private CommitBuilds builds() {
        return checkout.builds(told::add, () -> false);
    }

    private CommitBuilds builds(Path module, Path jar, String... command) {
        return new CommitBuilds(
                checkout.cache(), module, jar, List.of(command), told::add, () -> false, new ArrayList<>());
    }

    private BenchmarkJar against(String text) throws IOException {
        try (CommitBuilds builds = builds()) {
            return Opponent.of(text, jmh.jar(), jmh.cells("fast"), Optional.of(builds), told::add)
                    .jar();
        }
    }

    private BenchmarkJar workingTree() throws IOException {
        try (CommitBuilds builds = builds()) {
            return builds.workingTree();
        }
    }

    /** Copies a jar to its place, with a modification time {@code seconds} from now. */
    private void buildInPlace(long seconds) throws IOException {
        Path jar = directory.resolve(BenchmarkJar.BUILT);
        Files.createDirectories(jar.resolveSibling(""));
        Files.copy(jmh.jar().file(), jar);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(seconds)));
    }

    @Test
    void aCommitIsCheckedOutAndBuiltOnce() throws Exception {
        String old = checkout.commit(checkout.copies(jmh));
        String broken = checkout.commit("echo 'X.java:1: error: no compiler'\nexit 1\n");
        BenchmarkJar jar = against("HEAD~1");
        String title = "HEAD~1 (" + old.substring(0, 8) + ")";
        assertThat(jar)
                .isEqualTo(BenchmarkJar.open(checkout.tree(old).resolve("target/lemmata-benchmarks.jar"))
                        .of(title, old)
                        .on(jmh.jar().jvm()));
        assertThat(told).hasSize(2);
        assertThat(told.getFirst())
                .isEqualTo("building " + title + " in " + checkout.tree(old)
                        + ", which takes a while; the output is in " + checkout.tree(old) + ".log");
        assertThat(told.getLast()).startsWith("built " + title + " in ").matches(".* in \\d+ s");
        assertThat(jar.record(JmhArguments.parse(List.of())).commit()).isEqualTo(old);
        against(old);
        assertThat(checkout.directory().resolve("builds")).hasContent("built");

        Path log = Path.of(checkout.tree(broken) + ".log");
        assertThatThrownBy(() -> against("HEAD"))
                .isInstanceOf(IOException.class)
                .hasMessage(log + ": expected sh build.sh of HEAD (" + broken.substring(0, 8)
                        + ") to succeed, it failed: X.java:1: error: no compiler");
        var builds = builds(checkout.directory(), BenchmarkJar.BUILT, "false", "&&", "true");
        assertThatThrownBy(() -> builds.build(broken, "HEAD"))
                .hasMessageEndingWith("false && true of HEAD to succeed, it failed; the command runs without a shell");
    }

    @Test
    void aBuildThatWasCutOffIsDoneAgain() throws Exception {
        String commit = checkout.commit(checkout.copies(jmh));
        Path tree = checkout.tree(commit);
        against("HEAD");
        Files.delete(Path.of(tree + ".build"));
        Files.delete(checkout.directory().resolve("builds"));
        Files.delete(tree.resolve("build.sh"));
        Files.writeString(tree.resolve(BenchmarkJar.BUILT), "half a jar");
        assertThat(against("HEAD").hash()).isEqualTo(jmh.jar().hash());
        assertThat(checkout.directory().resolve("builds")).hasContent("built");
    }

    /** The first build is used again before the sixth is built, so the second one is deleted. */
    @Test
    void fiveBuildsAreKeptAndGitListsNoneOfThem() throws Exception {
        var commits = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            commits.add(checkout.commit(checkout.copies(jmh) + "# " + i + "\n"));
            against("HEAD");
            Files.setLastModifiedTime(Path.of(checkout.tree(commits.get(i)) + ".build"), FileTime.fromMillis(1000 + i));
        }
        against(commits.getFirst());
        String newest = checkout.commit(checkout.copies(jmh) + "# newest\n");
        checkout.write("src/main/java/Uncommitted.java", "", 100);
        buildInPlace(-100);
        workingTree();
        assertThat(commits)
                .filteredOn(commit -> Files.exists(checkout.tree(commit)))
                .containsExactly(commits.get(0), commits.get(2), commits.get(3), commits.get(4));
        assertThat(Path.of(checkout.tree(commits.get(1)) + ".log")).doesNotExist();
        assertThat(checkout.git("log", "--all", "--format=%H").lines())
                .hasSize(6)
                .contains(newest);
        assertThat(checkout.git("worktree", "list").lines()).hasSize(1);
        try (TreeBuild goesOn = TreeBuild.of(Path.of(checkout.tree(commits.get(2)) + ".build"))) {
            assertThat(goesOn.isDone(List.of("sh", "build.sh"))).isTrue();
            assertThat(CommitBuilds.clean(checkout.cache(), 0)).isEqualTo(4);
        }
        assertThat(CommitBuilds.clean(checkout.cache(), 0)).isEqualTo(1);
        assertThat(checkout.cache()).isEmptyDirectory();
        assertThat(CommitBuilds.clean(directory.resolve("missing"), 0)).isZero();
    }

    @Test
    void aBuildInUseIsKept() throws Exception {
        String commit = checkout.commit(checkout.copies(jmh));
        Path jar = against("HEAD").file();
        assertThat(CommitBuilds.use(jmh.jar().file())).isEmpty();
        try (LockedFile used = CommitBuilds.use(jar).orElseThrow()) {
            assertThat(used.channel().isOpen()).isTrue();
            assertThat(CommitBuilds.clean(checkout.cache(), 0)).isZero();
            assertThat(jar).exists();
        }
        assertThat(CommitBuilds.clean(checkout.cache(), 0)).isEqualTo(1);
        assertThat(checkout.tree(commit)).doesNotExist();
    }

    /** A second thread tries to use the build as soon as the first of many files is deleted. */
    @Test
    void aRunCannotBeginToUseABuildThatIsBeingDeleted() throws Exception {
        Path tree = checkout.tree(checkout.commit(checkout.copies(jmh)));
        Path jar = against("HEAD").file();
        int files = 2000;
        Path many = Files.createDirectory(tree.resolve("many"));
        for (int i = 0; i < files; i++) {
            Files.createFile(many.resolve("file" + i));
        }
        CompletableFuture<Optional<LockedFile>> late = CompletableFuture.supplyAsync(() -> {
            while (names(many) == files) {
                Thread.onSpinWait();
            }
            assertThat(Path.of(tree + ".build"))
                    .as("a kill from here on leaves no build that seems complete")
                    .isEmptyFile();
            try {
                return CommitBuilds.use(jar);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        CommitBuilds.clean(checkout.cache(), 0);
        assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS)).hasMessageEndingWith(tree + ".log" + IN_USE);
        assertThat(CommitBuilds.use(jar)).isEmpty();
        assertThat(checkout.cache()).isEmptyDirectory();
    }

    private static int names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? 0 : names.length;
    }

    /** Another process may hold the lock for a moment, or while it builds or deletes the tree. */
    @Test
    void aRunWaitsForAShortLockAndRefusesALongOne() throws Exception {
        checkout.commit(checkout.copies(jmh));
        Path jar = against("HEAD").file();
        Path tree = checkout.tree(checkout.git("rev-parse", "HEAD"));
        Path mark = Path.of(tree + ".build");
        try (FileChannel other = FileChannel.open(mark, StandardOpenOption.WRITE)) {
            assertThat(other.lock().isValid()).isTrue();
            assertThatThrownBy(() -> CommitBuilds.use(jar)).hasMessage(tree + ".log" + IN_USE);
        }
        FileChannel probe = FileChannel.open(mark, StandardOpenOption.WRITE);
        assertThat(probe.lock().isValid()).isTrue();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(
                () -> {
                    try {
                        probe.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
        try (LockedFile used = CommitBuilds.use(jar).orElseThrow()) {
            ended.get(20, TimeUnit.SECONDS);
            assertThat(used.channel().isOpen()).isTrue();
            assertThat(CommitBuilds.use(jar))
                    .as("this process keeps it already")
                    .isEmpty();
        }
    }

    /** A build is in use as soon as it exists, even while another one is being built. */
    @Test
    void anotherCommandDoesNotBuildInATreeThatARunUses() throws Exception {
        String commit = checkout.commit(checkout.copies(jmh));
        var others = builds(checkout.directory(), BenchmarkJar.BUILT, "sh", "./build.sh");
        try (CommitBuilds builds = builds()) {
            Path jar = builds.build(commit, "HEAD").file();
            assertThatThrownBy(() -> others.build(commit, "HEAD"))
                    .hasMessage(Path.of(checkout.tree(commit) + ".log") + IN_USE);
            assertThat(builds.build(commit, "HEAD").file()).as("again").isEqualTo(jar);
            assertThat(CommitBuilds.clean(checkout.cache(), 0)).isZero();
        }
        try (others) {
            assertThat(others.build(commit, "HEAD").title()).isEqualTo("HEAD");
        }
        assertThat(checkout.directory().resolve("builds")).hasContent("built\nbuilt");
    }

    /** The first JDK is that of JAVA_HOME; the second is on PATH, through a link as in Debian. */
    @Test
    void buildsOfEachJdkAreTheirOwn() throws Exception {
        var named = new ArrayList<String>();
        for (String version : List.of("17.0.15", "25.0.3")) {
            Path java = checkout.write(version + "/bin/java", "", 0);
            assertThat(java.toFile().setExecutable(true)).isTrue();
            Files.createDirectories(directory.resolve("usr" + version));
            Files.createSymbolicLink(directory.resolve("usr" + version).resolve("java"), java);
            String path = directory.resolve("usr" + version).toString();
            named.add(ForkJvm.release(Map.of("PATH", path)));
            checkout.write(version + "/release", version, 0);
            named.add(ForkJvm.release(Map.of("PATH", path)));
            named.add(ForkJvm.release(Map.of(
                    "PATH", "/none", "JAVA_HOME", directory.resolve(version).toString())));
        }
        String real = directory.toRealPath().toString();
        assertThat(named)
                .containsExactly(
                        real + "/17.0.15/bin/java",
                        "17.0.15",
                        "17.0.15",
                        real + "/25.0.3/bin/java",
                        "25.0.3",
                        "25.0.3");
        assertThat(ForkJvm.release(Map.of())).isEmpty();
    }

    /** Continuous integration checks out only the latest commit. */
    @Test
    void aShallowCheckoutIsBuilt(@TempDir Path clone) throws Exception {
        checkout.commit("exit 1");
        String head = checkout.commit(checkout.copies(jmh));
        Path shallow = clone.toRealPath().resolve("shallow");
        checkout.git("clone", "-q", "--depth", "1", "file://" + checkout.directory(), shallow.toString());
        var copy = new Checkout(shallow);
        assertThat(copy.builds(told::add, () -> false).workingTree().commit()).isEqualTo(head);
        assertThat(new Checkout(copy.tree(head)).git("log", "--format=%H")).isEqualTo(head);
    }

    /** After a run was killed during a build, the command may still run; its process is named in the file. */
    @Tag("long")
    @Test
    void aBuildThatGoesOnWithoutItsRunIsEnded() throws Exception {
        String commit = checkout.commit(checkout.copies(jmh));
        Files.createDirectories(checkout.tree(commit).resolveSibling(""));
        Path file = Path.of(checkout.tree(commit) + ".build");
        Process left = new ProcessBuilder("sh", "-c", "sleep 600; true").start();
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(
                    file, left.pid() + " " + left.info().startInstant().orElseThrow());
            against("HEAD");
            assertThat(left.isAlive()).isFalse();
            assertThat(file).hasContent("built by sh build.sh");
            Files.writeString(file, other.pid() + " " + Instant.EPOCH);
            against("HEAD");
            assertThat(other.isAlive())
                    .as("a process that has only the number of it")
                    .isTrue();
        } finally {
            left.descendants().forEach(ProcessHandle::destroyForcibly);
            left.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @Test
    void twoRunsDoNotBuildInOneTree() throws Exception {
        String commit = checkout.commit(checkout.copies(jmh));
        Files.createDirectories(checkout.tree(commit).resolveSibling(""));
        Path file = Path.of(checkout.tree(commit) + ".build");
        try (TreeBuild first = TreeBuild.of(file)) {
            assertThat(first.isDone(List.of("sh", "build.sh"))).isFalse();
            assertThatThrownBy(() -> against("HEAD"))
                    .hasMessage(file + ": expected no other build of this tree, got one that is running");
        }
    }

    /** On POSIX, closing any descriptor of a locked file releases the lock. */
    @Test
    void otherProcessesFindABuildLocked() throws Exception {
        Path code = directory.resolve("target/code");
        checkout.commit("'%s' -cp '%s' org.lemmata.file.FilesTest \"$PWD.build\"\necho $? > '%s'\n%s"
                .formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        CommitBuildsTest.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath(),
                        code,
                        checkout.copies(jmh)));
        against("HEAD");
        assertThat(code).hasContent("3");
    }

    @Test
    void aBuildEndsWhenItIsAskedTo() throws Exception {
        checkout.commit("echo $$ > ../../pid\nsleep 600\n");
        Path pid = checkout.directory().resolve("target").resolve("pid");
        CommitBuilds builds = checkout.builds(told::add, () -> Files.exists(pid));
        assertThatThrownBy(builds::workingTree).isInstanceOf(InterruptedIOException.class);
        assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())))
                .isEmpty();
    }

    /** An interrupted removal may leave such a directory, in which git would use the checkout around it. */
    @Test
    void aDirectoryThatIsNoTreeLeavesTheCheckoutAlone() throws Exception {
        String old = checkout.commit(checkout.copies(jmh));
        String newest = checkout.commit(checkout.copies(jmh) + "# newer\n");
        Files.writeString(directory.resolve("build.sh"), "not committed");
        Files.createDirectories(checkout.tree(old).resolve("src"));
        assertThatThrownBy(() -> against(old))
                .isInstanceOf(IOException.class)
                .hasMessage(checkout.tree(old) + ": expected git to check out " + old
                        + ", it failed; remove that directory and try again");
        assertThat(checkout.git("rev-parse", "HEAD")).isEqualTo(newest);
        assertThat(directory.resolve("build.sh")).hasContent("not committed");
    }

    @Test
    void aJarInPlaceIsTakenWhereNoFileIsNewer() throws Exception {
        String head = checkout.commit(checkout.copies(jmh));
        checkout.write("docs/page.md", "later, and in no jar", 200);
        checkout.write("src/test/java/ATest.java", "later, and in no jar", 200);
        buildInPlace(100);
        BenchmarkJar jar = workingTree();
        assertThat(jar.file()).isEqualTo(checkout.directory().resolve(BenchmarkJar.BUILT));
        assertThat(jar.title()).isEqualTo("the working tree (" + head.substring(0, 8) + " with changes)");
        assertThat(jar.commit()).isEqualTo(head + "-dirty");
        assertThat(told).isEmpty();
    }

    @Test
    void filesThatAreNewerAreBuiltElsewhereAsTheyAre() throws Exception {
        checkout.write("src/main/java/Gone.java", "", -100);
        checkout.write("src/main/java/Kept.java", "", -100);
        String head = checkout.commit(checkout.copies(jmh));
        buildInPlace(100);
        Files.delete(directory.resolve("src/main/java/Gone.java"));
        Files.setLastModifiedTime(
                directory.resolve("src/main/java"), FileTime.from(Instant.now().plusSeconds(200)));
        checkout.write("src/main/java/Untracked.java", "", -100);
        Files.setLastModifiedTime(
                directory.resolve("src/main/java"), FileTime.from(Instant.now().plusSeconds(200)));
        String status = checkout.git("status", "--porcelain");
        BenchmarkJar jar = workingTree();
        assertThat(told.getFirst())
                .isEqualTo(checkout.directory().resolve(BenchmarkJar.BUILT) + " is older than src/main/java");
        assertThat(checkout.directory().resolve("builds")).hasContent("Kept.java\nUntracked.java\nbuilt");
        assertThat(jar.commit()).isEqualTo(head + "-dirty");
        assertThat(checkout.git("status", "--porcelain"))
                .as("the user's index is left alone")
                .isEqualTo(status);
        workingTree();
        assertThat(checkout.directory().resolve("builds")).as("once").hasContent("Kept.java\nUntracked.java\nbuilt");
        checkout.write("src/main/java/Kept.java", "changed", 300);
        workingTree();
        assertThat(Files.readAllLines(checkout.directory().resolve("builds"))).hasSize(6);
    }

    @Test
    void withoutChangesItIsHead() throws Exception {
        String head = checkout.commit(checkout.copies(jmh));
        BenchmarkJar jar = workingTree();
        assertThat(jar.title()).isEqualTo("the working tree (" + head.substring(0, 8) + ")");
        assertThat(told.getFirst()).endsWith("target/lemmata-benchmarks.jar is not there");
        assertThat(against("HEAD").file()).isEqualTo(jar.file());
        assertThat(checkout.directory().resolve("builds")).hasContent("built");
    }

    /** In a module of a repository, the command runs in the module's directory, and the jar is relative to it. */
    @Test
    void aModuleIsBuiltInItsPlace() throws Exception {
        checkout.write("module/build.sh", "mkdir build\ncp '" + jmh.jar().file() + "' build/b.jar\n", 0);
        String head = checkout.commit("exit 1");
        var module = builds(checkout.directory().resolve("module"), Path.of("build/b.jar"), "sh", "build.sh");
        assertThat(module.workingTree().file())
                .isEqualTo(checkout.tree(head).resolve("module/build/b.jar"))
                .exists();
    }

    @Test
    void onlyAnAbsoluteDirectoryHasTheCache() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        for (String xdg : List.of("", "relative")) {
            assertThat(CommitBuilds.cache(xdg, "/home/ann")).isEqualTo(Path.of("/home/ann/.cache/lemmata/builds"));
            assertThat(CommitBuilds.cache(xdg, "?")).isEqualTo(temporary.resolve("lemmata/builds"));
        }
        assertThat(CommitBuilds.cache("/cache", "?")).isEqualTo(Path.of("/cache/lemmata/builds"));
    }

    @Test
    void withoutACommitItSaysWhatHelps(@TempDir Path none) {
        assertThatThrownBy(
                        () -> new Checkout(none).builds(told::add, () -> false).workingTree())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected a git checkout with a commit")
                .hasMessageContaining("use --jar to measure a jar as it is; git: fatal: not a git repository");
    }

    @Test
    void theBuildFileNamesTheCommandAndAWrapperComesFirst() throws Exception {
        assertThatThrownBy(() -> CommitBuilds.usualCommand(directory))
                .hasMessage("--against: expected --build with the command that builds the jar of a commit, or a"
                        + " pom.xml, build.gradle or build.gradle.kts in this directory, got none");
        Files.createFile(directory.resolve("build.gradle.kts"));
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("gradle -q jmhJar");
        executable(directory, "gradlew");
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("./gradlew -q jmhJar");
        Files.createFile(directory.resolve("pom.xml"));
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("mvn -B -q -ntp -DskipTests package");
        executable(directory, "mvnw");
        assertThat(CommitBuilds.usualCommand(directory)).isEqualTo("./mvnw -B -q -ntp -DskipTests package");
    }

    private static void executable(Path directory, String name) throws Exception {
        assertThat(Files.createFile(directory.resolve(name)).toFile().setExecutable(true))
                .isTrue();
    }

    @Test
    void gitAndTheProgramAreCheckedFirst(@TempDir Path none) throws Exception {
        Map<String, String> path = Map.of("PATH", "/nowhere:" + none);
        assertThatThrownBy(() -> CommitBuilds.require(none, List.of("make", "jar"), path))
                .hasMessageStartingWith(
                        "--build: expected a checkout of git in this directory, to build a copy of it; git: ");
        Checkout later = Checkout.init(none);
        assertThat(GitCommit.ofRevision(none, "HEAD")).isEmpty();
        later.commit("");
        assertThat(GitCommit.ofRevision(none, "HEAD")).isPresent();
        assertThatThrownBy(() -> CommitBuilds.require(none, List.of("make", "jar"), path))
                .hasMessage("--build make jar: expected the program make on PATH, got none");
        assertThatThrownBy(() -> CommitBuilds.require(none, List.of("./make"), path))
                .hasMessage("--build ./make: expected the program ./make, got none");
        executable(none, "make");
        CommitBuilds.require(none, List.of("make", "jar"), path);
        CommitBuilds.require(none, List.of("./make"), path);
    }
}

package org.lemmata.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.oracle.Refusals.assertMalformed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesTest {

    @TempDir
    private Path directory;

    @Test
    void contentReplacesTheOldOneInUtf8() throws IOException {
        Path file = directory.resolve("a.txt");
        AtomicFile.write(file, "old and longer");
        AtomicFile.write(file, "neu: ≤ ü");
        assertThat(file).hasContent("neu: ≤ ü");
        assertNothingBeside(file);
    }

    @Test
    void aNameMayHaveAllTheBytesThatALinuxNameMayHave() throws IOException {
        for (String name : List.of("x".repeat(255), "\u20AC".repeat(70), "\u20AC".repeat(85))) {
            Path file = directory.resolve(name);
            AtomicFile.write(file, "text");
            assertNothingBeside(file);
            Files.delete(file);
        }
    }

    @Test
    void linksAreFollowed() throws IOException {
        Path file = directory.resolve("a.txt");
        AtomicFile.write(file, "old");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        AtomicFile.write(link, "new");
        assertThat(link).isSymbolicLink().hasContent("new");
        assertThat(file).hasContent("new");
        Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("second"));
        Files.createSymbolicLink(directory.resolve("second"), Path.of("missing/b.txt"));
        AtomicFile.write(first, "made");
        assertThat(first).isSymbolicLink().hasContent("made");
        assertThat(directory.resolve("missing/b.txt")).isRegularFile();
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> AtomicFile.write(loop, "text"))
                .isInstanceOf(IOException.class)
                .hasMessage(loop + ": cannot be written: too many links");
    }

    /** A socket, which cannot be opened as a file, stands for devices and pipes. */
    @Test
    void whatIsNoRegularFileIsNotReplaced() throws IOException {
        Path socket = directory.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> AtomicFile.write(socket, "text"))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(socket + ": cannot be written: ");
            assertThat(Files.readAttributes(socket, BasicFileAttributes.class).isOther())
                    .isTrue();
        }
    }

    @Test
    void aFullDeviceIsNamed() {
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/full"), "text"))
                .isInstanceOf(IOException.class)
                .hasMessage("/dev/full: cannot be written: No space left on device");
    }

    @Test
    void missingDirectoriesAreMade() throws IOException {
        Path file = directory.resolve("a/b/c.txt");
        AtomicFile.write(file, "text");
        assertThat(file).hasContent("text");
    }

    @Test
    void failingWriterLeavesTheOldContentAndNothingElse() throws IOException {
        Path file = directory.resolve("a.txt");
        AtomicFile.write(file, "old");
        assertThatThrownBy(() -> AtomicFile.write(file, writer -> {
                    writer.write("half".repeat(100_000));
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ": cannot be written: disk full");
        assertThat(file).hasContent("old");
        assertThatThrownBy(() -> AtomicFile.write(file, writer -> {
                    throw new IllegalStateException("bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> AtomicFile.write(file, writer -> {
                    throw new UncheckedIOException(new IOException("pipe"));
                }))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("old");
        assertNothingBeside(file);
    }

    @Test
    void failingWriterMakesNoFile() throws IOException {
        Path file = directory.resolve("a.txt");
        assertThatThrownBy(() -> AtomicFile.write(file, writer -> {
                    throw new IOException("disk full");
                }))
                .isInstanceOf(IOException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void readersSeeTheOldContentUntilTheWriterIsDone() throws IOException {
        Path file = directory.resolve("a.txt");
        AtomicFile.write(file, "old");
        AtomicFile.write(file, writer -> {
            writer.write("new");
            writer.flush();
            assertThat(file).hasContent("old");
        });
        assertThat(file).hasContent("new");
    }

    @Test
    void directoryAsTargetIsRefused() throws IOException {
        Path target = directory.resolve("d");
        Files.createDirectories(target.resolve("inner"));
        assertThatThrownBy(() -> AtomicFile.write(target, "text")).isInstanceOf(IOException.class);
        assertNothingBeside(target);
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/"), "text"))
                .isInstanceOf(IOException.class)
                .hasMessage("/: expected a file, got the root directory");
    }

    @Test
    void bytesAreWrittenAtAnyPlace() throws IOException {
        Path file = directory.resolve("a.bin");
        AtomicFile.write(file, "old and longer");
        AtomicFile.writeBytes(file, channel -> {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            channel.write(ByteBuffer.wrap(new byte[] {9}), 1);
            assertThat(file).hasContent("old and longer");
        });
        assertThat(file).hasBinaryContent(new byte[] {1, 9, 3});
        assertNothingBeside(file);
    }

    @Test
    void leftoversGoButNotWhatIsBeingWritten() throws IOException {
        Path leftover = directory.resolve(".a.txt.0f0e0d0c-0b0a-0908-0706-050403020100.part");
        Path other = directory.resolve(".b.txt.0f0e0d0c-0b0a-0908-0706-050403020100.part");
        Files.writeString(leftover, "half");
        Files.writeString(other, "half");
        Path file = directory.resolve("a.txt");
        AtomicFile.write(file, writer -> {
            AtomicFile.discardLeftovers(directory, "a.txt"::equals);
            writer.write("new");
        });
        assertThat(file).hasContent("new");
        assertThat(leftover).doesNotExist();
        assertThat(other).hasContent("half");
    }

    private void assertNothingBeside(Path file) throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    private Path file(String text) throws IOException {
        return Files.write(directory.resolve("file"), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void aByteThatIsNoTextIsNamedWithItsLine() throws IOException {
        Path first = file("a\nb\n\u00ff\nc");
        assertMalformed(() -> Contents.text(first), first + ": line 3: expected UTF-8, got the byte 0xff");
        Path cutOff = file("a\n\u00c3");
        assertThatThrownBy(() -> Contents.text(cutOff))
                .hasMessage(cutOff + ": line 2: expected UTF-8, got the byte 0xc3");
    }

    @Test
    void whatFollowsTheLastLineBreakIsNoLine() throws IOException {
        Path file = file("\u00c3\u00bc\n\u00c3");
        byte[] bytes = Contents.of(file);
        assertThat(Contents.text(file, bytes, Contents.endOfLines(bytes))).isEqualTo("\u00fc\n");
        assertThat(Contents.endOfLines(new byte[] {'a'})).isZero();
    }

    @Test
    void nothingIsLeftOfIt() throws IOException {
        Path tree = directory.resolve("tree");
        Files.writeString(Files.createDirectories(tree.resolve("a/b")).resolve("file"), "text");
        Files.createDirectories(tree.resolve("empty"));
        FileTree.delete(tree);
        assertThat(tree).doesNotExist();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whatALinkLeadsToStays() throws IOException {
        Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("file"), "text");
        Path tree = Files.createDirectories(directory.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), elsewhere);
        FileTree.delete(tree);
        assertThat(tree).doesNotExist();
        assertThat(elsewhere.resolve("file")).hasContent("text");
    }

    @Test
    void oneThatIsNotThereIsNoFault() throws IOException {
        FileTree.delete(directory.resolve("none"));
        assertThat(directory).isEmptyDirectory();
    }

    /** The limits of names and paths are in bytes of UTF-8; one byte more is rejected. */
    @Test
    void whatLinuxTakesIsAPath() {
        assertThat(FileTree.path("x".repeat(255))).isPresent();
        assertThat(FileTree.path("x".repeat(256))).isEmpty();
        assertThat(FileTree.path("ä".repeat(127))).isPresent();
        assertThat(FileTree.path("ä".repeat(128))).isEmpty();
        assertThat(FileTree.path("x/".repeat(2047) + "x")).isPresent();
        assertThat(FileTree.path("x/".repeat(2048))).isEmpty();
        assertThat(FileTree.path("a\u0000")).isEmpty();
    }

    /** The program of another process: exits with 0 if the file can be locked, or with a second argument, shared. */
    public static void main(String[] args) throws Exception {
        try (var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            System.exit(channel.tryLock(0, Long.MAX_VALUE, args.length > 1) == null ? 3 : 0);
        }
    }

    /** Locks and deletes a file again and again; exits with 3 if another process was between the two at once. */
    static final class Deleter {

        private Deleter() {}

        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0]);
            for (int i = 0; i < 3000; i++) {
                try (LockedFile locked = LockedFile.open(file).orElse(null)) {
                    if (locked != null) {
                        Path inside = Files.createFile(Path.of(file + ".inside"));
                        Files.delete(inside);
                        Files.deleteIfExists(file);
                    }
                } catch (FileAlreadyExistsException e) {
                    System.exit(3);
                }
            }
        }
    }

    private static Process start(Class<?> program, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private static boolean isFree(Path file) throws Exception {
        return isFree(start(FilesTest.class, file.toString()));
    }

    private static boolean isFree(Process process) throws Exception {
        int code = process.waitFor();
        assertThat(code).isIn(0, 3);
        return code == 0;
    }

    @Test
    void aFileThatIsDeletedWhileItIsOpenedHasOneHolder() throws Exception {
        String file = directory.resolve("deleted").toString();
        Process first = start(Deleter.class, file);
        Process second = start(Deleter.class, file);
        assertThat(List.of(isFree(first), isFree(second))).containsOnly(true);
    }

    @Test
    void aSecondHolderInThisProcessDoesNotCostTheFirstItsLock() throws Exception {
        Path file = directory.resolve("locked");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        try (LockedFile first = LockedFile.open(file).orElseThrow()) {
            assertThat(LockedFile.open(file)).isEmpty();
            assertThat(LockedFile.open(link.resolve("locked"))).isEmpty();
            assertThat(LockedFile.open(Files.createSymbolicLink(directory.resolve("soft"), file)))
                    .isEmpty();
            assertThat(LockedFile.open(Files.createLink(directory.resolve("hard"), file)))
                    .isEmpty();
            assertThat(isFree(file)).isFalse();
            assertThat(first.channel().size()).isZero();
        }
        assertThat(isFree(file)).isTrue();
        LockedFile.open(file).orElseThrow().close();
    }

    @Test
    void aSharedFileIsNotFree() throws Exception {
        Path file = directory.resolve("shared");
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock(0, 1, false)) {
            assertThat(lock.isShared()).isFalse();
            assertThat(LockedFile.share(file)).isEmpty();
        }
        try (LockedFile first = LockedFile.share(file).orElseThrow()) {
            assertThat(isFree(file)).isFalse();
            assertThat(isFree(start(FilesTest.class, file.toString(), "shared")))
                    .isTrue();
            assertThat(first.channel().isOpen()).isTrue();
        }
        assertThat(isFree(file)).isTrue();
    }
}

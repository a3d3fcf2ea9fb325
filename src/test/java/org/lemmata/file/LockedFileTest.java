package org.lemmata.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFileTest {

    @TempDir
    private Path directory;

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
        return isFree(start(LockedFileTest.class, file.toString()));
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
            assertThat(isFree(start(LockedFileTest.class, file.toString(), "shared")))
                    .isTrue();
            assertThat(first.channel().isOpen()).isTrue();
        }
        assertThat(isFree(file)).isTrue();
    }
}

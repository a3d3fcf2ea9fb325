package org.lemmata.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFileTest {

    @TempDir
    private Path directory;

    /** In a process of its own: whether the lock of a file is free, as its exit code. */
    public static void main(String[] args) throws Exception {
        try (var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
            System.exit(channel.tryLock() == null ? 3 : 0);
        }
    }

    private static boolean isFree(Path file) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        int code = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockedFileTest.class.getName(),
                        file.toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isIn(0, 3);
        return code == 0;
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
}

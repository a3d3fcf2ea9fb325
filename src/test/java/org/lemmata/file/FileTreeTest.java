package org.lemmata.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {

    @TempDir
    private Path directory;

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
}

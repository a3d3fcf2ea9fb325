package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachesTest {

    private static final Caches SMALLEST = new Caches(32 << 10, 256 << 10, 4 << 20);

    @TempDir
    private Path directory;

    private void cache(int index, String level, String type, String size) throws IOException {
        Path cache = Files.createDirectories(directory.resolve("index" + index));
        Files.writeString(cache.resolve("level"), level + "\n");
        Files.writeString(cache.resolve("type"), type + "\n");
        Files.writeString(cache.resolve("size"), size + "\n");
    }

    @Test
    void readsTheCachesThatHoldData() throws IOException {
        cache(0, "1", "Data", "48K");
        cache(1, "1", "Instruction", "64K");
        cache(2, "2", "Unified", "1280K");
        cache(3, "3", "Unified", "24576K");
        assertThat(Caches.read(directory)).isEqualTo(new Caches(48 << 10, 1280 << 10, 24 << 20));
    }

    @Test
    void takesTheSmallestWhereNothingIsTold() {
        assertThat(Caches.read(directory)).isEqualTo(SMALLEST);
    }

    @Test
    void passesOverWhatItCannotRead() throws IOException {
        cache(0, "1", "Data", "");
        cache(1, "2", "Unified", "99999999999K");
        cache(2, "3", "Unified", "9999999K");
        cache(3, "4", "Unified", "65536K");
        cache(4, "1", "Data", "0K");
        Files.createDirectories(directory.resolve("index5"));
        assertThat(Caches.read(directory)).isEqualTo(SMALLEST);
    }
}

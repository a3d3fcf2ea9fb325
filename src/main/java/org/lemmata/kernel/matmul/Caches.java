package org.lemmata.kernel.matmul;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The sizes of a processor's data caches, in bytes.
 *
 * @param first a core's first-level cache
 * @param second a core's second-level cache
 * @param third the third-level cache, which several cores share
 */
record Caches(int first, int second, int third) {

    /** The caches of the smallest processors with AVX2; also the default if sizes cannot be read. */
    static final Caches SMALLEST = new Caches(32 << 10, 256 << 10, 4 << 20);

    /** The caches of this machine, as far as Linux reports them; otherwise the smallest. */
    static final Caches OF_MACHINE = read(Path.of("/sys/devices/system/cpu/cpu0/cache"));

    /** Reads {@code level}, {@code type} and {@code size} in the subdirectories {@code index0}, {@code index1}, ... */
    static Caches read(Path directory) {
        int[] sizes = {SMALLEST.first, SMALLEST.second, SMALLEST.third};
        for (int index = 0; Files.isDirectory(directory.resolve("index" + index)); index++) {
            Path cache = directory.resolve("index" + index);
            try {
                int level = Integer.parseInt(line(cache.resolve("level")));
                String size = line(cache.resolve("size"));
                boolean holdsData = !line(cache.resolve("type")).equals("Instruction");
                if (holdsData && level >= 1 && level <= sizes.length && size.endsWith("K")) {
                    int kilobytes = Integer.parseInt(size.substring(0, size.length() - 1));
                    sizes[level - 1] = kilobytes < 1 ? sizes[level - 1] : Math.multiplyExact(kilobytes, 1 << 10);
                }
            } catch (IOException | NumberFormatException | ArithmeticException e) {
                // A size that cannot be read keeps its default, the smallest.
            }
        }
        return new Caches(sizes[0], sizes[1], sizes[2]);
    }

    private static String line(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}

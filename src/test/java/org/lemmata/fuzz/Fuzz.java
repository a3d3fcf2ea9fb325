package org.lemmata.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.lemmata.file.FileTree;

/**
 * Fuzzes readers, each in its own class loader, and prints a table. Arguments: the seconds per reader, and the readers'
 * names (default: all). The exit code is 1 if there was a fault; its input is in target/fuzz. Properties:
 * lemmata.fuzz.threads (default: 2 readers at a time), lemmata.fuzz.seed, and lemmata.fuzz.executions, the maximum per
 * reader; the last two make runs reproducible.
 */
final class Fuzz {

    private static final Path FOUND = Path.of("target", "fuzz");

    private Fuzz() {}

    public static void main(String[] args) throws Exception {
        long seconds = Long.parseLong(args[0]);
        List<String> readers = args.length > 1
                ? Arrays.stream(args)
                        .skip(1)
                        .map(name -> name.toUpperCase(Locale.ROOT))
                        .toList()
                : Arrays.stream(Readers.values()).map(Readers::name).toList();
        Files.createDirectories(FOUND);
        Path memory = Path.of("/dev/shm");
        Path place = Files.createTempDirectory(Files.isDirectory(memory) ? memory : FOUND, "lemmata-fuzz");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(place)));
        long seed = Long.getLong("lemmata.fuzz.seed", System.nanoTime());
        System.out.println("seed " + seed);
        var rows = new ArrayList<Future<String>>();
        var watches = new ArrayList<Method>();
        try (var threads = Executors.newFixedThreadPool(Integer.getInteger("lemmata.fuzz.threads", 2))) {
            for (String reader : readers) {
                Class<?> fuzzer = new ProbedClasses().loadClass(Fuzzer.class.getName());
                Method of =
                        fuzzer.getDeclaredMethod("of", String.class, long.class, long.class, Path.class, Path.class);
                Method watch = fuzzer.getDeclaredMethod("requireProgress");
                of.setAccessible(true);
                watch.setAccessible(true);
                watches.add(watch);
                Path own = Files.createDirectory(place.resolve(reader));
                @SuppressWarnings("unchecked")
                var task = (Callable<String>) of.invoke(null, reader, seconds, seed, own, FOUND);
                rows.add(threads.submit(task));
            }
            threads.shutdown();
            while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
                for (Method watch : watches) {
                    watch.invoke(null);
                }
            }
        }
        System.out.println("| reader | executions | accepted | blocks reached | inputs kept | faults |");
        System.out.println("|---|---:|---:|---:|---:|---:|");
        boolean clean = true;
        for (Future<String> row : rows) {
            System.out.println(row.get());
            clean &= row.get().endsWith("| 0 |");
        }
        System.exit(clean ? 0 : 1);
    }

    private static void delete(Path place) {
        try {
            FileTree.delete(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package org.lemmata.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes inputs of a {@link Readers reader}, beginning with accepted ones. An input is kept if it runs a block of the
 * code a new number of times (1, 2, 3, or at least 4, 8, 16, 32 or 64).
 *
 * <p>Faults are: exceptions other than {@link IllegalArgumentException}, {@link IOException} and
 * {@link UncheckedIOException}; messages with several lines or more than 500 characters; runs of more than 10 s of
 * processor time; and an {@link OutOfMemoryError} in a small heap. A run of more than 120 s ends the program.
 */
final class Fuzzer implements Callable<String> {

    private static final int LONGEST_MESSAGE = 500;
    private static final long MOST_SECONDS = 10;
    private static final long MOST_WALL_SECONDS = 120;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The fuzzers that are reading an input, and when each started to read it. */
    private static final Map<Fuzzer, Long> RUNNING = new ConcurrentHashMap<>();

    private final Readers reader;
    private final long nanos;
    private final long seed;
    private final Path place;
    private final Path found;
    private final ProbedClasses classes = (ProbedClasses) Fuzzer.class.getClassLoader();
    private final byte[] seen = new byte[BlockCounts.COUNTS.length];
    private final List<byte[]> inputs = new ArrayList<>();
    private final List<byte[]> good = new ArrayList<>();
    private final Map<String, byte[]> faults = new LinkedHashMap<>();
    private byte[] current = {};
    private long executions;
    private long accepted;

    private Fuzzer(Readers reader, long seconds, long seed, Path place, Path found) {
        this.reader = reader;
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
        this.seed = seed;
        this.place = place;
        this.found = found;
    }

    /** Fuzzes until the time or the number of executions is reached; returns a row of the table. */
    @Override
    public String call() throws Exception {
        Thread.currentThread().setContextClassLoader(classes);
        boolean[] own = classes.blocksOf(reader.classes());
        for (byte[] seed : reader.seeds()) {
            reader.read(place, seed);
            inputs.add(seed);
            good.add(seed);
        }
        var mutator = new Mutator(inputs, seed);
        long most = Long.getLong("lemmata.fuzz.executions", Long.MAX_VALUE);
        for (long end = System.nanoTime() + nanos; executions < most && System.nanoTime() < end; ) {
            byte[] input = mutator.mutated(executions % 4 < 2 ? good : inputs);
            // Half of the inputs keep their checksums, which are then mostly wrong; the others get correct ones.
            run(executions % 2 == 0 ? input : reader.repaired(input));
        }
        RUNNING.remove(this);
        int all = 0;
        int reached = 0;
        for (int i = 0; i < own.length; i++) {
            all += own[i] ? 1 : 0;
            reached += own[i] && seen[i] != 0 ? 1 : 0;
        }
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %.1f%% | %d | %d |",
                reader.name().toLowerCase(Locale.ROOT),
                executions,
                accepted,
                100.0 * reached / all,
                inputs.size(),
                faults.size());
    }

    private void run(byte[] input) {
        current = input;
        int blocks = classes.blocks();
        Arrays.fill(BlockCounts.COUNTS, 0, blocks, (byte) 0);
        RUNNING.put(this, System.nanoTime());
        long start = THREADS.getCurrentThreadCpuTime();
        executions++;
        Throwable thrown = null;
        try {
            reader.read(place, input);
            accepted++;
        } catch (Throwable e) {
            thrown = e;
        }
        Optional<String> fault = fault(thrown, THREADS.getCurrentThreadCpuTime() - start, place);
        if (fault.isPresent() && faults.putIfAbsent(fault.get(), input) == null) {
            keep(fault.get(), thrown);
        }
        if (isNew() && input.length > 0) {
            inputs.add(input);
            if (thrown == null) {
                good.add(input);
            }
        }
    }

    /** Whether a block ran a number of times that no earlier input reached: 1, 2, 3, 4 to 7, 8 to 15 and so on. */
    private boolean isNew() {
        boolean found = false;
        int blocks = classes.blocks();
        for (int i = 0; i < blocks; i++) {
            int count = BlockCounts.COUNTS[i];
            if (count != 0) {
                // 3 has its own bit.
                int bit = count == 3 ? 1 << 7 : Integer.highestOneBit(count);
                found |= (seen[i] & bit) == 0;
                seen[i] |= (byte) bit;
            }
        }
        return found;
    }

    /**
     * Describes the fault of one run; empty if there is none.
     *
     * @param thrown the exception, or null
     * @param nanos the processor time, which does not depend on other programs
     * @param directory its path in a message does not count toward the limit of length
     */
    static Optional<String> fault(@Nullable Throwable thrown, long nanos, Path directory) {
        if (nanos > TimeUnit.SECONDS.toNanos(MOST_SECONDS)) {
            return Optional.of("more than " + MOST_SECONDS + " s");
        }
        if (thrown == null) {
            return Optional.empty();
        }
        String place = Arrays.stream(thrown.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("org.lemmata.")
                        && !frame.getClassName().startsWith("org.lemmata.fuzz."))
                .limit(2)
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .reduce("", (one, other) -> one + " " + other);
        boolean refused = (thrown instanceof IllegalArgumentException
                        && (thrown.getClass().getPackageName().startsWith("org.lemmata")
                                || thrown.getClass().equals(IllegalArgumentException.class)))
                || thrown instanceof IOException
                || thrown instanceof UncheckedIOException;
        String message = String.valueOf(thrown.getMessage()).replace(directory + "/", "");
        String wrong = !refused
                ? thrown.getClass().getName()
                : thrown.getMessage() == null || thrown.getMessage().isBlank()
                        ? "no message"
                        : message.lines().count() != 1
                                ? "a message of several lines"
                                : message.length() > LONGEST_MESSAGE ? "a long message" : "";
        return wrong.isEmpty() ? Optional.empty() : Optional.of(wrong + place);
    }

    private void keep(String fault, @Nullable Throwable thrown) {
        String name =
                reader.name().toLowerCase(Locale.ROOT) + "-" + HexFormat.of().toHexDigits(fault.hashCode());
        try {
            Files.write(found.resolve(name), current);
            try (var text = new PrintStream(found.resolve(name + ".txt").toFile(), StandardCharsets.UTF_8)) {
                text.println(fault);
                if (thrown != null) {
                    thrown.printStackTrace(text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println(found.resolve(name) + ": " + fault);
    }

    /** Creates a fuzzer; called in the class loader of the reader. */
    static Callable<String> of(String reader, long seconds, long seed, Path place, Path found) {
        return new Fuzzer(Readers.valueOf(reader), seconds, seed, place, found);
    }

    /** If an input has been read for too long, stores it and ends the program. */
    static void requireProgress() {
        RUNNING.forEach((fuzzer, since) -> {
            if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(MOST_WALL_SECONDS)) {
                fuzzer.keep("hangs", null);
                System.exit(1);
            }
        });
    }
}

package org.lemmata.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;

/**
 * A build in a source tree. Only one process at a time has its lock. The lock file is next to the tree. During a build
 * it contains the id and the start time of the build process; after a successful build it contains the build command.
 * If a killed run left its build process running, the next run ends that process before it builds.
 *
 * @param found the content of the lock file when it was locked
 */
record TreeBuild(LockedFile locked, String found) implements AutoCloseable {

    private static final long POLL_MILLIS = 100;
    private static final int TRIES = 20;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(20);

    private static final int LONGEST_LINE = 80;

    private static final String DONE = "built by ";

    /** Locks a tree by its lock file. Throws an exception if another process has the lock. */
    static TreeBuild of(Path file) throws IOException {
        LockedFile locked = lock(file)
                .orElseThrow(() -> new MalformedFileException(
                        file, "", "expected no other build of this tree, got one that is running"));
        try {
            String found = new String(Channels.newInputStream(locked.channel()).readAllBytes(), StandardCharsets.UTF_8);
            end(found);
            return new TreeBuild(locked, found);
        } catch (IOException | RuntimeException e) {
            locked.close();
            throw e;
        }
    }

    /** Locks the file of a tree. If another process has the lock, waits a moment, then returns empty. */
    static Optional<LockedFile> lock(Path file, OpenOption... options) throws IOException {
        Optional<LockedFile> locked = LockedFile.open(file, options);
        for (int i = 0; i < TRIES && locked.isEmpty() && !LockedFile.isOurs(file); i++) {
            pause(POLL_MILLIS);
            locked = LockedFile.open(file, options);
        }
        return locked;
    }

    /** Ends the build process of a killed run, if it is still running. */
    private static void end(String found) throws IOException {
        String[] words = found.split(" ", 0);
        if (words.length == 2 && words[0].matches("\\d{1,18}")) {
            Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(words[0]))
                    .filter(handle -> began(handle).equals(words[1]));
            if (process.isPresent()) {
                end(process.get());
            }
        }
    }

    private static void end(ProcessHandle process) throws IOException {
        List<ProcessHandle> all =
                Stream.concat(process.descendants(), Stream.of(process)).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle each : all) {
            while (each.isAlive()) {
                pause(POLL_MILLIS);
            }
        }
    }

    private static String began(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }

    static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    boolean isDone(List<String> command) {
        return found.equals(DONE + String.join(" ", command));
    }

    private void write(String text) throws IOException {
        FileChannel channel = locked.channel();
        channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        channel.force(false);
    }

    /**
     * Runs the command, reports its progress at intervals, and returns whether it succeeded.
     *
     * @throws InterruptedIOException if it was stopped
     */
    boolean run(List<String> command, Path directory, Path log, Consumer<String> progress, BooleanSupplier stop)
            throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.getOutputStream().close();
            write(process.pid() + " " + began(process.toHandle()));
            Instant start = Instant.now();
            Instant told = start;
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    throw new InterruptedIOException("stopped");
                }
                if (Duration.between(told, Instant.now()).compareTo(BETWEEN_LINES) >= 0) {
                    told = Instant.now();
                    progress.accept(Duration.between(start, told).toSeconds() + " s" + lastLine(log));
                }
            }
            if (stop.getAsBoolean()) {
                throw new InterruptedIOException("stopped");
            }
            boolean done = process.exitValue() == 0;
            write(done ? DONE + String.join(" ", command) : "");
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            end(process.toHandle());
        }
    }

    /** ", " and the last line of the output; empty if there is none. */
    private static String lastLine(Path log) throws IOException {
        String line = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .replaceAll("\u001b\\[[0-9;]*m|\\[INFO] ", "")
                .lines()
                .filter(each -> !each.isBlank())
                .reduce("", (before, each) -> ", " + each.strip());
        return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line;
    }

    @Override
    public void close() throws IOException {
        locked.close();
    }
}

package org.lemmata.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.lemmata.file.LockedFile;
import org.lemmata.track.ForkRun;
import org.lemmata.track.RunRecord;

/** The file by which two forks wait for each other before each iteration; {@code DuetBarrier} defines its layout. */
final class DuetMeeting implements AutoCloseable {

    /** Disables JMH's lock in the forks, because this process holds it. */
    static final String NO_LOCK = "-Djmh.ignoreLock=true";

    /** The lock file of all JMH runs on a machine. */
    static final Path LOCK = Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock");

    private static final String BARRIER = "org.lemmata.benchmark.duet.DuetBarrier";

    private static final String BARRIER_JAR = "lemmata-duet.jar";

    private static final List<String> METRICS = List.of("duet.start", "duet.end", "duet.waited", "duet.core");

    private static final int CACHE_LINE = 64;
    private static final int LENGTH = 4 * CACHE_LINE;

    private final Path file;
    private final LockedFile lock;

    private DuetMeeting(LockedFile lock) throws IOException {
        this.lock = lock;
        file = Files.createTempFile("lemmata-duet-", ".meeting");
        write(CACHE_LINE, ProcessHandle.current().pid());
        write(LENGTH - Long.BYTES, 0);
    }

    /** Opens a meeting for two forks; empty while another run of JMH has the lock. */
    static Optional<DuetMeeting> open(Path lockFile) throws IOException {
        Optional<LockedFile> lock = LockedFile.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        // Runs of other users share this file, so everyone may write to it. Has no effect on another user's file.
        boolean ours = lockFile.toFile().setWritable(true, false);
        assert ours || Files.isWritable(lockFile);
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new DuetMeeting(lock.get()));
        } catch (IOException e) {
            lock.get().close();
            throw e;
        }
    }

    static boolean isLocked(Path lockFile) throws IOException {
        if (!Files.isWritable(lockFile)) {
            return false;
        }
        try (LockedFile lock =
                LockedFile.open(lockFile, StandardOpenOption.WRITE).orElse(null)) {
            return lock == null;
        }
    }

    /** The jar of the barrier, which the profile {@code jmh} builds next to this program's jar and the benchmarks. */
    static Path jar(BenchmarkJar benchmarks) {
        Path beside = RunRecord.codeDirectory().resolve(BARRIER_JAR);
        Path built = benchmarks.file().resolveSibling(BARRIER_JAR);
        return !Files.exists(beside) && Files.exists(built) ? built : beside;
    }

    List<String> options(int side, int core, int other) {
        return List.of("-prof", BARRIER + ":" + side + "," + core + "," + other + "," + file);
    }

    /** Ends the meeting, so that forks no longer wait for each other. */
    void release() throws IOException {
        write(0, 1);
    }

    /** Removes the times of the measured iterations from a row and returns them. Also removes {@link #NO_LOCK}. */
    static List<ForkRun.Span> takeIterations(ObjectNode row) {
        JsonNode metrics = row.path("secondaryMetrics");
        List<JsonNode> times = METRICS.stream()
                .map(name -> metrics.at("/" + name + "/rawData/0"))
                .toList();
        int measured = times.stream().mapToInt(JsonNode::size).min().orElse(0);
        var spans = new ArrayList<ForkRun.Span>();
        for (int i = 0; i < measured; i++) {
            spans.add(new ForkRun.Span(
                    times.get(0).get(i).asDouble(),
                    times.get(1).get(i).asDouble(),
                    times.get(2).get(i).asDouble(),
                    times.get(3).get(i).asInt()));
        }
        if (metrics instanceof ObjectNode object) {
            object.remove(METRICS);
        }
        for (Iterator<JsonNode> options = row.path("jvmArgs").elements(); options.hasNext(); ) {
            if (options.next().asText().equals(NO_LOCK)) {
                options.remove();
            }
        }
        return spans;
    }

    private void write(int at, long value) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(
                    ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(0, value),
                    at);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
        Files.deleteIfExists(file);
    }
}

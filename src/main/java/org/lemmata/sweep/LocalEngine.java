package org.lemmata.sweep;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.sweep.CellReport.Ending;
import org.lemmata.track.MachineIdentity;

/**
 * Runs cells in this JVM, as many at once as cores and memory allow.
 *
 * <p>A cell that ran out of memory, or could not be recorded for want of it, may have been robbed by those beside it:
 * it runs again alone when the others have ended, and only then is what came of it its result.
 */
public final class LocalEngine implements SweepEngine {

    private static final String HEAP = "the heap";

    private final int cores;
    private final long heapBytes;

    public LocalEngine() {
        this(Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory());
    }

    LocalEngine(int cores, long heapBytes) {
        this.cores = cores;
        this.heapBytes = heapBytes;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public void run(EngineJob job, EngineListener listener) throws IOException {
        if (!job.options().isEmpty()) {
            throw new IllegalArgumentException("--engine-option: expected none with the engine local, got "
                    + job.options().keySet().iterator().next());
        }
        List<Cell> starved = new Work(job, listener, job.cells()).run(atOnce(job));
        new Work(job, listener, starved).run(1);
    }

    /**
     * How many cells run at once: cores over threads of a cell, at least one, and no more than memory is there for.
     *
     * @throws IllegalArgumentException if the heap has not room for one
     */
    int atOnce(EngineJob job) {
        int byCores = Math.max(1, cores / job.limits().threads());
        if (job.memoryBytes() == 0) {
            return byCores;
        }
        return (int) Math.min(byCores, job.cellsWithin(heapBytes, HEAP, remedy(job)));
    }

    /** What is said where the heap has no memory for one cell. */
    Optional<String> shortage(EngineJob job) {
        return job.shortage(heapBytes, HEAP, remedy(job));
    }

    private static String remedy(EngineJob job) {
        boolean fits = job.memoryBytes() < MachineIdentity.memory();
        return fits ? "LEMMATA_JAVA_OPTIONS=-Xmx..." : "a machine with more memory";
    }

    /** Cells on their way through threads. */
    private static final class Work {

        private final EngineJob job;
        private final EngineListener listener;
        private final Queue<Cell> waiting;
        private final List<Cell> starved;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private boolean alone;

        Work(EngineJob job, EngineListener listener, List<Cell> cells) {
            this.job = job;
            this.listener = listener;
            waiting = new ConcurrentLinkedQueue<>(cells);
            // Has room for all, since who adds to it has no memory.
            starved = new ArrayList<>(cells.size());
        }

        /** Runs them on so many threads, and returns those that ran out of memory beside others. */
        List<Cell> run(int threads) throws IOException {
            int count = Math.min(threads, waiting.size());
            alone = count == 1;
            BooleanSupplier stop = () -> job.stop().getAsBoolean() || failure.get() != null;
            List<Thread> all = new ArrayList<>();
            try {
                for (int i = 1; i <= count; i++) {
                    all.add(Thread.ofPlatform().name("lemmata-cell-" + i).start(() -> serve(stop)));
                }
            } catch (OutOfMemoryError e) {
                // The system gives no more threads; those that run have to end before this does.
                failure.compareAndSet(null, e);
            }
            for (Thread thread : all) {
                join(thread);
            }
            switch (failure.get()) {
                case null -> {}
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new AssertionError("a listener throws nothing else", e);
            }
            return List.copyOf(starved);
        }

        private static void join(Thread thread) {
            boolean interrupted = false;
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void serve(BooleanSupplier stop) {
            try {
                while (!stop.getAsBoolean()) {
                    Cell cell = waiting.poll();
                    if (cell == null) {
                        return;
                    }
                    serve(cell, stop);
                }
            } catch (IOException | RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        }

        private void serve(Cell cell, BooleanSupplier stop) throws IOException {
            try {
                listener.started(cell);
                CellReport report = CellRun.run(cell, job.limits(), job.directory(cell), stop);
                // A cell may leave its thread interrupted, and what an interrupted thread writes to is closed.
                Thread.interrupted();
                if (report.ending() != Ending.OUT_OF_MEMORY || alone) {
                    listener.ended(cell, report);
                    return;
                }
                listener.ended(cell, CellReport.interrupted());
            } catch (Error e) {
                if (alone || !CellRun.isForMemory(e)) {
                    throw e;
                }
            }
            synchronized (starved) {
                starved.add(cell);
            }
        }
    }
}

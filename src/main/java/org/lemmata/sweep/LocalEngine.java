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
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.track.MachineIdentity;

/**
 * Runs cells in this JVM, as many at a time as cores and memory allow.
 *
 * <p>If a cell runs out of memory, or cannot be recorded for lack of memory, other cells may be the cause. The cell
 * therefore runs again alone after the others, and only this second run counts.
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
    public void run(EngineJob job, SweepEngine.Listener listener) throws IOException {
        if (!job.options().isEmpty()) {
            throw new IllegalArgumentException("--engine-option: expected none with the engine local, got "
                    + job.options().keySet().iterator().next());
        }
        if (!job.cells().isEmpty()) {
            CellRun.rehearseFailure(job.cells().getFirst());
        }
        List<Cell> starved = new Work(job, listener, job.cells()).run(atOnce(job));
        new Work(job, listener, starved).run(1);
    }

    /**
     * The number of cells that run at once: cores divided by the threads of a cell, at least 1, and limited by memory.
     *
     * @throws IllegalArgumentException if the heap is too small for one cell
     */
    int atOnce(EngineJob job) {
        int byCores = Math.max(1, cores / job.limits().threads());
        if (job.memoryBytes() == 0) {
            return byCores;
        }
        return (int) Math.min(byCores, job.cellsWithin(heapBytes, HEAP, remedy(job)));
    }

    Optional<String> shortage(EngineJob job) {
        return job.shortage(heapBytes, HEAP, remedy(job));
    }

    private static String remedy(EngineJob job) {
        boolean fits = job.memoryBytes() < MachineIdentity.memory();
        return fits ? "LEMMATA_JAVA_OPTIONS=-Xmx..." : "a machine with more memory";
    }

    private static final class Work {

        private final EngineJob job;
        private final SweepEngine.Listener listener;
        private final Queue<Cell> waiting;
        private final List<Cell> starved;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private boolean alone;

        Work(EngineJob job, SweepEngine.Listener listener, List<Cell> cells) {
            this.job = job;
            this.listener = listener;
            waiting = new ConcurrentLinkedQueue<>(cells);
            // Memory may be exhausted when this list grows, so its full size is allocated here.
            starved = new ArrayList<>(cells.size());
        }

        /** Runs the cells on {@code threads} threads, and returns the cells that ran out of memory while others ran. */
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
                // The system cannot create another thread. The running threads must end first.
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
                CellRun.Report report = CellRun.run(cell, job.limits(), job.directory(cell), stop);
                // A cell may leave its thread interrupted, and a channel closes if an interrupted thread writes to it.
                Thread.interrupted();
                if (report.ending() != Ending.OUT_OF_MEMORY || alone) {
                    listener.ended(cell, report);
                    return;
                }
                listener.ended(cell, CellRun.Report.INTERRUPTED);
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

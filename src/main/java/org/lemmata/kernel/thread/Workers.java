package org.lemmata.kernel.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * Runs the chunks 0 ... n - 1 of a kernel call, each once, on a fixed number of threads that includes the caller.
 *
 * <p>The assignment of chunks to threads is unspecified. A kernel nevertheless has the same bits for every number of
 * threads. Either no sum spans several chunks, or the chunks depend only on the sizes of the problem and their
 * contributions to a sum are added in the order of the chunks.
 *
 * <p>Free threads take chunks one at a time in ascending order. The caller takes chunks until none is left and then
 * waits only for chunks that helpers have begun. A preempted helper delays only the chunk that it has begun; a sleeping
 * helper delays nothing.
 *
 * <p>A waiting thread first spins, for a time that adapts to recent calls, and then sleeps. Spinning avoids waking a
 * thread, which takes longer than many calls. If other processes keep all processors busy, however, a spinning thread
 * takes the processor from the thread that it waits for.
 *
 * <p>A pool runs one call at a time. A call from inside a chunk, during another thread's call, or after {@link #close}
 * runs all its chunks on the calling thread. Calls allocate nothing.
 */
public final class Workers implements AutoCloseable {

    /** Work that is divided into chunks. A kernel keeps one object per thread, so that calls allocate nothing. */
    @FunctionalInterface
    public interface Chunks {
        void run(int chunk);
    }

    /**
     * Maximum time that a thread spins before it sleeps. It is about the time to wake a thread. Spinning and then
     * sleeping thus cost at most twice as much as the better of the two. Measured: a call of unpark took 2 to 14
     * microseconds, and the woken thread ran 10 to 100 microseconds later.
     */
    private static final long SPIN_NANOS = 100_000;

    /** The number of spins, 20 to 50 nanoseconds each, between two readings of the clock. */
    private static final int LOOKS = 16;

    private static final Workers CALLER = new Workers(1);

    private static final Chunks NOTHING = chunk -> {};

    private static final VarHandle SHARED = MethodHandles.arrayElementVarHandle(int[].class);

    /** The distance between numbers that different threads write: two cache lines, because processors fetch pairs. */
    private static final int APART = 128 / Integer.BYTES;

    /** Index, in {@code shared}, of the number of chunks that no thread has taken. */
    private static final int LEFT = APART;

    /** Index, in {@code shared}, of the number of chunks that are not finished. */
    private static final int PENDING = 2 * APART;

    /** Index, in {@code shared}, of a number that is 1 during a call. */
    private static final int BUSY = 3 * APART;

    /** The flag of helper i (from 1 on) is at {@code ASLEEP + i * APART}: 1 while it sleeps or is about to sleep. */
    private static final int ASLEEP = 3 * APART;

    private final int threads;
    private final long spinNanos;
    private final int[] shared;
    private final Thread[] helpers;
    private volatile boolean closed;

    // The current call. A thread may read these fields from taking a chunk until finishing it. The caller writes them
    // only while no chunks are left.
    private Chunks chunks = NOTHING;
    private int count;
    private @Nullable Throwable failure;
    private volatile @Nullable Thread waiting;

    /** The time that callers spin; each helper has its own. */
    private long patience;

    private Workers(int threads) {
        this.threads = threads;
        // With fewer processors than threads, a spinning thread keeps another thread from working.
        spinNanos = threads <= Runtime.getRuntime().availableProcessors() ? SPIN_NANOS : 0;
        patience = spinNanos;
        shared = new int[ASLEEP + threads * APART];
        helpers = new Thread[threads];
    }

    public static Workers caller() {
        return CALLER;
    }

    /**
     * The calling thread and {@code threads - 1} daemon threads.
     *
     * @throws IllegalArgumentException if {@code threads} is below 1
     */
    public static Workers of(int threads) {
        Refuse.below("threads", threads, 1);
        Workers workers = new Workers(threads);
        for (int i = 1; i < threads; i++) {
            int number = i;
            workers.helpers[i] = Thread.ofPlatform()
                    .daemon()
                    .name("lemmata-worker-" + number)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> workers.serve(number));
        }
        try {
            for (int i = 1; i < threads; i++) {
                workers.helpers[i].start();
            }
        } catch (OutOfMemoryError refusal) {
            workers.close();
            throw refusal;
        }
        return workers;
    }

    public int threads() {
        return threads;
    }

    /**
     * Runs all chunks. Returns when they are finished; their writes are then visible to the caller.
     *
     * <p>If a chunk throws, no further chunk is begun, and the first exception of any thread is rethrown to the caller;
     * later exceptions are added to it as suppressed exceptions. An interrupt does not stop a call and is not lost.
     */
    public void run(int count, Chunks chunks) {
        if (count <= 1 || threads == 1 || closed || !SHARED.compareAndSet(shared, BUSY, 0, 1)) {
            for (int chunk = 0; chunk < count; chunk++) {
                chunks.run(chunk);
            }
            return;
        }
        Throwable thrown;
        try {
            this.chunks = chunks;
            this.count = count;
            SHARED.set(shared, PENDING, count);
            SHARED.setVolatile(shared, LEFT, count);
            wakeNext(0);
            try {
                takeChunks();
            } finally {
                awaitOthers();
            }
        } finally {
            thrown = failure;
            failure = null;
            this.chunks = NOTHING;
            SHARED.setRelease(shared, BUSY, 0);
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw thrown instanceof RuntimeException exception ? exception : new UndeclaredThrowableException(thrown);
        }
    }

    /** Ends the helpers after the current call, if any; later calls run only on the caller. */
    @Override
    public void close() {
        closed = true;
        for (int i = 1; i < threads; i++) {
            LockSupport.unpark(helpers[i]);
        }
    }

    private void serve(int number) {
        long patience = spinNanos;
        while (!closed) {
            long start = System.nanoTime();
            if (watch(LEFT, false, patience)) {
                patience = afterSuccess(patience);
            } else {
                sleep(number);
                patience = afterFailure(patience, System.nanoTime() - start);
            }
            wakeNext(number);
            takeChunks();
        }
    }

    /**
     * Sleeps until woken. The flag is set before the check for chunks. A call that begins after the check sees the
     * flag; the check sees the chunks of an earlier call.
     */
    private void sleep(int number) {
        int asleep = ASLEEP + number * APART;
        SHARED.setVolatile(shared, asleep, 1);
        if ((int) SHARED.getVolatile(shared, LEFT) == 0 && !closed) {
            LockSupport.park(this);
        }
        SHARED.setVolatile(shared, asleep, 0);
        // A chunk may have left the thread interrupted; park would then return at once.
        Thread.interrupted();
    }

    /**
     * Wakes at most two helpers: thread i wakes helpers 2 i + 1 and 2 i + 2, where the caller is thread 0. If the
     * caller woke all helpers, this would take longer than many chunks take.
     */
    private void wakeNext(int number) {
        int others = (int) SHARED.getVolatile(shared, LEFT) - 1;
        int first = 2 * number + 1;
        for (int i = first; i < Math.min(threads, first + Math.min(2, others)); i++) {
            if ((int) SHARED.getVolatile(shared, ASLEEP + i * APART) == 1) {
                LockSupport.unpark(helpers[i]);
            }
        }
    }

    private void takeChunks() {
        int done = 0;
        try {
            for (int left = take(); left > 0; left = take()) {
                done++;
                try {
                    chunks.run(count - left);
                } catch (Throwable thrown) {
                    // No thread will take the remaining chunks, so they count as finished.
                    done += (int) SHARED.getAndSet(shared, LEFT, 0);
                    fail(thrown);
                }
            }
        } finally {
            if (done > 0 && (int) SHARED.getAndAdd(shared, PENDING, -done) == done) {
                LockSupport.unpark(waiting);
            }
        }
    }

    /** Takes a chunk; returns how many were left, including the taken one, or 0 if none was left. */
    private int take() {
        int left = (int) SHARED.getVolatile(shared, LEFT);
        while (left > 0) {
            int found = (int) SHARED.compareAndExchange(shared, LEFT, left, left - 1);
            if (found == left) {
                return left;
            }
            left = found;
        }
        return 0;
    }

    private void awaitOthers() {
        long start = System.nanoTime();
        if (watch(PENDING, true, patience)) {
            patience = afterSuccess(patience);
            return;
        }
        boolean interrupted = false;
        waiting = Thread.currentThread();
        while ((int) SHARED.getVolatile(shared, PENDING) > 0) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        waiting = null;
        patience = afterFailure(patience, System.nanoTime() - start);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Spins for up to {@code nanos} until an entry of {@code shared} is zero (or nonzero, if {@code zero} is false).
     * Returns whether this happened.
     */
    private boolean watch(int number, boolean zero, long nanos) {
        if (((int) SHARED.getVolatile(shared, number) == 0) == zero) {
            return true;
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            for (int i = 0; i < LOOKS; i++) {
                Thread.onSpinWait();
                if (((int) SHARED.getVolatile(shared, number) == 0) == zero) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The time to spin next if spinning was successful. */
    private long afterSuccess(long patience) {
        return Math.min(spinNanos, 2 * patience);
    }

    /** The time to spin next if the thread had to sleep; the wait took {@code nanos} in total. */
    private long afterFailure(long patience, long nanos) {
        return nanos < spinNanos ? patience / 2 + spinNanos / 32 : patience / 2;
    }

    /** Records the exception of a chunk. Two chunks may throw the same object, which must not suppress itself. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }
}

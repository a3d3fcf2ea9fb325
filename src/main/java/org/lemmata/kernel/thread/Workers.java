package org.lemmata.kernel.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * Runs the chunks 0 ... n - 1 of a kernel call, each of them once, on a fixed number of threads of which the caller is
 * one.
 *
 * <p>Which thread takes which chunk is open. A kernel has the same bits for every number of threads because it cuts its
 * chunks by the sizes of the problem alone, and adds up what several chunks contribute to one sum in their order.
 *
 * <p>Chunks are handed out one at a time in ascending order, to whoever is free. The caller takes chunks until none is
 * left and then waits only for those that others have begun: a helper that the system has put aside delays a call by
 * one chunk at most, and one that sleeps delays nothing.
 *
 * <p>A thread that waits watches at first, for as long as has paid lately, and then sleeps: waking takes longer than
 * many a call, but where other processes keep all processors busy, who watches keeps from working whom it waits for.
 *
 * <p>A pool runs one call at a time. A call from inside a chunk, a call while another thread's call runs and a call
 * after {@link #close} run all their chunks on their own thread. A call allocates nothing.
 */
public final class Workers implements AutoCloseable {

    /** Work that was cut into chunks. A kernel keeps one such object a thread, so that a call allocates nothing. */
    @FunctionalInterface
    public interface Chunks {
        /** Does one of them. */
        void run(int chunk);
    }

    /**
     * How long a thread watches at most before it sleeps. About as long as waking it takes, so that watching and
     * sleeping together cost at most twice what the better of the two alone would have: the call that wakes was
     * measured at 2 to 14 microseconds, what is woken ran 10 to 100 later.
     */
    private static final long SPIN_NANOS = 100_000;

    /** Looks, of 20 to 50 nanoseconds each, between two readings of the clock. */
    private static final int LOOKS = 16;

    private static final Workers CALLER = new Workers(1);

    private static final Chunks NOTHING = chunk -> {};

    private static final VarHandle SHARED = MethodHandles.arrayElementVarHandle(int[].class);

    /** Two cache lines, since processors fetch them in pairs: what different threads write lies this far apart. */
    private static final int APART = 128 / Integer.BYTES;

    /** Chunks that nobody has taken. */
    private static final int LEFT = APART;

    /** Chunks that are not done. */
    private static final int PENDING = 2 * APART;

    /** 1 during a call. */
    private static final int BUSY = 3 * APART;

    /** 1 while the helper of this number, counted from 1, sleeps or is about to. */
    private static final int ASLEEP = 3 * APART;

    private final int threads;
    private final long spinNanos;
    private final int[] shared;
    private final Thread[] helpers;
    private volatile boolean closed;

    // Of the call that runs. Who has taken a chunk may read them until the chunk is done; the caller writes them while
    // no chunk is left.
    private Chunks chunks = NOTHING;
    private int count;
    private @Nullable Throwable failure;
    private volatile @Nullable Thread waiting;

    /** For how long the callers watch; each helper has its own. */
    private long patience;

    private Workers(int threads) {
        this.threads = threads;
        // With fewer processors than threads, one that watches keeps another from working.
        spinNanos = threads <= Runtime.getRuntime().availableProcessors() ? SPIN_NANOS : 0;
        patience = spinNanos;
        shared = new int[ASLEEP + threads * APART];
        helpers = new Thread[threads];
    }

    /** The calling thread alone. */
    public static Workers caller() {
        return CALLER;
    }

    /**
     * The calling thread and {@code threads - 1} others, which keep no JVM alive.
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
     * Returns when all chunks are done; what they wrote is then visible to the caller.
     *
     * <p>If a chunk throws, no further chunk is begun, and the caller gets what was thrown first, on whichever thread,
     * with what others threw after it as suppressed. An interrupt neither stops a call nor gets lost.
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

    /** Ends the helpers, after the chunks that they have begun; later calls run on the caller alone. */
    @Override
    public void close() {
        closed = true;
        for (int i = 1; i < threads; i++) {
            LockSupport.unpark(helpers[i]);
        }
    }

    /** What a helper does all its life. */
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

    /** A call that misses the mark sees chunks left itself; one that sees it wakes the helper. */
    private void sleep(int number) {
        int asleep = ASLEEP + number * APART;
        SHARED.setVolatile(shared, asleep, 1);
        if ((int) SHARED.getVolatile(shared, LEFT) == 0 && !closed) {
            LockSupport.park(this);
        }
        SHARED.setVolatile(shared, asleep, 0);
        // A chunk may have left its thread interrupted, and no interrupted thread sleeps.
        Thread.interrupted();
    }

    /**
     * Helper i wakes helpers 2 i + 1 and 2 i + 2, the caller being 0: if the caller woke them all, that would take it
     * longer than many a chunk.
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
                    // The chunks that nobody has taken count as done.
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

    /** How many chunks were left, the one taken among them; 0 if none. */
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

    /** Looks for {@code nanos} whether a number has become zero, or something else; false if it has not. */
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

    /** How long to watch next time, after watching has shown what was watched for. */
    private long afterSuccess(long patience) {
        return Math.min(spinNanos, 2 * patience);
    }

    /** After it has not: what was watched for came {@code nanos} after the beginning, and sooner than waking takes. */
    private long afterFailure(long patience, long nanos) {
        return nanos < spinNanos ? patience / 2 + spinNanos / 32 : patience / 2;
    }

    /** Nothing suppresses itself: chunks may throw one and the same object. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }
}

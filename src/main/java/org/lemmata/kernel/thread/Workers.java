package org.lemmata.kernel.thread;

/**
 * Runs the chunks 0 ... n - 1 of a kernel call, each of them once, on a fixed number of threads of which the caller is
 * one.
 *
 * <p>Which thread takes which chunk is open. A kernel has the same bits for every number of threads because it cuts its
 * chunks by the sizes of the problem alone, and adds up what several chunks contribute to one sum in their order.
 */
public final class Workers implements AutoCloseable {

    /** Work that was cut into chunks. A kernel keeps one such object a thread, so that a call allocates nothing. */
    @FunctionalInterface
    public interface Chunks {
        /** Does one of them. */
        void run(int chunk);
    }

    private static final Workers CALLER = new Workers(1);

    private final int threads;

    private Workers(int threads) {
        this.threads = threads;
    }

    /** The calling thread alone. */
    public static Workers caller() {
        return CALLER;
    }

    /**
     * The calling thread and {@code threads - 1} others.
     *
     * @throws IllegalArgumentException if {@code threads} is below 1
     */
    public static Workers of(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads: expected at least 1, got " + threads);
        }
        return new Workers(threads);
    }

    public int threads() {
        return threads;
    }

    /** Returns when all chunks are done. */
    public void run(int count, Chunks chunks) {
        for (int chunk = 0; chunk < count; chunk++) {
            chunks.run(chunk);
        }
    }

    @Override
    public void close() {}
}

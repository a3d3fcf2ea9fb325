package org.lemmata.benchmark.peer;

import java.util.List;
import java.util.function.Function;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;

/** Lemmata's own kernels, on arrays of the heap. */
public final class LemmataContender {

    private LemmataContender() {}

    /**
     * A contender that runs an operation of Lemmata on {@code threads} threads.
     *
     * @param operation creates the operation for the given threads
     * @param outputs the arrays that the operation writes
     */
    public static Contender contender(int threads, Function<Workers, Runnable> operation, List<float[]> outputs) {
        Workers workers = Workers.of(threads);
        Runnable once = operation.apply(workers);
        return new Contender() {
            @Override
            public void run() {
                once.run();
            }

            @Override
            public List<float[]> results() {
                once.run();
                return outputs;
            }

            @Override
            public String description() {
                return "Lemmata, " + Kernels.best().description();
            }

            @Override
            public void close() {
                workers.close();
            }
        };
    }
}

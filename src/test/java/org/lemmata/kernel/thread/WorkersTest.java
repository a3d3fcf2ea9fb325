package org.lemmata.kernel.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The time-out uses a separate thread, because a hanging caller ignores interrupts. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {

    private static final int MAX_COUNT = 17;

    /** Counts each chunk with plain writes, which only {@code run} makes visible. */
    private static final class Tally implements Workers.Chunks {

        private final int[] runs = new int[64 * MAX_COUNT];

        @Override
        public void run(int chunk) {
            runs[64 * chunk]++;
        }

        /** Checks that each of {@code count} chunks ran once, and clears the counts. */
        void check(int count) {
            for (int chunk = 0; chunk < MAX_COUNT; chunk++) {
                int expected = chunk < count ? 1 : 0;
                if (runs[64 * chunk] != expected) {
                    assertThat(runs[64 * chunk])
                            .as("chunk %d of %d", chunk, count)
                            .isEqualTo(expected);
                }
                runs[64 * chunk] = 0;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 10000", "2, 100000", "3, 10000", "8, 5000"})
    void everyChunkRunsOnceAndIsSeen(int threads, int calls) {
        try (Workers workers = Workers.of(threads)) {
            assertThat(workers.threads()).isEqualTo(threads);
            checkCalls(workers, calls);
        }
    }

    private static void checkCalls(Workers workers, int calls) {
        Tally tally = new Tally();
        for (int call = 0; call < calls; call++) {
            int count = call % (MAX_COUNT + 1);
            workers.run(count, tally);
            tally.check(count);
        }
    }

    /** Each of the two chunks waits for the other, so a helper that stays asleep leads to a time-out. */
    @Test
    void noHelperSleepsThroughACall() {
        try (Workers workers = Workers.of(2)) {
            SplittableRandom random = new SplittableRandom(20260301);
            for (int call = 0; call < 5000; call++) {
                CountDownLatch both = new CountDownLatch(2);
                workers.run(2, chunk -> {
                    both.countDown();
                    await(both);
                });
                // Up to the time for which a helper spins, so that some calls arrive while it falls asleep.
                long pause = random.nextLong(120_000);
                long start = System.nanoTime();
                while (System.nanoTime() - start < pause) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** All threads of a large pool take part, although the caller itself wakes only two. */
    @Test
    void wakingReachesEveryHelper() throws InterruptedException {
        int threads = 9;
        try (Workers workers = Workers.of(threads)) {
            for (int call = 0; call < 20; call++) {
                CountDownLatch arrived = new CountDownLatch(threads);
                workers.run(threads, chunk -> {
                    arrived.countDown();
                    await(arrived);
                });
                Thread.sleep(2);
            }
        }
    }

    @Test
    void callsOfSeveralThreadsDoNotMix() throws Exception {
        try (Workers workers = Workers.of(3);
                var callers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(callers.submit(() -> checkCalls(workers, 5000)));
            }
            for (Future<?> result : results) {
                result.get();
            }
        }
    }

    @Test
    void aCallFromInsideAChunkRunsOnItsThread() {
        try (Workers workers = Workers.of(3)) {
            int[] runs = new int[8 * 5];
            for (int call = 1; call <= 1000; call++) {
                workers.run(8, chunk -> {
                    Thread outer = Thread.currentThread();
                    workers.run(5, inner -> {
                        assertThat(Thread.currentThread()).isSameAs(outer);
                        runs[5 * chunk + inner]++;
                    });
                });
                assertThat(runs).containsOnly(call);
            }
        }
    }

    @Test
    void oneThrowableReachesTheCallerAndCarriesTheOthers() {
        try (Workers workers = Workers.of(2)) {
            CountDownLatch both = new CountDownLatch(2);
            Throwable thrown = catchThrowable(() -> workers.run(2, chunk -> {
                both.countDown();
                await(both);
                throw new IllegalStateException("chunk " + chunk);
            }));
            assertThat(thrown).isInstanceOf(IllegalStateException.class);
            assertThat(thrown.getSuppressed()).hasSize(1);
            assertThat(List.of(thrown.getMessage(), thrown.getSuppressed()[0].getMessage()))
                    .containsExactlyInAnyOrder("chunk 0", "chunk 1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noChunkBeginsAfterOneThatThrewAndThePoolStaysUsable(int threads) {
        try (Workers workers = Workers.of(threads)) {
            Tally tally = new Tally();
            AssertionError error = new AssertionError("planned");
            for (int call = 0; call < 2000; call++) {
                int bad = call % 5;
                int[] maximum = new int[100 * 64];
                assertThatThrownBy(() -> workers.run(100, chunk -> {
                            maximum[64 * chunk] = 1;
                            if (chunk >= bad) {
                                throw error;
                            }
                        }))
                        .isSameAs(error);
                assertThat(error.getSuppressed()).isEmpty();
                // Each thread may have started one more chunk.
                assertThat(Arrays.stream(maximum).sum()).isBetween(bad + 1, bad + threads);
                workers.run(MAX_COUNT, tally);
                tally.check(MAX_COUNT);
            }
            if (threads == 2) {
                assertThat(helperOf(workers)).as("still two threads").isNotNull();
            }
        }
    }

    @Test
    void aCheckedExceptionArrivesWrapped() {
        try (Workers workers = Workers.of(2)) {
            assertThatThrownBy(() -> workers.run(2, chunk -> sneak(new IOException("planned"))))
                    .isInstanceOf(UndeclaredThrowableException.class)
                    .hasRootCauseMessage("planned");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void anInterruptedCallerWaitsAndStaysInterrupted() {
        try (Workers workers = Workers.of(2)) {
            Thread caller = Thread.currentThread();
            CountDownLatch both = new CountDownLatch(2);
            AtomicInteger done = new AtomicInteger();
            caller.interrupt();
            workers.run(2, chunk -> {
                both.countDown();
                while (both.getCount() > 0) {
                    Thread.onSpinWait();
                }
                if (!Thread.currentThread().equals(caller)) {
                    // Long enough for the caller to fall asleep.
                    LockSupport.parkNanos(20_000_000);
                }
                done.incrementAndGet();
            });
            assertThat(Thread.interrupted()).isTrue();
            assertThat(done).hasValue(2);
        }
    }

    /** An interrupted thread does not park, so the helper would otherwise spin forever. */
    @Test
    void aHelperForgetsAnInterrupt() throws InterruptedException {
        try (Workers workers = Workers.of(2)) {
            Thread helper = helperOf(workers);
            helper.interrupt();
            while (helper.isInterrupted()) {
                Thread.sleep(1);
            }
            assertThat(helperOf(workers)).isSameAs(helper);
        }
    }

    @Test
    void afterCloseHelpersEndAndCallsRunOnTheCaller() throws InterruptedException {
        Workers workers = Workers.of(2);
        Thread helper = helperOf(workers);
        workers.close();
        workers.close();
        helper.join(10_000);
        assertThat(helper.isAlive()).isFalse();
        Tally tally = new Tally();
        workers.run(5, chunk -> {
            assertThat(Thread.currentThread()).isNotSameAs(helper);
            tally.run(chunk);
        });
        tally.check(5);
        assertThatCode(() -> Workers.caller().close()).doesNotThrowAnyException();
    }

    @Test
    void closingDuringACallLosesNoChunk() {
        for (int call = 0; call < 200; call++) {
            Workers workers = Workers.of(2);
            Tally tally = new Tally();
            workers.run(MAX_COUNT, chunk -> {
                if (chunk == 3) {
                    workers.close();
                }
                tally.run(chunk);
            });
            tally.check(MAX_COUNT);
        }
    }

    @Test
    void aCallAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Workers workers = Workers.of(2)) {
            Tally tally = new Tally();
            long allocated = Long.MAX_VALUE;
            // The first calls link method handles; the minimum of several rounds excludes allocations of the compiler.
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int call = 0; call < 1000; call++) {
                    workers.run(MAX_COUNT, tally);
                }
                allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(allocated).isZero();
        }
    }

    @Test
    void refusesFewerThanOneThread() {
        assertRefused(() -> Workers.of(0), "threads: expected at least 1, got 0");
        assertThat(Workers.caller().threads()).isEqualTo(1);
    }

    private static Thread helperOf(Workers workers) {
        AtomicReference<Thread> helper = new AtomicReference<>();
        Thread caller = Thread.currentThread();
        CountDownLatch both = new CountDownLatch(2);
        workers.run(2, chunk -> {
            both.countDown();
            await(both);
            if (!Thread.currentThread().equals(caller)) {
                helper.set(Thread.currentThread());
            }
        });
        return helper.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as("all threads came").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

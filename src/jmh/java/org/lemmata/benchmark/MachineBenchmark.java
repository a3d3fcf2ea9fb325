package org.lemmata.benchmark;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The peak rates of the machine, in the units of {@link Work}: fused multiply-adds in registers, for the species in use
 * and narrower species; the bandwidth of a = b + s c, with 12 bytes per element, from memory and from the second-level
 * cache; and the bandwidth of reading from memory.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=MachineBenchmark}; more threads: add {@code -Djmh.args="-p
 * threads=1,2,4"}. The report draws its roofline from the rows {@code fma} and {@code triad}.
 *
 * <p>Pitfalls: the operations of a single chain wait for each other, so the units need eight or more chains. With more
 * chains than registers, stack traffic is measured. Arrays that fit in a cache give the bandwidth of that cache. Java
 * has no non-temporal stores, so a cache line of a is read before it is written: memory moves 16 bytes per element, but
 * 12 are counted.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 2, time = 150, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class MachineBenchmark {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    /**
     * Eight chains fill two units with a latency of four cycles. Twelve chains and two factors use 14 of 16 registers.
     */
    private static final int CHAINS = 12;

    private static final int STEPS = 50_000;

    /** Several chunks per thread, so that other threads can take over chunks of a delayed thread. */
    private static final int CHUNKS = 4;

    /** The result of {@link #fusedMultiplyAdds}. Each chain adds 2 * 1/2 per step, which is exact up to 2^24. */
    private static final float SUM = STEPS;

    @State(Scope.Thread)
    public static class Pool {

        @Param({"1", "2"})
        public int threads;

        private Workers workers = Workers.caller();

        @Setup
        public void start() {
            workers = Workers.of(threads);
        }

        @TearDown
        public void end() {
            workers.close();
        }
    }

    /** Work that uses only registers. Each chunk stores its sum, so that the work is not optimized away. */
    @State(Scope.Thread)
    public static class Registers implements Workers.Chunks {

        private float[] sums = {};

        @Setup
        public void check(Pool pool) {
            sums = new float[CHUNKS * pool.threads];
            pool.workers.run(sums.length, this);
            for (float sum : sums) {
                if (sum != SUM) {
                    throw new IllegalStateException("fma: the sum of a chain is " + sum + ", expected " + SUM);
                }
            }
        }

        @Override
        public void run(int chunk) {
            sums[chunk] = fusedMultiplyAdds();
        }

        double flops() {
            return 2.0 * SPECIES.length() * CHAINS * STEPS * sums.length;
        }
    }

    /**
     * Runs the chains; returns {@link #SUM}. The sum is the addend, as in the tile of a product. If it were a factor,
     * the compiler would spill chains to memory on machines with 16 registers, at half the speed.
     */
    private static float fusedMultiplyAdds() {
        FloatVector half = FloatVector.broadcast(SPECIES, 0.5f);
        FloatVector two = FloatVector.broadcast(SPECIES, 2);
        FloatVector x0 = FloatVector.zero(SPECIES);
        FloatVector x1 = x0.add(1);
        FloatVector x2 = x0.add(2);
        FloatVector x3 = x0.add(3);
        FloatVector x4 = x0.add(4);
        FloatVector x5 = x0.add(5);
        FloatVector x6 = x0.add(6);
        FloatVector x7 = x0.add(7);
        FloatVector x8 = x0.add(8);
        FloatVector x9 = x0.add(9);
        FloatVector x10 = x0.add(10);
        FloatVector x11 = x0.add(11);
        for (int i = 0; i < STEPS; i++) {
            x0 = half.fma(two, x0);
            x1 = half.fma(two, x1);
            x2 = half.fma(two, x2);
            x3 = half.fma(two, x3);
            x4 = half.fma(two, x4);
            x5 = half.fma(two, x5);
            x6 = half.fma(two, x6);
            x7 = half.fma(two, x7);
            x8 = half.fma(two, x8);
            x9 = half.fma(two, x9);
            x10 = half.fma(two, x10);
            x11 = half.fma(two, x11);
        }
        FloatVector minimum = x0.min(x1).min(x2).min(x3).min(x4).min(x5);
        FloatVector maximum = x6.max(x7).max(x8).max(x9).max(x10).max(x11);
        return (minimum.lane(0) + maximum.lane(SPECIES.length() - 1) - (CHAINS - 1)) / 2;
    }

    /** a = b + s c over arrays. Each chunk computes its part {@code rounds} times. */
    abstract static class Triad implements Workers.Chunks {

        private static final float SCALE = 0.5f;

        private float[] a = {};
        private float[] b = {};
        private float[] c = {};
        private int chunks;
        private int rounds;

        void prepare(int elements, int chunks, int rounds, Workers workers) {
            this.chunks = chunks;
            this.rounds = rounds;
            a = new float[elements];
            b = new float[elements];
            c = new float[elements];
            for (int i = 0; i < elements; i++) {
                b[i] = i & 0xff;
                c[i] = i & 0xf;
            }
            workers.run(chunks, this);
            for (int i = 0; i < elements; i++) {
                float expected = (i & 0xff) + SCALE * (i & 0xf);
                if (a[i] != expected) {
                    throw new IllegalStateException("triad: a[" + i + "] is " + a[i] + ", expected " + expected);
                }
            }
        }

        @Override
        public void run(int chunk) {
            int part = a.length / chunks;
            for (int round = 0; round < rounds; round++) {
                addScaled(a, b, c, chunk * part, (chunk + 1) * part);
            }
        }

        private static void addScaled(float[] a, float[] b, float[] c, int from, int to) {
            FloatVector scale = FloatVector.broadcast(SPECIES, SCALE);
            for (int i = from; i < to; i += SPECIES.length()) {
                FloatVector.fromArray(SPECIES, c, i)
                        .fma(scale, FloatVector.fromArray(SPECIES, b, i))
                        .intoArray(a, i);
            }
        }

        float[] run(Workers workers, Work work) {
            workers.run(chunks, this);
            work.add(2.0 * rounds * a.length, 3.0 * Float.BYTES * rounds * a.length);
            return a;
        }
    }

    /** Three arrays that together are larger than most last-level caches. */
    @State(Scope.Thread)
    public static class Memory extends Triad {

        /** 128 MiB per array. */
        @Param("33554432")
        public int elements;

        @Setup
        public void prepare(Pool pool) {
            prepare(elements, 16 * CHUNKS, 1, pool.workers);
        }
    }

    /**
     * Three arrays of 64 KiB per thread, together too large for a first-level cache, but not for a second-level cache.
     */
    @State(Scope.Thread)
    public static class SecondLevel extends Triad {

        private static final int ELEMENTS = 16 * 1024;

        @Setup
        public void prepare(Pool pool) {
            prepare(ELEMENTS * pool.threads, pool.threads, 64, pool.workers);
        }
    }

    /** The sum of an array of 512 MiB, about the size of the weights that GPT-2 reads to generate a token. */
    @State(Scope.Thread)
    public static class Reading implements Workers.Chunks {

        private static final int ELEMENTS = 1 << 27;
        private static final int PART = 1 << 20;

        private final float[] a = new float[ELEMENTS];
        private final float[] sums = new float[ELEMENTS / PART];

        @Setup
        public void check(Pool pool) {
            Arrays.fill(a, 1);
            pool.workers.run(sums.length, this);
            for (float sum : sums) {
                if (sum != PART) {
                    throw new IllegalStateException("read: expected a sum of " + PART + ", got " + sum);
                }
            }
        }

        @Override
        public void run(int chunk) {
            sums[chunk] = sum(a, chunk * PART, (chunk + 1) * PART);
        }

        private static float sum(float[] a, int from, int to) {
            FloatVector s = FloatVector.zero(SPECIES);
            FloatVector t = s;
            FloatVector u = s;
            FloatVector v = s;
            for (int i = from; i < to; i += 4 * SPECIES.length()) {
                s = s.add(FloatVector.fromArray(SPECIES, a, i));
                t = t.add(FloatVector.fromArray(SPECIES, a, i + SPECIES.length()));
                u = u.add(FloatVector.fromArray(SPECIES, a, i + 2 * SPECIES.length()));
                v = v.add(FloatVector.fromArray(SPECIES, a, i + 3 * SPECIES.length()));
            }
            return s.add(t).add(u.add(v)).reduceLanes(VectorOperators.ADD);
        }
    }

    /** Multiply-adds in the species in use. */
    @Benchmark
    public float[] fma(Pool pool, Registers registers, Work work) {
        pool.workers.run(registers.sums.length, registers);
        work.add(registers.flops(), 0);
        return registers.sums;
    }

    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64", "-D" + Species.PROPERTY + "=256"})
    public float[] fma256(Pool pool, Registers registers, Work work) {
        return fma(pool, registers, work);
    }

    @Benchmark
    @Fork(
            value = 1,
            jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64", "-D" + Species.PROPERTY + "=128"})
    public float[] fma128(Pool pool, Registers registers, Work work) {
        return fma(pool, registers, work);
    }

    /** The triad from memory. */
    @Benchmark
    public float[] triad(Pool pool, Memory memory, Work work) {
        return memory.run(pool.workers, work);
    }

    /** Reading from memory. */
    @Benchmark
    public float[] read(Pool pool, Reading reading, Work work) {
        pool.workers.run(reading.sums.length, reading);
        work.add(Reading.ELEMENTS, (double) Float.BYTES * Reading.ELEMENTS);
        return reading.sums;
    }

    @Benchmark
    public float[] secondLevelTriad(Pool pool, SecondLevel secondLevel, Work work) {
        return secondLevel.run(pool.workers, work);
    }
}

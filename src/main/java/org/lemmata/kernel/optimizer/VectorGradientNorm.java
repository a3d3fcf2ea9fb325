package org.lemmata.kernel.optimizer;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * Runs on SIMD lanes of binary64; half a vector of gradients is widened to one vector.
 *
 * <p>The partial sums stay in registers. Calls allocate nothing once the arrays of sums are large enough.
 */
public final class VectorGradientNorm implements GradientNorm {

    private static final VectorSpecies<Double> SPECIES =
            VectorSpecies.of(double.class, VectorShape.forBitSize(Species.FLOAT.vectorBitSize()));

    private static final VectorSpecies<Float> HALF =
            VectorSpecies.of(float.class, VectorShape.forBitSize(Species.FLOAT.vectorBitSize() / 2));

    private static final int LANES = SPECIES.length();

    /** The number of blocks in a chunk: about ten microseconds of work. */
    private static final int BLOCKS = 16;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final float[] NONE = {};

    private final Workers workers;

    public VectorGradientNorm(Workers workers) {
        this.workers = workers;
    }

    private static final class Job implements Workers.Chunks {

        private float[] gradients = NONE;
        private int from;
        private int to;

        /** For each chunk, the SUMS partial sums of its current block. */
        private double[] partialSums = {};

        /** One sum per block. */
        private double[] sums = {};

        @Override
        public void run(int chunk) {
            int last = Math.min(Math.ceilDiv(to - from, BLOCK), (chunk + 1) * BLOCKS);
            for (int block = chunk * BLOCKS; block < last; block++) {
                int start = from + block * BLOCK;
                int end = start + Math.min(BLOCK, to - start);
                sums[block] = sumSquares(partialSums, chunk * SUMS, gradients, start, end);
            }
        }
    }

    @Override
    public double squaredNorm(double before, float[] gradients, int from, int to) {
        GradientNorm.check(gradients, from, to);
        int blocks = Math.ceilDiv(to - from, BLOCK);
        int chunks = Math.ceilDiv(blocks, BLOCKS);
        Job job = JOB.get();
        if (job.sums.length < blocks) {
            job.sums = new double[blocks];
            job.partialSums = new double[chunks * SUMS];
        }
        job.gradients = gradients;
        job.from = from;
        job.to = to;
        workers.run(chunks, job);
        job.gradients = NONE;
        double total = before;
        for (int block = 0; block < blocks; block++) {
            total += job.sums[block];
        }
        return total;
    }

    /**
     * The sum of squares of a block. Uses {@code sums[at...]} as scratch space. Squares of floats are exact in
     * binary64, so a fused multiply-add gives the same bits.
     */
    private static double sumSquares(double[] sums, int at, float[] gradients, int from, int to) {
        int whole = from + (to - from) / SUMS * SUMS;
        // Each pass keeps four vectors in registers. 512-bit vectors need one pass; narrower vectors need several
        // passes over the cached block.
        for (int first = 0; first < SUMS; first += 4 * LANES) {
            DoubleVector sum0 = DoubleVector.zero(SPECIES);
            DoubleVector sum1 = sum0;
            DoubleVector sum2 = sum0;
            DoubleVector sum3 = sum0;
            for (int i = from + first; i < whole; i += SUMS) {
                DoubleVector g0 = widen(gradients, i);
                DoubleVector g1 = widen(gradients, i + LANES);
                DoubleVector g2 = widen(gradients, i + 2 * LANES);
                DoubleVector g3 = widen(gradients, i + 3 * LANES);
                sum0 = g0.fma(g0, sum0);
                sum1 = g1.fma(g1, sum1);
                sum2 = g2.fma(g2, sum2);
                sum3 = g3.fma(g3, sum3);
            }
            sum0.intoArray(sums, at + first);
            sum1.intoArray(sums, at + first + LANES);
            sum2.intoArray(sums, at + first + 2 * LANES);
            sum3.intoArray(sums, at + first + 3 * LANES);
        }
        for (int i = whole; i < to; i++) {
            double g = gradients[i];
            sums[at + i - whole] += g * g;
        }
        double sum = 0;
        for (int i = 0; i < SUMS; i++) {
            sum += sums[at + i];
        }
        return sum;
    }

    private static DoubleVector widen(float[] gradients, int at) {
        return (DoubleVector) FloatVector.fromArray(HALF, gradients, at).convertShape(VectorOperators.F2D, SPECIES, 0);
    }
}

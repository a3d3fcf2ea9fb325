package org.lemmata.kernel.dropout;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorPhilox;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.random.RandomStream;

/**
 * Runs on SIMD lanes: draws the random words of some tiles, then processes these tiles.
 *
 * <p>An incomplete tile is padded in a copy. Calls allocate nothing.
 */
public final class VectorDropout implements Dropout {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> WORD_SPECIES = VectorSpecies.of(int.class, SPECIES.vectorShape());

    private static final int LANES = SPECIES.length();

    /** The number of random words for half a tile; each word has the random bits of two elements. */
    private static final int HALF = 16;

    /** The number of tiles whose words are drawn at a time: 4 KiB, which fits in the first-level cache. */
    private static final int TILES = 32;

    /** The number of elements in a chunk: about ten microseconds of work. */
    private static final int CHUNK = 16 * TILES * TILE;

    private static final ThreadLocal<Job> JOB = ThreadLocal.withInitial(Job::new);

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private static final float[] NONE = {};

    private static final RandomStream NO_STREAM = new RandomStream(0, 0, 0);

    private final Workers workers;

    public VectorDropout(Workers workers) {
        this.workers = workers;
    }

    private static final class Scratch {
        private final int[] words = new int[TILES * RandomStream.TILE];
        private final float[] tile = new float[TILE];
    }

    private static final class Job implements Workers.Chunks {

        private float[] y = NONE;
        private int yOffset;
        private float[] x = NONE;
        private int xOffset;
        private int length;
        private int threshold;
        private float scale;
        private RandomStream stream = NO_STREAM;

        @Override
        public void run(int chunk) {
            Scratch scratch = SCRATCH.get();
            int start = chunk * CHUNK;
            int end = start + Math.min(CHUNK, length - start);
            for (int first = start; first < end; first += TILES * TILE) {
                int elements = Math.min(TILES * TILE, end - first);
                VectorPhilox.tilesInto(scratch.words, first / TILE, Math.ceilDiv(elements, TILE), stream);
                int whole = elements / TILE;
                int to = yOffset + first;
                int from = xOffset + first;
                drop(y, to, x, from, scratch.words, 0, whole, threshold, scale);
                int rest = elements - whole * TILE;
                if (rest > 0) {
                    System.arraycopy(x, from + whole * TILE, scratch.tile, 0, rest);
                    drop(scratch.tile, 0, scratch.tile, 0, scratch.words, whole, 1, threshold, scale);
                    System.arraycopy(scratch.tile, 0, y, to + whole * TILE, rest);
                }
            }
        }
    }

    @Override
    public void forward(
            float[] y, int yOffset, float[] x, int xOffset, int length, double probability, RandomStream stream) {
        Dropout.check(y, yOffset, x, xOffset, length, probability);
        int threshold = Dropout.threshold(probability);
        if (threshold == 0) {
            System.arraycopy(x, xOffset, y, yOffset, length);
            return;
        }
        Job job = JOB.get();
        job.y = y;
        job.yOffset = yOffset;
        job.x = x;
        job.xOffset = xOffset;
        job.length = length;
        job.threshold = threshold;
        job.scale = Dropout.scale(threshold);
        job.stream = stream;
        try {
            workers.run(Math.ceilDiv(length, CHUNK), job);
        } finally {
            job.y = NONE;
            job.x = NONE;
        }
    }

    /** Processes whole tiles. Their words begin with tile {@code firstTile} of {@code words}. */
    private static void drop(
            float[] y, int yAt, float[] x, int xAt, int[] words, int firstTile, int tiles, int threshold, float scale) {
        IntVector zero = IntVector.zero(WORD_SPECIES);
        for (int half = 0; half < 2 * tiles; half++) {
            int at = (2 * firstTile + half) * HALF;
            for (int i = 0; i < HALF; i += LANES) {
                IntVector word = IntVector.fromArray(WORD_SPECIES, words, at + i);
                int low = 2 * half * HALF + i;
                int high = low + HALF;
                IntVector kept =
                        FloatVector.fromArray(SPECIES, x, xAt + low).mul(scale).reinterpretAsInts();
                zero.blend(kept, word.and(0xFFFF).compare(VectorOperators.GE, threshold))
                        .reinterpretAsFloats()
                        .intoArray(y, yAt + low);
                kept = FloatVector.fromArray(SPECIES, x, xAt + high).mul(scale).reinterpretAsInts();
                zero.blend(kept, word.lanewise(VectorOperators.LSHR, 16).compare(VectorOperators.GE, threshold))
                        .reinterpretAsFloats()
                        .intoArray(y, yAt + high);
            }
        }
    }
}

package org.lemmata.claim.depth.figure;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Computation;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;

/** The closed form of theorem 4.1 on prefixes as figure 6 has them: of words of D_32 that it was not made from. */
final class ClosedFormUnseenCompletions {

    static final long SEED = 3600;

    private static final int PREFIXES = 1024;
    private static final DyckWords WORDS = new DyckWords(16);

    private ClosedFormUnseenCompletions() {}

    /** The rate of sampled completions that are balanced, of the model of one training word. */
    static SeedRate rate(Computation computation) {
        var random = new SplittableRandom(SEED);
        int[] word = WORDS.sampleIds(random);
        return ClosedFormDeepCompletions.sampled(
                computation.model(Theorem41.construction(word, Theorem41.ATTRACTIVE)), prefixes(word), random);
    }

    /** Cut anywhere, as those of trained runs are. */
    static List<int[]> prefixes(int... word) {
        return PrefixSample.draw(
                random -> other(word, random), 1, PREFIXES, draw -> new SplittableRandom(SEED + 1 + draw));
    }

    private static int[] other(int[] word, RandomGenerator random) {
        int[] drawn;
        do {
            drawn = WORDS.sampleIds(random);
        } while (Arrays.equals(drawn, word));
        return drawn;
    }
}

package org.lemmata.claim.depth.figure;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Tally;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;

/**
 * The rates at which the closed form of theorem 4.1, of one training word of D_32, completes prefixes as figures have
 * them to balanced words.
 */
final class ClosedFormCompletions {

    /** 2N + 3. */
    static final int PARAMETERS = 35;

    static final long DEEPER_SEED = 3100;
    static final long DEEP_SEED = 3200;
    static final long UNSEEN_SEED = 3600;

    private static final int PAIRS = 16;
    private static final int PREFIXES = 1024;
    private static final DyckWords WORDS = new DyckWords(PAIRS);

    private ClosedFormCompletions() {}

    /** Figure 3 (left): sampled, of depth 9 and more, by a word of depth up to 8. */
    static SeedRate deeper(Computation computation) {
        RandomGenerator random = Tally.random(DEEPER_SEED);
        int[] word = new DyckWords(PAIRS, 1, 8).sampleIds(random);
        return rate(computation, word, deeper(random), new Decoding.Sampling(random));
    }

    /** Of uniform words of depth 9 and more, as trained runs complete them. */
    static List<int[]> deeper(RandomGenerator random) {
        var deeper = new DyckWords(PAIRS, 9, PAIRS);
        return Stream.generate(() -> DyckWords.cut(deeper.sampleIds(random), 9, random))
                .limit(PREFIXES)
                .toList();
    }

    /** Figure 3 (right): sampled, of distinct prefixes of depth 13 and more, by a word of depth up to 4. */
    static SeedRate deep(Computation computation) {
        var random = new SplittableRandom(DEEP_SEED);
        int[] word = new DyckWords(PAIRS, 1, 4).sampleIds(random);
        return rate(computation, word, deep(), new Decoding.Sampling(random));
    }

    static List<int[]> deep() {
        return PrefixSample.drawDistinct(
                new DyckWords(PAIRS, 13, PAIRS)::sampleIds,
                13,
                PREFIXES,
                draw -> new SplittableRandom(DEEP_SEED + 1 + draw));
    }

    /** Figure 6: sampled, of words that it was not made from. */
    static SeedRate unseen(Computation computation) {
        var random = new SplittableRandom(UNSEEN_SEED);
        int[] word = WORDS.sampleIds(random);
        return rate(computation, word, unseen(word), new Decoding.Sampling(random));
    }

    /** Cut anywhere, as those of trained runs are. */
    static List<int[]> unseen(int... word) {
        return PrefixSample.draw(
                random -> other(word, random), 1, PREFIXES, draw -> new SplittableRandom(UNSEEN_SEED + 1 + draw));
    }

    private static int[] other(int[] word, RandomGenerator random) {
        return Stream.generate(() -> WORDS.sampleIds(random))
                .filter(drawn -> !Arrays.equals(drawn, word))
                .findFirst()
                .orElseThrow();
    }

    private static SeedRate rate(Computation computation, int[] word, List<int[]> prefixes, Decoding decoding) {
        Completions completions = Completions.of(
                computation.model(Theorem41.construction(word, Theorem41.ATTRACTIVE)),
                prefixes,
                2 * PAIRS,
                decoding,
                generation -> DyckWords.isBalanced(generation.tokens()));
        return SeedRate.of(
                completions.count(),
                completions.count() - completions.failures().size());
    }
}

package org.lemmata.claim.depth.figure;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.lemmata.claim.Computation;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.statistic.Interval;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;

/** The closed form of theorem 4.1 on prefixes as figure 3 (right) has them: of D_32, distinct, of depth 13 and more. */
final class ClosedFormDeepCompletions {

    static final long SEED = 3200;

    private static final int PAIRS = 16;
    private static final int TRAINED_DEPTH = 4;
    private static final int DEPTH = 13;
    private static final int PREFIXES = 1024;

    private ClosedFormDeepCompletions() {}

    /** The rate of sampled completions that are balanced, of the model of one shallow training word. */
    static SeedRate rate(Computation computation) {
        var random = new SplittableRandom(SEED);
        int[] word = new DyckWords(PAIRS, 1, TRAINED_DEPTH).sampleIds(random);
        LanguageModel model = computation.model(Theorem41.construction(word, Theorem41.ATTRACTIVE));
        return sampled(model, prefixes(), random);
    }

    /** The rate of sampled completions of prefixes to words of D_32 that are balanced. */
    static SeedRate sampled(LanguageModel model, List<int[]> prefixes, RandomGenerator random) {
        Completions completions = Completions.of(
                model,
                prefixes,
                2 * PAIRS,
                new Decoding.Sampling(random),
                generation -> DyckWords.isBalanced(generation.tokens()));
        int valid = completions.count() - completions.failures().size();
        return new SeedRate(
                (double) valid / completions.count(),
                Interval.proportion(completions.count(), valid),
                completions.count());
    }

    static List<int[]> prefixes() {
        var deep = new DyckWords(PAIRS, DEPTH, PAIRS);
        return PrefixSample.drawDistinct(
                deep::sampleIds, DEPTH, PREFIXES, draw -> new SplittableRandom(SEED + 1 + draw));
    }
}

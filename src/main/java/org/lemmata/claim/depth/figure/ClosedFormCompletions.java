package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.Computation;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.measure.Completions;
import org.lemmata.model.Decoding;
import org.lemmata.model.LanguageModel;
import org.lemmata.statistic.Interval;
import org.lemmata.task.depth.DyckWords;

/** The closed form of theorem 4.1 on prefixes as figure 3 has them: of D_32, of depth 9 and more. */
final class ClosedFormCompletions {

    /** 2N + 3. */
    static final int PARAMETERS = 35;

    static final long SEED = 3100;

    private static final int PAIRS = 16;
    private static final int TRAINED_DEPTH = 8;
    private static final int PREFIXES = 1024;

    private ClosedFormCompletions() {}

    /** The rate of greedy completions that are balanced, of the model of one training word. */
    static SeedRate rate(Computation computation) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        int[] word = new DyckWords(PAIRS, 1, TRAINED_DEPTH).sampleIds(random);
        LanguageModel model = computation.model(Theorem41.construction(word, Theorem41.ATTRACTIVE));
        Completions completions = Completions.of(
                model,
                prefixes(random),
                2 * PAIRS,
                new Decoding.Greedy(),
                generation -> DyckWords.isBalanced(generation.tokens()));
        int valid = completions.count() - completions.failures().size();
        return new SeedRate(
                (double) valid / completions.count(),
                Interval.proportion(completions.count(), valid),
                completions.count());
    }

    /** Of uniform words of greater depth, as trained runs complete them. */
    static List<int[]> prefixes(RandomGenerator random) {
        var deep = new DyckWords(PAIRS, TRAINED_DEPTH + 1, PAIRS);
        var prefixes = new ArrayList<int[]>();
        while (prefixes.size() < PREFIXES) {
            prefixes.add(DyckWords.cut(deep.sampleIds(random), TRAINED_DEPTH + 1, random));
        }
        return prefixes;
    }
}

package org.lemmata.claim.depth.figure;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Tally;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.Completions;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.measure.PositionSums;
import org.lemmata.model.Architecture;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Parameters;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.statistic.Interval;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.track.CellRecord;

/**
 * The rates at which the closed form of theorem 4.1, of one training word of D_32, completes prefixes as figures have
 * them to balanced words; and what else stands beside trained models, of that closed form and of initial weights.
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

    /**
     * What stands beside a trained run in a picture: theorem 4.1's closed form, gamma = -1/2, of the first word that
     * the run was trained on, measured as the run was.
     */
    record TrainingWordClosedForm(DyckCompleterByPositionSums construction) {

        static TrainingWordClosedForm of(CellRecord run) {
            return new TrainingWordClosedForm(
                    Theorem41.construction(DyckWords.ids(TwoModels.trainingWord(run)), Theorem41.ATTRACTIVE));
        }

        /** The word to which it completes a context greedily. */
        String completion(String context, Computation computation) {
            return DyckWords.text(Generation.complete(
                            computation.model(construction),
                            List.of(DyckWords.ids(context)),
                            construction.word().length,
                            new Decoding.Greedy())
                    .getFirst()
                    .tokens());
        }

        /** Of its value matrix, which is the one number v: it has no projection. */
        MatrixSpectrum spectrum() {
            return MatrixSpectrum.ofValueAndOutput(weights(), 0);
        }

        /** B_1 + ... + B_t for t = 1, 2, ... of its one column of positions. */
        double[] positionSums() {
            return new PositionSums(weights()).curves().getFirst();
        }

        /** Halves and integers, which binary32 holds. */
        private Parameters weights() {
            return construction.build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32));
        }
    }

    /** What measures of weights come to at initialization, of the models of figures 5 and 7. */
    static final long INITIAL_SEED = 3_500;

    private static final int DRAWS = 5;

    /**
     * Spectra of value times projection, of independent normal entries; no figure keeps their scale.
     *
     * @param width d
     */
    static List<MatrixSpectrum> spectra(int width) {
        RandomGenerator random = new SplittableRandom(INITIAL_SEED);
        var architecture = Architecture.gpt2(2, 1, width, 1, 1, 1, 0);
        return Stream.generate(() -> MatrixSpectrum.ofValueAndOutput(Parameters.normal(architecture, 1, random), 0))
                .limit(DRAWS)
                .toList();
    }

    /** The mean of a figure of them, with Student's interval. */
    static TrivialAnswer answer(String name, List<MatrixSpectrum> spectra, ToDoubleFunction<MatrixSpectrum> figure) {
        double[] values = spectra.stream().mapToDouble(figure).toArray();
        Interval interval = Interval.mean(values);
        return new TrivialAnswer(name + " at initialization", interval.middle(), interval);
    }

    /** The standard deviation of a sum of t rows of a position table: that of an entry, times sqrt(t). */
    static double positionSum(CellRecord run, int t) {
        String deviation = run.settings().getOrDefault("initialization.standard-deviation", "");
        return Double.parseDouble(deviation) * Math.sqrt(t);
    }

    /** Of n positions the root mean square of the sums of 1 to n rows, all taken together. */
    static double positionSpread(CellRecord run, int n) {
        return positionSum(run, 1) * Math.sqrt((n + 1) / 2.0);
    }
}

package org.lemmata.figure.depth;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Judgement;
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
 * Baselines for trained models: the completion rates of theorem 4.1's closed form, built from one word of D_32, for the
 * figures' prefixes; other properties of the closed form; and properties of initial weights.
 */
final class ClosedFormCompletions {

    /** The number of weights of the closed form: 2N + 3 with N = 16. */
    static final int PARAMETERS = 35;

    static final long DEEPER_SEED = 3100;
    static final long DEEP_SEED = 3200;
    static final long UNSEEN_SEED = 3600;

    private static final int PAIRS = 16;
    private static final int PREFIXES = 1024;
    private static final DyckWords WORDS = new DyckWords(PAIRS);

    /** Figure 3 (left): the completion rate of prefixes of depth 9 and more, for a word of depth up to 8. */
    static SeedRate deeper(Judgement judgement) {
        RandomGenerator random = Tally.random(DEEPER_SEED);
        int[] word = new DyckWords(PAIRS, 1, 8).sampleIds(random);
        return rate(judgement, DEEPER_SEED, word, deeper(random), random);
    }

    /** Prefixes with a depth of 9 and more, drawn from uniform words as for trained models. */
    static List<int[]> deeper(RandomGenerator random) {
        var deeper = new DyckWords(PAIRS, 9, PAIRS);
        return Stream.generate(() -> DyckWords.cut(deeper.sampleIds(random), 9, random))
                .limit(PREFIXES)
                .toList();
    }

    /** Figure 3 (right): the completion rate of prefixes of depth 13 and more, for a word of depth up to 4. */
    static SeedRate deep(Judgement judgement) {
        var random = new SplittableRandom(DEEP_SEED);
        int[] word = new DyckWords(PAIRS, 1, 4).sampleIds(random);
        return rate(judgement, DEEP_SEED, word, deep(), random);
    }

    static List<int[]> deep() {
        return PrefixSample.drawDistinct(
                new DyckWords(PAIRS, 13, PAIRS)::sampleIds,
                13,
                PREFIXES,
                draw -> new SplittableRandom(DEEP_SEED + 1 + draw));
    }

    /** Figure 6: the completion rate of prefixes of words other than the closed form's own word. */
    static SeedRate unseen(Judgement judgement) {
        var random = new SplittableRandom(UNSEEN_SEED);
        int[] word = WORDS.sampleIds(random);
        return rate(judgement, UNSEEN_SEED, word, unseen(word), random);
    }

    /** Prefixes of any length of words other than {@code word}, drawn as for trained models. */
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

    private static SeedRate rate(
            Judgement judgement, long seed, int[] word, List<int[]> prefixes, RandomGenerator random) {
        judgement.drewFrom(seed);
        Completions completions = Completions.of(
                judgement.computation().model(Theorem41.construction(word, Theorem41.ATTRACTIVE)),
                prefixes,
                2 * PAIRS,
                new Decoding.Sampling(random),
                generation -> DyckWords.isBalanced(generation.tokens()));
        return SeedRate.of(
                completions.count(),
                completions.count() - completions.failures().size());
    }

    /**
     * Theorem 4.1's closed form with gamma = -1/2, built from the first training word of a run, for comparison with the
     * run in plots.
     */
    private static DyckCompleterByPositionSums ofTrainingWord(CellRecord run) {
        return Theorem41.construction(DyckWords.ids(TwoModels.trainingWord(run)), Theorem41.ATTRACTIVE);
    }

    static String completion(CellRecord run, String context, Computation computation) {
        DyckCompleterByPositionSums construction = ofTrainingWord(run);
        return DyckWords.text(Generation.complete(
                        computation.model(construction),
                        List.of(DyckWords.ids(context)),
                        construction.word().length,
                        new Decoding.Greedy())
                .getFirst()
                .tokens());
    }

    /** The spectrum of the value matrix. The matrix is the single number v, and there is no projection. */
    static MatrixSpectrum spectrum(CellRecord run) {
        return MatrixSpectrum.ofValueAndOutput(weights(run), 0);
    }

    /** B_1 + ... + B_t for t = 1, 2, ..., where B is the single column of the position table. */
    static double[] positionSums(CellRecord run) {
        return new PositionSums(weights(run)).curves().getFirst();
    }

    /** The weights are integers and halves, so binary32 represents them exactly. */
    private static Parameters weights(CellRecord run) {
        return ofTrainingWord(run).build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32));
    }

    static final long INITIAL_SEED = 3_500;

    private static final int DRAWS = 5;

    /**
     * Spectra of the product of value and projection matrices with independent normal entries. The standard deviation
     * of the entries has no effect, because all compared properties are scale-invariant.
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

    static TrivialAnswer answer(String name, List<MatrixSpectrum> spectra, ToDoubleFunction<MatrixSpectrum> figure) {
        double[] values = spectra.stream().mapToDouble(figure).toArray();
        Interval interval = Interval.mean(values);
        return new TrivialAnswer(name + " at initialization", interval.middle(), interval);
    }

    /**
     * The standard deviation of the sum of the first t rows of an initial position table: the standard deviation of an
     * entry times sqrt(t).
     */
    static double positionSum(CellRecord run, int t) {
        String deviation = run.settings().getOrDefault("initialization.standard-deviation", "");
        return Double.parseDouble(deviation) * Math.sqrt(t);
    }

    /** The root mean square, over t = 1 to n, of the sums of t rows of an initial position table. */
    static double positionSpread(CellRecord run, int n) {
        return positionSum(run, 1) * Math.sqrt((n + 1) / 2.0);
    }
}

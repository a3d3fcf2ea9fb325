package org.lemmata.claim.depth;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NearestModels;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.Construction;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.measure.CrossEntropy;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Settings;
import org.lemmata.source.Source;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** What the claims on Richard (2024), theorem 4.1 share: the model of a training word, and the theorem's bounds. */
public final class Theorem41 {

    /** The theorem's own choice; +1/2 is that of its converse. */
    public static final double ATTRACTIVE = -0.5;

    public static final double REPULSIVE = 0.5;

    /** The words, of which a claim reads all or some. N beyond 128 takes minutes. */
    private static final String WORDS = "N | 1..128 | | half the length of the words; by default those of the budget\n"
            + "seeds | 1..1000 | | training words that are drawn for each N of which not every word is read; by default"
            + " as the budget has it\n";

    private static final String VALUE_WEIGHT =
            "\nv | (-inf, inf) | | value weight, stated of v gamma > N²; by default the"
                    + " smallest integer in size, and under a format that does not hold it the next one that it does";

    static final long GAMMA_SEED = 6_100;

    /** gamma of claims on the training word alone, which state every one. */
    static final String PULL = "gamma | (-inf, inf) but 0 | -0.5,0.5," + drawn(-1) + "," + drawn(1)
            + " | pull to the training word; by default the paper's and drawn ones";

    /** gamma of the converse, which states every one above 0. */
    static final String PUSH = "gamma | (-inf, inf) but 0; stated (0, inf) | 0.5," + drawn(1)
            + " | push away from the training word; by default the paper's and drawn ones";

    private Theorem41() {}

    /** One of a sign from 1/16 to 8, their logarithms uniform but for the rounding to 64ths, which binary64 holds. */
    private static String drawn(int sign) {
        RandomGenerator random = Tally.random(GAMMA_SEED + sign);
        return DoubleStream.generate(() -> sign * Math.rint(64 * Math.pow(2, random.nextDouble(-4, 3))) / 64)
                .limit(1)
                .mapToObj(Double::toString)
                .collect(Collectors.joining(","));
    }

    /** What a claim is tested on: the model of a training word. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(int[] word, double gamma);
    }

    /** What is found of the models of some training words, for numbers gamma. */
    @FunctionalInterface
    interface Test {
        Finding find(DyckSizes sizes, List<Double> gammas, Models models);
    }

    /**
     * A claim on the theorem's models.
     *
     * @param claim its first steps
     * @param gamma its setting
     * @param range what is looked at of each model
     */
    static ComputedClaim claim(ComputedClaim.Builder claim, String gamma, String range, Test test) {
        return claim.settings(WORDS + gamma + VALUE_WEIGHT)
                .range(scope -> DyckSizes.of(scope).describe() + "; gamma = {gamma}, v = "
                        + scope.settings().text("v").orElse("the smallest integer in size beyond the bound") + range)
                .beyond(scope -> isWeak(scope) ? "v gamma <= N², stated of v gamma > N²" : "")
                .test((scope, computation) -> {
                    Settings settings = scope.settings();
                    var nearest = new NearestModels(computation, "v");
                    return nearest.told(test.find(DyckSizes.of(scope), scope.numbers("gamma"), (word, pull) -> {
                        if (settings.hasAny("v")) {
                            return computation.model(withValueWeight(word, pull, settings.number("v")));
                        }
                        DyckCompleterByPositionSums smallest = construction(word, pull);
                        String of = scope.numbers("gamma").size() == 1 ? "" : ", gamma = " + pull;
                        return nearest.of(smallest, (long) smallest.v() + " at N = " + word.length / 2 + of);
                    }));
                });
    }

    /** A claim of a part of the theorem, which its id ends with, too. */
    static ComputedClaim claim(String part, String text, String gamma, String range, Test test) {
        var source = new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, " + part);
        return claim(ComputedClaim.asStated("depth.theorem-4.1." + part, source, text), gamma, range, test);
    }

    private static boolean isWeak(Scope scope) {
        return scope.settings().hasAny("v")
                && DyckSizes.of(scope).pairs().stream()
                        .anyMatch(pairs -> scope.numbers("gamma").stream()
                                .anyMatch(gamma -> !isStrong(scope.number("v"), gamma, pairs)));
    }

    private static boolean isStrong(double v, double gamma, int pairs) {
        return v * gamma > (double) pairs * pairs;
    }

    /** By the theorem's construction, or by the same weights with a v that it does not speak of. */
    private static Construction withValueWeight(int[] word, double gamma, double v) {
        return isStrong(v, gamma, word.length / 2)
                ? new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v)
                : new SequenceMemorizerByProjection(DyckWords.BRACKETS, new double[][] {{1}, {-1}}, word, gamma, v);
    }

    /** The models of the theorem, with the v that the construction takes: v gamma = N^2 + |gamma|. */
    static Models on(Computation computation) {
        return (word, gamma) -> computation.model(construction(word, gamma));
    }

    public static DyckCompleterByPositionSums construction(int[] word, double gamma) {
        return new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma);
    }

    /** 8 N^2 exp(-N), the bound of the loss. */
    static double lossBound(int pairs) {
        return 8.0 * pairs * pairs * Math.exp(-pairs);
    }

    /** 2N exp(-N), the bound of the probability of failure. */
    static double failureBound(int pairs) {
        return 2.0 * pairs * Math.exp(-pairs);
    }

    /**
     * sum_{r=1}^{2N-1} -log p(s_{r+1} | s_1 ... s_r) in nats.
     *
     * <p>The paper's sum starts at r = 0, where its attention is not defined (0 / 0): the first token is '(' in every
     * word.
     */
    static double loss(LanguageModel model, int[] word) {
        return CrossEntropy.sum(model, Batch.ofExamples(List.of(Example.nextToken(word))));
    }
}

package org.lemmata.claim.depth;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.CrossEntropy;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
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

    /** Of the words, of which a claim reads all or some: minutes. */
    private static final int MAX_PAIRS = 128;

    private static final Setting PAIRS = new Setting(
            "N", "", "half the length of the words, 1 to " + MAX_PAIRS + "; by default those of the budget");

    private static final Setting VALUE_WEIGHT =
            new Setting("v", "", "value weight, v gamma > N^2; by default the smallest integer in size");

    static final long GAMMA_SEED = 6_100;

    /** gamma of claims on the training word alone, which state every one. */
    static final Setting PULL = new Setting(
            "gamma",
            "-0.5,0.5," + drawn(-1) + "," + drawn(1),
            "pull to the training word, numbers other than 0 between commas; by default the paper's and drawn ones");

    /** gamma of the converse, which states every one above 0. */
    static final Setting PUSH = new Setting(
            "gamma",
            "0.5," + drawn(1),
            "push away from the training word, numbers other than 0 between commas; above 0 the converse speaks of"
                    + " them; by default the paper's and drawn ones");

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
     * @param gamma its setting
     * @param range what is looked at of each model
     */
    record Claim(Statement statement, Setting gamma, String range, Test test) implements AdjustableClaim {

        @Override
        public List<Setting> settings() {
            return List.of(PAIRS, gamma, VALUE_WEIGHT);
        }

        @Override
        public String range(Budget budget, Settings settings) {
            return sizes(budget, settings).describe() + "; gamma = " + settings.required("gamma", "a number") + ", v = "
                    + settings.text("v").orElse("that of the construction") + range;
        }

        @Override
        public Finding check(Budget budget, Settings settings, Computation computation) {
            return test.find(sizes(budget, settings), settings.reals("gamma"), on(computation, settings));
        }

        private static DyckSizes sizes(Budget budget, Settings settings) {
            DyckSizes all = DyckSizes.of(budget);
            return settings.integer("N", 1, MAX_PAIRS).map(all::only).orElse(all);
        }

        /** With the v that is given. */
        private static Models on(Computation computation, Settings settings) {
            return settings.real("v")
                    .<Models>map(v -> (word, gamma) ->
                            computation.model(new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v)))
                    .orElse(Theorem41.on(computation));
        }
    }

    /** A claim of a part of the theorem, which its id ends with, too. */
    static Claim claim(String part, String text, Setting gamma, String range, Test test) {
        var source = new Source(DyckCompleterByPositionSums.SOURCE.paper(), "theorem 4.1, " + part);
        return new Claim(new Statement("depth.theorem-4.1." + part, source, Form.AS_STATED, text), gamma, range, test);
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

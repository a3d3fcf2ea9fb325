package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.CrossEntropy;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
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

    private Theorem41() {}

    /** What a claim is tested on: the model of a training word. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(int[] word, double gamma);
    }

    /** Of training words, all or drawn. */
    static final Setting PAIRS = new Setting(
            "N", "", "half the length of the words, 1 to " + MAX_PAIRS + "; by default those of the budget");

    /** Of the construction. */
    static final Setting VALUE_WEIGHT =
            new Setting("v", "", "value weight, v gamma > N^2; by default the smallest integer in size");

    static Setting gamma(String fallback, String meaning) {
        return new Setting("gamma", fallback, meaning);
    }

    static DyckSizes sizes(Budget budget, Settings settings) {
        DyckSizes all = DyckSizes.of(budget);
        return settings.integer("N", 1, MAX_PAIRS).map(all::only).orElse(all);
    }

    /** What is tested, in words. */
    static String range(Budget budget, Settings settings) {
        return sizes(budget, settings).describe() + "; gamma = " + settings.required("gamma", "a number") + ", v = "
                + settings.text("v").orElse("that of the construction");
    }

    /** The models of the theorem, with the v that is given. */
    static Models on(Computation computation, Settings settings) {
        return settings.real("v")
                .<Models>map(v -> (word, gamma) ->
                        computation.model(new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v)))
                .orElse(on(computation));
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

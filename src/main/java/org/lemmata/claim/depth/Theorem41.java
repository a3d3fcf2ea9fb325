package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.Computation;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.CrossEntropy;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** What the claims on Richard (2024), theorem 4.1 share: the model of a training word, and the theorem's bounds. */
public final class Theorem41 {

    /** The theorem's own choice; +1/2 is that of its converse. */
    public static final double ATTRACTIVE = -0.5;

    public static final double REPULSIVE = 0.5;

    private Theorem41() {}

    /** What a claim is tested on: the model of a training word. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(int[] word, double gamma);
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

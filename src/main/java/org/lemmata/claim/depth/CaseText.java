package org.lemmata.claim.depth;

import org.lemmata.model.Generation;
import org.lemmata.task.depth.DyckWords;

/** How a case of the Dyck claims is written in a verdict. */
final class CaseText {

    private CaseText() {}

    static String of(int[] word, double gamma) {
        return "training word " + DyckWords.text(word) + ", gamma = " + gamma;
    }

    static String of(int[] word, double gamma, int[] prefix) {
        return of(word, gamma) + ", prefix " + DyckWords.text(prefix);
    }

    static String of(int[] word, double gamma, Generation generation) {
        return of(word, gamma, generation.prefix()) + ": completed to " + DyckWords.text(generation.tokens());
    }
}

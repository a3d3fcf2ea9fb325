package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.Verdict;
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

    /** Refuted by the first counterexample, or supported. */
    static Verdict verdict(List<String> counterexamples, String supported) {
        return counterexamples.isEmpty()
                ? new Verdict.Supported(supported)
                : new Verdict.Refuted(
                        counterexamples.size() + " counterexamples, the first: " + counterexamples.getFirst());
    }
}

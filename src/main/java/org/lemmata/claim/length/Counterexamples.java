package org.lemmata.claim.length;

import java.util.List;
import org.lemmata.claim.Verdict;

/** The verdict that counterexamples give. */
final class Counterexamples {

    private Counterexamples() {}

    /** Refuted by the first counterexample, or supported. */
    static Verdict verdict(List<String> counterexamples, String supported) {
        return counterexamples.isEmpty()
                ? new Verdict.Supported(supported)
                : new Verdict.Refuted(
                        counterexamples.size() + " counterexamples, the first: " + counterexamples.getFirst());
    }
}

package org.lemmata.claim;

import java.util.List;

/**
 * The outcome of a test with its reason.
 *
 * @param reason the property that held, the first counterexample, or a description of what is missing
 */
public record Verdict(Outcome outcome, String reason) {

    /** Refuted with the first counterexample as the reason; supported if there is none. */
    public static Verdict of(List<String> counterexamples, String supported) {
        return counterexamples.isEmpty()
                ? new Verdict(Outcome.SUPPORTED, supported)
                : new Verdict(
                        Outcome.REFUTED,
                        (counterexamples.size() == 1
                                        ? "a counterexample: "
                                        : counterexamples.size() + " counterexamples, the first: ")
                                + counterexamples.getFirst());
    }
}

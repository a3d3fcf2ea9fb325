package org.lemmata.claim;

import java.util.List;

/**
 * The outcome of a test with its reason.
 *
 * @param reason what held, the first counterexample, or what is missing
 */
public record Verdict(Outcome outcome, String reason) {

    /** Refuted by the first counterexample, or supported. */
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

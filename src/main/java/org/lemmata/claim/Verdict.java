package org.lemmata.claim;

import java.util.List;

/**
 * The outcome of a test with its reason.
 *
 * @param reason the property that held, the first counterexample, or a description of what is missing
 */
public record Verdict(Outcome outcome, String reason) {

    /** The maximum number of characters of a short reason, before the number of omitted comparisons. */
    private static final int MAX_REASON = 600;

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

    /** The first comparisons of the reason, and the number of omitted ones. A figure can have more than a hundred. */
    public String shortReason() {
        int end = reason.length() <= MAX_REASON ? -1 : reason.lastIndexOf("; ", MAX_REASON);
        if (end < 0) {
            return reason;
        }
        int more = reason.substring(end + 2).split("; ", -1).length;
        return reason.substring(0, end) + "; and " + more + " more (verify --json prints all)";
    }
}

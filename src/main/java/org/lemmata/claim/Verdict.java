package org.lemmata.claim;

/** What a finite test says of a statement; it never says proved. */
public sealed interface Verdict {

    /** The word in tables and records. */
    String label();

    /** Why: what held, the counterexample, or what is missing. */
    String reason();

    /** The statement held everywhere in the tested range. */
    record Supported(String reason) implements Verdict {
        @Override
        public String label() {
            return "Supported";
        }
    }

    /** The statement failed; the reason is the counterexample. */
    record Refuted(String reason) implements Verdict {
        @Override
        public String label() {
            return "Refuted";
        }
    }

    /** The test could not decide. */
    record Inconclusive(String reason) implements Verdict {
        @Override
        public String label() {
            return "Inconclusive";
        }
    }
}

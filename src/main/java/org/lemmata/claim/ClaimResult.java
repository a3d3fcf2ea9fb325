package org.lemmata.claim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of one checked claim, as {@code verify --json} writes it and the report reads it.
 *
 * @param id the claim's id
 * @param statement the claim's statement
 * @param source the citation
 * @param form "printed", "mended" or "as stated"
 * @param range what was tested
 * @param expected the verdict that was expected
 * @param verdict "Supported", "Refuted" or "Inconclusive"
 * @param reason what held, the counterexample, or what is missing
 * @param measured the figures
 * @param seeds every seed that was drawn from
 * @param budget "quick", "standard" or "full"
 * @param seconds how long the check took
 * @param environment where it ran: commit, JDK, SIMD width and the like
 * @param figures what the report draws
 */
public record ClaimResult(
        String id,
        String statement,
        String source,
        String form,
        String range,
        String expected,
        String verdict,
        String reason,
        List<Measured> measured,
        List<Long> seeds,
        String budget,
        double seconds,
        Map<String, String> environment,
        List<Figure> figures) {

    public ClaimResult {
        measured = List.copyOf(measured);
        seeds = List.copyOf(seeds);
        environment = Map.copyOf(environment);
        figures = List.copyOf(figures);
    }

    /**
     * One figure: the measured value with its interval over n cases, and the paper's, which it has to stand to as
     * {@code relation} says.
     *
     * @param relation "≤", "≥" or "≈", or null where the paper has no figure
     * @param paper the paper's figure or bound, or null
     */
    public record Measured(
            String name,
            double value,
            String unit,
            double low,
            double high,
            long n,
            @Nullable String relation,
            @Nullable Double paper) {}

    /** Whether the verdict is the expected one. */
    public boolean asExpected() {
        return verdict.equals(expected);
    }
}

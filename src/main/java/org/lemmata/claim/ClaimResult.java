package org.lemmata.claim;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.statistic.Measurement;

/**
 * The record of one checked claim, as {@code verify --json} writes it and the report reads it.
 *
 * @param id the claim's id
 * @param statement the claim's statement
 * @param source the citation
 * @param form "printed", "corrected" or "as stated"
 * @param range what was tested
 * @param expected the verdict that was expected, or {@link #NO_EXPECTATION} where models were rounded: what a paper
 *     says of real numbers promises nothing of rounded ones; or {@link #JUDGEMENT}
 * @param verdict "Supported", "Refuted" or "Inconclusive"
 * @param reason what held, the counterexample, or what is missing
 * @param measured the figures
 * @param seeds every seed that was drawn from
 * @param budget "quick", "standard" or "full"
 * @param precision how models were rounded, or {@link Computation#UNROUNDED}
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
        String precision,
        double seconds,
        Map<String, String> environment,
        List<Figure> figures) {

    /** Stands for the expected verdict where none is. */
    public static final String NO_EXPECTATION = "none";

    /**
     * Stands for the expected verdict where that is Inconclusive and the figure could not be judged at all: an interval
     * that leaves a sentence open was expected, evidence that is missing was not.
     */
    public static final String JUDGEMENT = "a judgement";

    private static final String INCONCLUSIVE = new Verdict.Inconclusive("").label();

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
            @Nullable Double paper) {

        static Measured of(Measurement measurement) {
            Measurement.Reference reference = measurement.reference();
            return new Measured(
                    measurement.name(),
                    measurement.value(),
                    measurement.unit(),
                    measurement.interval().low(),
                    measurement.interval().high(),
                    measurement.n(),
                    reference == null ? null : reference.relation().sign(),
                    reference == null ? null : reference.value());
        }
    }

    /**
     * Checks a claim and records what was found; a rounding that cannot hold a construction leaves it undecided.
     *
     * @throws UnmetDemandException if models are not rounded, and binary64 cannot hold one of them
     */
    public static ClaimResult of(
            ComputedClaim claim, Budget budget, Computation computation, Map<String, String> environment) {
        return of(
                claim,
                budget,
                computation,
                environment,
                claim.range(budget),
                claim.expected(),
                () -> claim.check(budget, computation));
    }

    /**
     * Judges a figure from its cells and records what was found; it is undecided where cells are missing. Under a
     * policy it is, too: the cells were trained without one.
     *
     * @param missing how cells that are not there are made, for the reason
     */
    public static ClaimResult of(
            FigureClaim claim,
            Budget budget,
            Computation computation,
            Map<String, String> environment,
            FigureCells cells,
            String missing) {
        String range = claim.range(cells.sizes()) + "; " + cells.origin();
        String expected =
                cells.isComplete() ? claim.expected(cells.sizes()) : judgementBeyond(claim.expected(cells.sizes()));
        return of(claim, budget, computation, environment, range, expected, () -> {
            if (computation.isRounded()) {
                return unjudged("the cells of the figure were not rounded: lemmata sweep "
                        + claim.grid().id() + " --budget " + cells.sizes().label()
                        + " base.precision.format=... trains such cells");
            }
            return cells.isComplete() ? claim.judge(cells, computation) : unjudged(missing);
        });
    }

    private static ClaimResult of(
            Claim claim,
            Budget budget,
            Computation computation,
            Map<String, String> environment,
            String range,
            String expected,
            Supplier<Finding> check) {
        long start = System.nanoTime();
        Finding finding = finding(computation, check);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new ClaimResult(
                claim.id(),
                claim.statement(),
                claim.source().citation(),
                claim.form().label(),
                range,
                computation.isRounded() ? NO_EXPECTATION : expected,
                finding.verdict().label(),
                finding.verdict().reason(),
                finding.measured().stream().map(Measured::of).toList(),
                finding.seeds(),
                budget.label(),
                computation.precision(),
                seconds,
                environment,
                finding.figures());
    }

    private static Finding finding(Computation computation, Supplier<Finding> check) {
        try {
            return check.get();
        } catch (UnmetDemandException e) {
            if (!computation.isRounded()) {
                throw e;
            }
            return unjudged(String.valueOf(e.getMessage()));
        }
    }

    private static Finding unjudged(String reason) {
        return new Finding(new Verdict.Inconclusive(reason), List.of(), List.of());
    }

    private static String judgementBeyond(String expected) {
        return expected.equals(INCONCLUSIVE) ? JUDGEMENT : expected;
    }

    /** The same without a verdict, which is not what was expected, whatever was. */
    public ClaimResult undecided(String why) {
        return new ClaimResult(
                id,
                statement,
                source,
                form,
                range,
                judgementBeyond(expected),
                INCONCLUSIVE,
                why,
                measured,
                seeds,
                budget,
                precision,
                seconds,
                environment,
                figures);
    }

    /** Whether the verdict is the expected one, or none was expected. */
    public boolean asExpected() {
        return expected.equals(NO_EXPECTATION) || verdict.equals(expected);
    }
}

package org.lemmata.claim;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.statistic.Measurement;

/**
 * The record of one checked claim, as {@code verify --json} writes it and the report reads it.
 *
 * @param said what is claimed
 * @param tested where it was tested
 * @param verdict what came of it
 * @param pinned the outcome of the last recorded run of the same claim at the same budget and size, or null; none is
 *     pinned of rounded models and of a user's settings
 * @param trivial what answers without learning reach; empty where no models are trained
 * @param measured the numbers
 * @param run how it was found
 * @param figures what the report draws
 */
public record ClaimResult(
        Said said,
        Tested tested,
        Verdict verdict,
        @Nullable Outcome pinned,
        List<TrivialAnswer> trivial,
        List<Measurement> measured,
        Run run,
        List<Figure> figures) {

    public ClaimResult {
        trivial = List.copyOf(trivial);
        measured = List.copyOf(measured);
        figures = List.copyOf(figures);
    }

    /** The first number that the paper bounds, beside the bound, where all of them hold. */
    public Optional<String> bounded() {
        return measured.stream()
                .filter(each -> each.reference() != null)
                .findFirst()
                .filter(each -> outcome() == Outcome.SUPPORTED)
                .map(each -> String.format(Locale.ROOT, "%s: %.4g%s", each.name(), each.value(), each.referenceText()));
    }

    /**
     * A claim.
     *
     * @param id in the ledger
     * @param text the statement
     * @param source the citation
     * @param form which wording is tested
     * @param paper what the paper says of it
     * @param plugin the name of the plugin's jar that it is from, or ""
     */
    public record Said(String id, String text, String source, Form form, String paper, String plugin) {

        static Said of(Claim claim) {
            Statement statement = claim.statement();
            return new Said(
                    claim.id(),
                    statement.text(),
                    statement.source().citation(),
                    statement.form(),
                    claim.paper(),
                    Claims.plugin(claim));
        }
    }

    /**
     * Where a claim was tested.
     *
     * @param range sizes, counts, exhaustive or drawn; for figures the cells, too
     * @param size {@link Sizes#PAPER}, or "reduced: " and what is smaller
     * @param precision how models were rounded, or {@link Computation#UNROUNDED}
     * @param settings those that a user gave; empty where the claim's own range is tested
     * @param beyond where settings leave what the statement speaks of, in words; empty where they do not
     */
    public record Tested(
            String range,
            String size,
            Budget budget,
            String precision,
            SequencedMap<String, String> settings,
            String beyond) {

        public Tested {
            settings = Collections.unmodifiableSequencedMap(new TreeMap<>(settings));
        }

        /** Of what the statement speaks of. */
        public Tested(
                String range, String size, Budget budget, String precision, SequencedMap<String, String> settings) {
            this(range, size, budget, precision, settings, "");
        }

        /** Whether it is the test whose verdict is pinned. */
        boolean isPinned() {
            return precision.equals(Computation.UNROUNDED) && settings.isEmpty();
        }
    }

    /**
     * How a result was found.
     *
     * @param seeds every seed that was drawn from
     * @param seconds how long the check took
     * @param environment where it ran: commit, JDK, SIMD width and the like
     */
    public record Run(List<Long> seeds, double seconds, Map<String, String> environment) {
        public Run {
            seeds = List.copyOf(seeds);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Checks a claim and records what was found; a rounding that cannot hold a construction leaves it undecided.
     *
     * @param given a user's settings
     * @throws IllegalArgumentException if the claim does not have such settings, or a value is not legal
     * @throws UnmetDemandException if models are not rounded, and binary64 cannot hold one of them
     */
    public static ClaimResult of(
            ComputedClaim claim,
            Budget budget,
            SequencedMap<String, String> given,
            Computation computation,
            Map<String, String> environment) {
        Scope scope = claim.scope(budget, given);
        var tested = new Tested(
                claim.range(scope), claim.size(budget), budget, computation.precision(), given, claim.beyond(scope));
        return of(claim, tested, computation, environment, own -> claim.check(scope, own));
    }

    /** Checks a claim with the defaults of all settings. */
    public static ClaimResult of(
            ComputedClaim claim, Budget budget, Computation computation, Map<String, String> environment) {
        return of(claim, budget, new TreeMap<>(), computation, environment);
    }

    /**
     * Judges a figure from its cells and records what was found. It is not tested where cells are missing, nor under a
     * policy: the cells were trained without one.
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
        var tested = new Tested(
                claim.range(cells.sizes()) + "; " + cells.origin(),
                claim.size(cells.sizes()),
                budget,
                computation.precision(),
                new TreeMap<>());
        return of(claim, tested, computation, environment, own -> {
            if (computation.isRounded()) {
                return unjudged(NotTested.FORMAT.because("its cells were not rounded; lemmata sweep "
                        + claim.grid().id() + " --budget " + cells.sizes().label()
                        + " base.precision.format=... trains rounded ones"));
            }
            return cells.isComplete() ? claim.ofPaper(cells, computation) : unjudged(NotTested.RUN.because(missing));
        });
    }

    /**
     * Judges a figure from a user's cells. Nothing is pinned of it.
     *
     * @param directory where they are
     * @throws IllegalArgumentException if the figure's judge needs cells that are not there
     */
    public static ClaimResult of(
            FigureClaim claim, OwnCells own, Path directory, Computation computation, Map<String, String> environment) {
        var settings = new TreeMap<>(own.apart());
        settings.put("cells", directory.toString());
        var tested = new Tested(own.range(directory), "own cells", Budget.QUICK, computation.precision(), settings);
        return of(claim, tested, computation, environment, _ -> {
            try {
                return claim.judge(own.cells(), computation);
            } catch (NoSuchElementException e) {
                throw own.missing(claim.id());
            }
        });
    }

    private static ClaimResult of(
            Claim claim,
            Tested tested,
            Computation computation,
            Map<String, String> environment,
            Function<Computation, Finding> check) {
        long start = System.nanoTime();
        Finding finding = finding(computation.anew(), tested.beyond(), check);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new ClaimResult(
                Said.of(claim),
                tested,
                finding.verdict(),
                null,
                finding.trivial(),
                finding.measured(),
                new Run(finding.seeds(), seconds, environment),
                finding.figures());
    }

    private static Finding finding(Computation own, String beyond, Function<Computation, Finding> check) {
        try {
            Finding finding = check.apply(own);
            Verdict verdict = finding.verdict();
            if (own.isRounded() && !own.hasModels() && verdict.outcome() != Outcome.NOT_TESTED) {
                return unjudged(NotTested.FORMAT.because("its test rounds nothing"));
            }
            return beyond.isEmpty() || verdict.outcome() != Outcome.REFUTED
                    ? finding
                    : finding.as(NotTested.HYPOTHESIS.because(beyond + "; there " + verdict.reason()));
        } catch (UnmetDemandException e) {
            if (!own.isRounded()) {
                throw e;
            }
            return unjudged(new Verdict(Outcome.INCONCLUSIVE, String.valueOf(e.getMessage())));
        }
    }

    private static Finding unjudged(Verdict verdict) {
        return new Finding(verdict, List.of(), List.of());
    }

    public String id() {
        return said.id();
    }

    /** The key of its paper. */
    public String paperKey() {
        return Claims.paper(id());
    }

    public Outcome outcome() {
        return verdict.outcome();
    }

    /** What was rounded, to which format; empty if nothing was. */
    public String rounding() {
        boolean isRounded =
                outcome() != Outcome.NOT_TESTED || verdict.reason().startsWith(NotTested.HYPOTHESIS.label());
        return isRounded && !tested.precision.equals(Computation.UNROUNDED) ? tested.precision : "";
    }

    /** The same without a decision. */
    public ClaimResult undecided(String why) {
        return new ClaimResult(
                said, tested, new Verdict(Outcome.INCONCLUSIVE, why), pinned, trivial, measured, run, figures);
    }

    /** The same beside the pinned outcome. */
    ClaimResult beside(@Nullable Outcome other) {
        return new ClaimResult(said, tested, verdict, other, trivial, measured, run, figures);
    }

    /** Whether it was decided, and otherwise than pinned. */
    public boolean isContrary() {
        return pinned != null && outcome().isDecided() && outcome() != pinned;
    }

    /** Whether it was not decided, where a decision is pinned. */
    public boolean isLost() {
        return pinned != null && pinned.isDecided() && !outcome().isDecided();
    }

    /** Whether an outcome is pinned, and it is another one. */
    public boolean isChanged() {
        return pinned != null && outcome() != pinned;
    }
}

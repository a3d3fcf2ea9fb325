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
 * @param said the claim
 * @param tested the tested range
 * @param verdict the outcome and its reason
 * @param pinned the outcome of the last recorded run of the same claim at the same budget and size, or null. Null for
 *     runs with rounded models or with a user's settings
 * @param trivial the scores of trivial baselines; empty if no models are trained
 * @param run seeds, duration and machine
 * @param figures the plots that the report draws
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

    /** If the claim is supported: the first measurement that has a reference value, as text with both values. */
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
     * @param source the citation
     * @param form the tested wording
     * @param paper the paper's statement, as a phrase or a quotation
     * @param plugin the name of the plugin's jar that has the claim, or ""
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
     * The tested range and its conditions.
     *
     * @param range sizes, counts, exhaustive or sampled; for figures also the cells
     * @param size {@link Sizes#PAPER}, "reduced: " with the differences from the paper's size, "own cells" or "not run"
     * @param precision the rounding of models, or {@link Computation#UNROUNDED}
     * @param settings the user's settings; empty if the claim's own range is tested
     * @param beyond a description of the settings that violate the statement's hypothesis; empty if none does
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

        /** A test within the statement's hypothesis. */
        public Tested(
                String range, String size, Budget budget, String precision, SequencedMap<String, String> settings) {
            this(range, size, budget, precision, settings, "");
        }

        boolean isPinned() {
            return precision.equals(Computation.UNROUNDED) && settings.isEmpty();
        }
    }

    /**
     * Seeds, duration and machine of a check.
     *
     * @param seeds the random seeds that were used
     * @param seconds the duration of the check
     * @param environment commit, JDK, SIMD width and other properties of the machine
     */
    public record Run(List<Long> seeds, double seconds, Map<String, String> environment) {
        public Run {
            seeds = List.copyOf(seeds);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * Checks a claim and returns the result. If the rounding format is too narrow for a construction, the claim is
     * inconclusive.
     *
     * @param given the user's settings
     * @throws IllegalArgumentException if the claim lacks one of the settings, or a value is not legal
     * @throws UnmetDemandException if models are not rounded, and binary64 is too narrow for one of them
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

    /**
     * Judges a figure from its cells and returns the result. The claim is not tested if cells are missing. It is also
     * not tested if the user requested rounding, because the cells were trained without rounding.
     *
     * @param missing the verdict's reason if cells are missing: a list of them, and how to compute them
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
     * Judges a figure from a user's cells. The verdict cannot be pinned. Cells with settings that no cell of the figure
     * has cannot refute the statement.
     *
     * @param directory the directory of the cells
     * @throws IllegalArgumentException if the figure's judge needs cells that are missing
     */
    public static ClaimResult of(
            FigureClaim claim, OwnCells own, Path directory, Computation computation, Map<String, String> environment) {
        var settings = new TreeMap<>(own.apart());
        settings.put("cells", directory.toString());
        String beyond = own.others().isEmpty() ? "" : "other settings than the figure's: " + own.others();
        var tested =
                new Tested(own.range(directory), "own cells", Budget.QUICK, computation.precision(), settings, beyond);
        return of(claim, tested, computation, environment, anew -> {
            try {
                return claim.judge(own.cells(), anew);
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
            String rounded = own.isRounded() ? own.precision() + ", stated for real numbers" : "";
            String outside = beyond + (beyond.isEmpty() || rounded.isEmpty() ? "" : "; ") + rounded;
            return outside.isEmpty() || verdict.outcome() != Outcome.REFUTED
                    ? finding
                    : finding.as(NotTested.HYPOTHESIS.because(outside + "; " + verdict.reason()));
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

    /** The key of the claim's paper. */
    public String paperKey() {
        return Claims.paper(id());
    }

    public Outcome outcome() {
        return verdict.outcome();
    }

    /** The precision policy that applied; empty if nothing was rounded. */
    public String rounding() {
        boolean isRounded =
                outcome() != Outcome.NOT_TESTED || verdict.reason().startsWith(NotTested.HYPOTHESIS.label());
        return isRounded && !tested.precision.equals(Computation.UNROUNDED) ? tested.precision : "";
    }

    public ClaimResult undecided(String why) {
        return new ClaimResult(
                said, tested, new Verdict(Outcome.INCONCLUSIVE, why), pinned, trivial, measured, run, figures);
    }

    ClaimResult beside(@Nullable Outcome other) {
        return new ClaimResult(said, tested, verdict, other, trivial, measured, run, figures);
    }

    /** Whether the test decided the claim with another outcome than the pinned one. */
    public boolean isContrary() {
        return pinned != null && outcome().isDecided() && outcome() != pinned;
    }

    /** Whether the test did not decide the claim although the pinned outcome is a decision. */
    public boolean isLost() {
        return pinned != null && pinned.isDecided() && !outcome().isDecided();
    }

    public boolean isChanged() {
        return pinned != null && outcome() != pinned;
    }
}

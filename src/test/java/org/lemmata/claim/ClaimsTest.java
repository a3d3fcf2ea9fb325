package org.lemmata.claim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.Verdicts.SCALAR;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.source.Paper;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.Evidence;

class ClaimsTest {

    private static final PinnedVerdicts PINS = new PinnedVerdicts(Evidence.ofCheckout());

    private static final String NOT_TESTED = Outcome.NOT_TESTED.label();

    static Stream<Claim> claims() {
        return Claims.all().stream();
    }

    /**
     * The ledger lists each result about models, figure and table of the five papers: a claim has its id, or an id that
     * begins with it and a dot.
     */
    @Test
    void everyResultOfThePapersHasAClaim() throws IOException {
        List<String> ids = claims().map(Claim::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        try (InputStream ledger = ClaimsTest.class.getResourceAsStream("ledger.txt")) {
            assertThat(new String(ledger.readAllBytes(), UTF_8).lines())
                    .hasSize(107)
                    .allSatisfy(id ->
                            assertThat(ids).as(id).anyMatch(claim -> claim.equals(id) || claim.startsWith(id + ".")));
        }
    }

    /** A claim that is dropped or renamed leaves its pin behind. */
    @Test
    void everyPinIsOfAClaim() throws IOException {
        Set<String> ids = claims().map(Claim::id).collect(Collectors.toSet());
        for (Paper paper : Paper.ALL) {
            JsonNode pins = new JsonMapper()
                    .readTree(Evidence.ofCheckout()
                            .directory()
                            .resolve(paper.key() + "/verdicts.json")
                            .toFile());
            assertThat(pins.get("verdicts"))
                    .isNotEmpty()
                    .allSatisfy(pin -> assertThat(ids).contains(pin.get("id").textValue()));
        }
    }

    private static List<ComputedClaim> computedClaims(boolean isTested) {
        return claims().filter(ComputedClaim.class::isInstance)
                .map(ComputedClaim.class::cast)
                .filter(claim -> claim.range(Budget.QUICK).startsWith("nothing") != isTested)
                .toList();
    }

    /** The slowest claims. ComputedClaimTest has smaller cases of some, and .ci/run compares all with their pins. */
    private static final Set<String> LARGE = Set.of(
            "depth.algorithm-1",
            "depth.scaling.printed",
            "depth.theorem-3.1",
            "depth.theorem-3.1.loss",
            "depth.theorem-3.1.printed",
            "hierarchy.precision-law",
            "hierarchy.precision-law.generators",
            "hierarchy.precision-law.sites",
            "length.logit-margin",
            "length.theorem-4.1.bound",
            "length.theorem-4.1.string.printed",
            "parity.sample-complexity",
            "parity.separation",
            "parity.theorem-5",
            "parity.theorem-7",
            "parity.theorem-7.controls",
            "parity.theorem-7.formats",
            "symbol.theorem-4.4",
            "symbol.theorem-5.1",
            "symbol.theorem-5.2.rates.printed",
            "symbol.theorem-i2");

    static Stream<ComputedClaim> otherClaims() {
        return computedClaims(true).stream().filter(claim -> !LARGE.contains(claim.id()));
    }

    /** Claims without a test give a reason, and are never counted as judged. */
    @Test
    void whatHasNoTestIsNotTested() {
        List<ComputedClaim> untested = computedClaims(false);
        assertThat(untested).extracting(Claim::id).contains("hierarchy.theorem-2.printed");
        List<String> reasons =
                Arrays.stream(NotTested.values()).map(NotTested::label).toList();
        for (ComputedClaim claim : untested) {
            Verdict verdict = claim.check(Budget.QUICK, SCALAR).verdict();
            assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_TESTED);
            assertThat(verdict.reason().split(": ", 2)[0]).isIn(reasons);
        }
    }

    /** Otherwise the list could name claims that no longer exist. */
    @Test
    void largeOnesAreClaims() {
        assertThat(computedClaims(true)).extracting(Claim::id).containsAll(LARGE);
    }

    @ParameterizedTest
    @MethodSource("otherClaims")
    void everyComputedClaimHoldsUnlessItIsOneAsPrinted(ComputedClaim claim) throws IOException {
        Finding finding = unrounded(claim);
        assertThat(finding.verdict().outcome().label())
                .as(finding.verdict().reason())
                .isEqualTo(VerdictTableTest.pins().get(claim.id()))
                .isIn(
                        Outcome.SUPPORTED.label(),
                        NOT_TESTED,
                        claim.statement().form() == Form.PRINTED ? Outcome.REFUTED.label() : "");
        assertThat(finding.measured()).isNotEmpty().allSatisfy(measurement -> {
            assertThat(measurement.n()).as(measurement.name()).isPositive();
            Measurement.Reference reference = measurement.reference();
            if (reference != null && claim.statement().form() != Form.PRINTED) {
                switch (reference.relation()) {
                    case AT_MOST ->
                        assertThat(measurement.value()).as(measurement.name()).isLessThanOrEqualTo(reference.value());
                    case AT_LEAST ->
                        assertThat(measurement.value())
                                .as(measurement.name())
                                .isGreaterThanOrEqualTo(reference.value());
                    case ABOUT ->
                        assertThat(measurement.value()).as(measurement.name()).isFinite();
                }
            }
        });
    }

    /**
     * The finding of a claim without rounding. The claim is also checked in a format that is too small for every model:
     * claims that use no model of the computation must have the same finding, as {@link ClaimResult} notes; others have
     * no verdict, or other measurements.
     */
    private static Finding unrounded(ComputedClaim claim) {
        var e2m1 = new Computation(
                Kernels.scalar(), Optional.of(PrecisionPolicy.everything(Rounding.toNearestEven(FloatFormat.E2M1))));
        Finding rounded;
        try {
            rounded = claim.check(Budget.QUICK, e2m1);
        } catch (UnmetDemandException e) {
            assertThat(e).hasMessageContaining("e2m1");
            return claim.check(Budget.QUICK, SCALAR);
        }
        if (!e2m1.hasModels()) {
            return rounded;
        }
        Finding finding = claim.check(Budget.QUICK, SCALAR);
        assertThat(rounded.measured()).as("measured in e2m1").isNotEqualTo(finding.measured());
        return finding;
    }

    @ParameterizedTest
    @MethodSource("org.lemmata.claim.Claims#figures")
    void everyFigureGivesThePinnedVerdictFromTheEvidence(FigureClaim claim) throws IOException {
        ClaimResult result = PINS.beside(RecordedFigures.judge(claim));
        if (!RecordedFigures.cells(claim.grid()).isComplete()) {
            assertThat(result.outcome()).as("not all is recorded yet").isEqualTo(Outcome.NOT_TESTED);
            assertThat(VerdictTableTest.pins()).as("a cell is lost").doesNotContainKey(claim.id());
            return;
        }
        assertThat(result.pinned()).as(result.verdict().reason()).isEqualTo(result.outcome());
        assertThat(result.measured()).isNotEmpty();
    }

    /** If a sweep changes, cells that no figure uses must not remain. */
    @Test
    @Tag("long")
    void allEvidenceIsOfAFigure() throws IOException {
        var cells = new HashMap<String, Set<String>>();
        for (FigureGrid grid :
                Claims.figures().map(FigureClaim::grid).distinct().toList()) {
            for (Budget budget : grid.sizes()) {
                grid.sweep(budget)
                        .cells()
                        .forEach(cell -> cells.computeIfAbsent(grid.paper(), key -> new HashSet<>())
                                .add(cell.id()));
            }
        }
        for (Paper paper : Paper.ALL) {
            assertThat(RecordedFigures.evidence(paper.key()).keySet())
                    .as(paper.key())
                    .isSubsetOf(cells.getOrDefault(paper.key(), Set.of()));
        }
    }

    @ParameterizedTest
    @MethodSource("claims")
    void everyClaimSaysWhatItIs(Claim claim) {
        assertThat(claim.id()).startsWith(claim.statement().source().paper().key() + ".");
        assertThat(claim.statement().text()).isNotBlank();
        assertThat(claim.paper()).isNotBlank();
        assertThat(claim.budgets()).contains(Budget.QUICK).allSatisfy(budget -> {
            assertThat(claim.range(budget)).isNotBlank();
            assertThat(claim.size(budget)).matches("paper|reduced: .+|not run");
        });
    }

    @Test
    void wordsSelectByIdAndByPaperEachClaimOnce() {
        assertThat(Claims.select(List.of())).isEqualTo(Claims.all());
        assertThat(Claims.select(List.of("depth.claim-5.3", "depth")))
                .containsExactlyInAnyOrderElementsOf(Claims.all().stream()
                        .filter(claim -> claim.id().startsWith("depth."))
                        .toList())
                .first()
                .extracting(Claim::id)
                .isEqualTo("depth.claim-5.3");
        assertThat(Claims.select(List.of("depth.theorem-4.1"))).hasSize(4);
        assertThat(Claims.select(List.of("depth.figure-3.left"))).hasSize(6);
        assertThat(Claims.select(List.of("depth.stability"))).hasSize(2);
        assertThatThrownBy(() -> Claims.select(List.of("depth.claim")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "claim: expected an id that lemmata claims lists, its beginning, or a paper's key (depth, ")
                .hasMessageEndingWith("), got 'depth.claim' (did you mean depth.scaling?)");
    }
}

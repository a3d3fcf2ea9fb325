package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.symbol.figure.PretrainedHeads;
import org.lemmata.kernel.Kernels;
import org.lemmata.source.Paper;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;

class ClaimsTest {

    private static final PinnedVerdicts PINS = new PinnedVerdicts(Evidence.ofCheckout());

    /** By paper, and by grid: read once for all claims. */
    private static final Map<String, Map<String, CellRecord>> EVIDENCE = new ConcurrentHashMap<>();

    private static final Map<FigureGrid, FigureCells> CELLS = new ConcurrentHashMap<>();

    private static Map<String, CellRecord> evidence(String paper) {
        return EVIDENCE.computeIfAbsent(paper, key -> {
            try {
                return Evidence.ofCheckout().read(key);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static FigureCells cells(FigureGrid grid) {
        return CELLS.computeIfAbsent(grid, key -> {
            try {
                return FigureCells.of(key, Budget.QUICK, evidence(key.paper()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    static Stream<Claim> claims() {
        return Claims.all().stream();
    }

    @Test
    void theLedgersIdsAreThereOnce() {
        assertThat(claims().map(Claim::id))
                .contains(
                        "depth.figure-2",
                        "depth.lemma-5.1",
                        "depth.theorem-3.1",
                        "depth.theorem-3.1.printed",
                        "depth.theorem-3.1.loss",
                        "depth.theorem-3.1.loss.printed",
                        "depth.stability",
                        "depth.stability.printed",
                        "depth.lemma-5.2",
                        "depth.several-types",
                        "depth.several-types.by-position",
                        "depth.several-types.completer",
                        "depth.theorem-4.1.loss",
                        "depth.theorem-4.1.memorization",
                        "depth.theorem-4.1.generalization",
                        "depth.theorem-4.1.converse",
                        "depth.claim-5.3",
                        "depth.algorithm-1",
                        "depth.figure-3.left.width",
                        "depth.figure-3.left.narrow",
                        "depth.figure-3.left.layers-and-heads",
                        "depth.figure-3.left.decay",
                        "depth.figure-3.left.accuracy",
                        "depth.figure-3.left.closed-form",
                        "depth.figure-1.gap",
                        "depth.figure-3.right.size",
                        "depth.figure-4.memorized",
                        "depth.table-1",
                        "depth.figure-5.negative",
                        "depth.figure-6.trained",
                        "depth.figure-7.identity",
                        "hierarchy.proposition-1",
                        "hierarchy.proposition-2",
                        "hierarchy.proposition-2.printed",
                        "hierarchy.theorem-1",
                        "hierarchy.theorem-1.by-scores",
                        "hierarchy.theorem-1.printed",
                        "hierarchy.theorem-1.one-network.printed",
                        "hierarchy.theorem-2",
                        "hierarchy.theorem-2.printed",
                        "hierarchy.theorem-2.scores.printed",
                        "hierarchy.lemma-1",
                        "hierarchy.proposition-3",
                        "hierarchy.proposition-3.printed",
                        "hierarchy.proposition-4",
                        "hierarchy.proposition-4.printed",
                        "hierarchy.proposition-5",
                        "hierarchy.proposition-6",
                        "hierarchy.corollary-1",
                        "hierarchy.corollary-1.probability",
                        "hierarchy.corollary-1.probability.printed",
                        "hierarchy.corollary-2",
                        "hierarchy.lemma-10",
                        "hierarchy.appendix-o",
                        "hierarchy.appendix-o.function",
                        "hierarchy.appendix-o.function.printed",
                        "hierarchy.appendix-p",
                        "hierarchy.appendix-p.printed",
                        "hierarchy.lemma-13",
                        "hierarchy.figure-3.within",
                        "hierarchy.figure-8.within",
                        "hierarchy.figure-9.within",
                        "hierarchy.figure-10.within",
                        "hierarchy.figure-11.within",
                        "hierarchy.table-2",
                        "hierarchy.table-6",
                        "hierarchy.precision-law",
                        "length.simple-task",
                        "length.simple-task.printed",
                        "length.simple-task.scores.printed",
                        "length.simple-task.norms",
                        "length.simple-task.norms.printed",
                        "length.mod-p-task",
                        "length.mod-p-task.printed",
                        "length.identifiability",
                        "length.hardmax",
                        "length.thresholding.printed",
                        "length.logit-margin",
                        "length.logit-margin.printed",
                        "length.theorem-4.1.string",
                        "length.theorem-4.1.string.printed",
                        "length.theorem-4.1.bound",
                        "length.theorem-4.1.bound.printed",
                        "length.figure-1.left",
                        "length.figure-1.middle",
                        "length.figure-1.right",
                        "length.figure-2.left",
                        "length.figure-2.middle",
                        "length.figure-2.right.overlap",
                        "length.figure-2.right.linear",
                        "length.figure-2.right.overlap.whole-periods",
                        "length.figure-2.right.linear.whole-periods",
                        "length.figure-3.on",
                        "length.figure-3.same",
                        "length.figure-3.off",
                        "length.comparison.simple-task",
                        "length.comparison.mod-p-task",
                        "length.comparison.dyck-words",
                        "parity.theorem-1",
                        "parity.theorem-1.printed",
                        "parity.proposition-3",
                        "parity.proposition-3.printed",
                        "parity.theorem-2",
                        "parity.theorem-2.oracle.printed",
                        "parity.lemma-4",
                        "parity.gradient",
                        "parity.theorem-5",
                        "parity.sample-complexity",
                        "parity.lemma-6",
                        "parity.theorem-7",
                        "parity.theorem-7.printed",
                        "parity.theorem-7.controls",
                        "parity.theorem-7.formats",
                        "parity.lemma-8",
                        "parity.lemma-8.printed",
                        "parity.lemma-9",
                        "parity.lemma-10",
                        "parity.separation",
                        "parity.transformer",
                        "parity.comparison.bits",
                        "symbol.proposition-4.3",
                        "symbol.theorem-4.4",
                        "symbol.theorem-4.4.printed",
                        "symbol.lemma-4.5",
                        "symbol.lemma-4.5.printed",
                        "symbol.lemma-4.6",
                        "symbol.lemma-4.7",
                        "symbol.claim-e2",
                        "symbol.claim-e2.lemma-e1.printed",
                        "symbol.table-f1",
                        "symbol.table-f1.printed",
                        "symbol.kernel-limit",
                        "symbol.theorem-i2",
                        "symbol.theorem-i2.kernel",
                        "symbol.lemma-i7")
                .doesNotHaveDuplicates();
    }

    static Stream<ComputedClaim> computedClaims() {
        return claims().filter(ComputedClaim.class::isInstance)
                .filter(claim -> !(claim instanceof Unmeasured || claim instanceof PretrainedHeads))
                .map(ComputedClaim.class::cast);
    }

    /** A figure without runs says what is missing, and is never taken for one that was judged. */
    @Test
    void whatWasNotMeasuredIsInconclusive() {
        List<Unmeasured> unmeasured = claims().filter(Unmeasured.class::isInstance)
                .map(Unmeasured.class::cast)
                .toList();
        assertThat(unmeasured)
                .extracting(Claim::id)
                .containsExactlyInAnyOrder("symbol.figure-4", "hierarchy.table-2", "hierarchy.table-6");
        for (Unmeasured claim : unmeasured) {
            Finding finding = claim.check(Budget.QUICK, Computation.unrounded(Kernels.scalar()));
            assertThat(finding.verdict().outcome()).isEqualTo(Outcome.INCONCLUSIVE);
            assertThat(finding.verdict().reason()).startsWith("no recorded runs: ");
        }
    }

    @ParameterizedTest
    @MethodSource("computedClaims")
    void everyComputedClaimHoldsUnlessItIsOneAsPrinted(ComputedClaim claim) {
        Finding finding = claim.check(Budget.QUICK, Computation.unrounded(Kernels.scalar()));
        assertThat(finding.verdict().outcome())
                .as(finding.verdict().reason())
                .isEqualTo(claim.statement().form() == Form.PRINTED ? Outcome.REFUTED : Outcome.SUPPORTED);
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

    static Stream<FigureClaim> figures() {
        return claims().filter(FigureClaim.class::isInstance).map(FigureClaim.class::cast);
    }

    @ParameterizedTest
    @MethodSource("figures")
    void everyFigureGivesThePinnedVerdictFromTheEvidence(FigureClaim claim) throws IOException {
        FigureCells cells = cells(claim.grid());
        ClaimResult result = PINS.beside(ClaimResult.of(
                claim, Budget.QUICK, Computation.unrounded(Kernels.scalar()), Map.of(), cells, "nothing"));
        if (evidence(claim.grid().paper()).isEmpty()) {
            assertThat(result.outcome()).as("nothing is recorded yet").isEqualTo(Outcome.INCONCLUSIVE);
            return;
        }
        assertThat(cells.isComplete()).isTrue();
        assertThat(result.pinned()).as(result.verdict().reason()).isEqualTo(result.outcome());
        assertThat(result.measured()).isNotEmpty();
    }

    /** A sweep that was changed leaves cells behind, which nobody looks at any more. */
    @Test
    void allEvidenceIsOfAFigure() throws IOException {
        var cells = new HashMap<String, Set<String>>();
        for (FigureGrid grid : figures().map(FigureClaim::grid).distinct().toList()) {
            for (Budget budget : grid.sizes()) {
                grid.sweep(budget)
                        .cells()
                        .forEach(cell -> cells.computeIfAbsent(grid.paper(), key -> new HashSet<>())
                                .add(cell.id()));
            }
        }
        for (Paper paper : Paper.ALL) {
            assertThat(evidence(paper.key()).keySet())
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
            assertThat(claim.size(budget)).matches("paper|reduced: .+");
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
        assertThat(Claims.select(List.of("depth.stability"), true)).hasSize(1);
        assertThat(Claims.select(List.of("depth.figure-3.left"), true)).hasSize(6);
        assertThatThrownBy(() -> Claims.select(List.of("depth.claim")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("claim: expected one of depth.figure-2, ")
                .hasMessageContaining(" or a paper's key (depth, ")
                .hasMessageEndingWith("), got 'depth.claim'");
    }
}

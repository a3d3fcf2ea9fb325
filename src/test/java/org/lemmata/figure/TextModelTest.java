package org.lemmata.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.Verdicts.assertSupported;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.figure.hierarchy.TextTables;
import org.lemmata.figure.symbol.TextFigure;
import org.lemmata.kernel.Kernels;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.track.CellRecord;

/** Judges claims about text from made-up perplexities that support, refute, or leave them open. */
class TextModelTest {

    private static final double BIGRAM = 10;

    static Stream<FigureClaim> claims() {
        return Stream.concat(TextTables.CLAIMS.stream(), Stream.of(TextFigure.CLAIM));
    }

    /** How much worse a model is, as a log: no norms, norms inside the feed-forward part, no identities. */
    private static double excess(Cell cell) {
        return (has(cell, "model.normalization.placement", "none") ? 0.3 : 0)
                + (has(cell, "model.normalization.placement", "inner") ? 0.01 : 0)
                + (has(cell, "model.attention.identities", "true") ? 0 : 0.1);
    }

    /** The direction of the scatter over seeds, which is opposite in two models that are compared. */
    private static int direction(Cell cell) {
        boolean inner = has(cell, "model.normalization.placement", "inner");
        return has(cell, "model.normalization.placement", "none")
                ? 0
                : inner
                        ? has(cell, "model.positions.kind", "none") ? -1 : 1
                        : has(cell, "model.attention.identities", "true") ? 1 : -1;
    }

    private static double beyond(Cell cell) {
        return has(cell, "model.positions.kind", "table") ? 0.1 : 0;
    }

    /** @param way 1 for differences as in the papers, -1 for the opposite, 0 for none */
    private static List<Measurement> measured(Cell cell, double way, double scatter) {
        double seed = 1 + scatter * (cell.seed() - 3) * direction(cell);
        double own = 6 * Math.exp(way * (way < 0 ? 2 : 1) * excess(cell)) * seed;
        double beyond = beyond(cell);
        return List.of(
                Measurement.exact("perplexity.test", own, "", 1),
                Measurement.exact("perplexity.test.77", own * Math.exp(way * beyond), "", 1),
                Measurement.exact("perplexity.test.128", own * Math.exp(2 * way * beyond), "", 1),
                Measurement.exact("perplexity.testUnigram", 2 * BIGRAM, "", 1),
                Measurement.exact("perplexity.testBigram", BIGRAM, "", 1));
    }

    private static Finding check(FigureClaim claim, double way, double scatter, Outcome expected) {
        return MadeUpCells.check(claim, cell -> measured(cell, way, scatter), expected);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceHoldsAsThePaperSaysIt(FigureClaim claim) {
        check(claim, 1, 1e-3, Outcome.SUPPORTED);
    }

    /** "Competitive" still holds, because norms inside the feed-forward part are then better than the others. */
    @ParameterizedTest
    @MethodSource("claims")
    void aSentenceFailsTheOtherWayRound(FigureClaim claim) {
        check(claim, -1, 1e-3, claim.id().endsWith("competitive") ? Outcome.SUPPORTED : Outcome.REFUTED);
    }

    /** The reason names the number of seeds at which the interval would be as wide as the distance to the bound. */
    @ParameterizedTest
    @MethodSource("claims")
    void anOpenComparisonSaysWhatWouldDecideIt(FigureClaim claim) {
        Finding finding = check(claim, 0.02, 0.05, Outcome.INCONCLUSIVE);
        assertThat(finding.verdict().reason())
                .containsPattern("[(](about [0-9]+|more than 1,000) seeds would decide it[)]");
    }

    /** The spread over seeds is then unknown, and so is the number of seeds. */
    @Test
    void oneRunDoesNotSayWhatWouldDecideAComparison() {
        List<CellRecord> run = MadeUpCells.of(TextFigure.CLAIM.grid(), cell -> measured(cell, 1, 1e-3))
                .records()
                .subList(0, 1);
        var judgement = new Judgement(Computation.unrounded(Kernels.scalar()));
        var one = new TextModel("one", run);
        one.below(judgement, new TextModel("other", run), one.lengths().getFirst(), 0.9);
        assertThat(judgement.verdict().outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(judgement.verdict().reason()).doesNotContain("would decide");
    }

    @ParameterizedTest
    @MethodSource("claims")
    void runsThatDivergeDecideNothing(FigureClaim claim) {
        MadeUpCells.check(claim, cell -> MadeUpCells.DIVERGED, Outcome.NOT_LEARNED);
    }

    /** The sentence is about models without norms that learn nothing. */
    @Test
    void modelsWithoutNormsMayDiverge() {
        FigureClaim none = TextTables.CLAIMS.getFirst();
        Finding finding = MadeUpCells.judge(
                none,
                cell -> has(cell, "model.normalization.placement", "none")
                        ? MadeUpCells.DIVERGED
                        : measured(cell, 1, 1e-3));
        assertSupported(finding);
        assertThat(finding.verdict().reason())
                .contains("Post-LN over No-LN: ratio of perplexities on windows of 64 0.02");
    }
}

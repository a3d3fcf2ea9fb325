package org.lemmata.figure.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.MadeUpCells.DIVERGED;
import static org.lemmata.claim.MadeUpCells.has;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.Outcome;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.Sweep;
import org.lemmata.task.depth.DyckWords;

/** Judges figures 4 and 5 and table 1 from made-up records that support, refute, or leave them open. */
class TwoModelsTest {

    private static final String GOOD = "(())";
    private static final String OPEN = "(((()";
    private static final String CLOSED = "()))))";

    /** Completions of a context, each followed by its count. */
    private static List<Measurement> context(String name, Object... completions) {
        var all = new ArrayList<Measurement>();
        int balanced = 0;
        for (int i = 0; i < completions.length; i += 2) {
            String word = (String) completions[i];
            int count = (Integer) completions[i + 1];
            balanced += DyckWords.isBalanced(DyckWords.ids(word)) ? count : 0;
            all.add(Measurement.exact("contexts." + name + "." + word, count, "completions", 100));
        }
        all.addFirst(Measurement.share("contexts." + name, 100, balanced));
        return all;
    }

    private static List<Measurement> spectrum(double real, double imaginary, double next, double rank, double cosine) {
        return List.of(
                exact("spectrum.stableRank", rank),
                exact("spectrum.real.0", real),
                exact("spectrum.real.1", next),
                exact("spectrum.imaginary.0", imaginary),
                exact("spectrum.imaginary.1", 0),
                exact("spectrum.singular.0", 4),
                exact("spectrum.singular.1", 1),
                exact("spectrum.cosine.0", cosine),
                exact("spectrum.cosine.1", 0.5));
    }

    private static Measurement exact(String name, double value) {
        return Measurement.exact(name, value, "weights", 1);
    }

    @SafeVarargs
    private static List<Measurement> all(List<Measurement>... parts) {
        var all = new ArrayList<Measurement>();
        for (List<Measurement> part : parts) {
            all.addAll(part);
        }
        return all;
    }

    private static final String DEEPER = "((((((((()";
    private static final String SHALLOW = "()()()()()";

    /** A model that has memorized its word, and continues it after any prefix. */
    private static List<Measurement> one(Cell cell) {
        String word = trainingWord(cell);
        return all(
                context("training", word, 97, GOOD, 3),
                context("deeper", DEEPER + word.substring(DEEPER.length()), 90, DEEPER + word.substring(10) + "(", 10),
                context("shallow", SHALLOW + word.substring(10), 100),
                context("deepest", OPEN, 100),
                spectrum(-1, 0.5, 0.9, 8, 0.1));
    }

    private static String trainingWord(Cell cell) {
        return TwoModels.trainingWord(MadeUpCells.done(cell, List.of()));
    }

    /** Both models complete nearly all prefixes of their own words. */
    private static final List<Measurement> IN_SAMPLE = List.of(Measurement.share("completions.inSample", 1024, 1004));

    private static final List<Measurement> MANY = all(
            context("training", GOOD, 60, GOOD + "()", 39, OPEN, 1),
            context("deeper", GOOD, 20, OPEN, 20, GOOD + "()", 40, OPEN + ")", 20),
            context("shallow", GOOD, 60, GOOD + "()", 40),
            context("deepest", GOOD, 52, OPEN, 48),
            spectrum(-4, 0, 1.5, 3, -0.9));

    private static Function<Cell, List<Measurement>> cells(
            Function<Cell, List<Measurement>> one, Function<Cell, List<Measurement>> many) {
        return cell -> all(IN_SAMPLE, has(cell, "data.train", "1") ? one.apply(cell) : many.apply(cell));
    }

    private static Finding judge(FigureClaim claim, Function<Cell, List<Measurement>> many) {
        return MadeUpCells.judge(claim, cells(TwoModelsTest::one, many));
    }

    private static Figure picture(FigureClaim claim) {
        return judge(claim, cell -> MANY).figures().getFirst();
    }

    private static void assertVerdict(FigureClaim claim, Function<Cell, List<Measurement>> one, Outcome verdict) {
        MadeUpCells.check(claim, cells(one, cell -> MANY), verdict);
    }

    private static void assertVerdict(FigureClaim claim, List<Measurement> many, Outcome verdict) {
        MadeUpCells.check(claim, cells(TwoModelsTest::one, cell -> many), verdict);
    }

    private static List<FigureClaim> claims() {
        return Stream.concat(Figure4.CLAIMS.stream(), Figure5.CLAIMS.stream()).toList();
    }

    @Test
    void whatThePaperSaysSupportsEverySentence() {
        for (FigureClaim claim : claims()) {
            assertVerdict(claim, MANY, Outcome.SUPPORTED);
        }
    }

    @Test
    void theModelsTheOtherWayRoundSupportNone() {
        Function<Cell, List<Measurement>> exchanged = cells(cell -> MANY, TwoModelsTest::one);
        for (FigureClaim claim : claims()) {
            assertThat(MadeUpCells.judge(claim, exchanged).verdict().outcome())
                    .as(claim.id())
                    .isNotEqualTo(Outcome.SUPPORTED);
        }
        Stream.concat(
                        Stream.of(Figure4.MEMORIZED, Figure4.REPEATS, Figure4.DIVERSE, Figure4.DEEPEST),
                        Figure5.CLAIMS.stream())
                .forEach(refuted -> MadeUpCells.check(refuted, exchanged, Outcome.REFUTED));
    }

    @Test
    void theTrainingWordIsThatOfTheRun() throws IOException {
        Sweep sweep = Figure3Right.GRID.sweep(Budget.STANDARD);
        Cell cell = sweep.cells().stream()
                .filter(each -> "1".equals(each.settings().get("data.train")) && each.seed() == 4)
                .findFirst()
                .orElseThrow();
        // The word that `train data.train=1` draws.
        assertThat(trainingWord(cell)).isEqualTo("((()))(())()(((()()))()())(())()");
    }

    @Test
    void anotherCompletionOfTheTrainingWordNowAndThenRefutesItsMemory() {
        assertVerdict(
                Figure4.MEMORIZED, cell -> context("training", trainingWord(cell), 80, GOOD, 20), Outcome.REFUTED);
        assertVerdict(
                Figure4.MEMORIZED, cell -> context("training", trainingWord(cell), 95, GOOD, 5), Outcome.INCONCLUSIVE);
        // Always the same completion, but not the training word.
        assertVerdict(Figure4.MEMORIZED, cell -> context("training", GOOD, 100), Outcome.REFUTED);
    }

    @Test
    void aModelOfOneWordThatCompletesOneOtherContextRefutesThatItFails() {
        List<Measurement> shallow = context("shallow", CLOSED, 100);
        assertVerdict(Figure4.FAILS, cell -> all(context("deeper", GOOD, 80, OPEN, 20), shallow), Outcome.REFUTED);
        // Completions that are neither balanced nor left open.
        assertVerdict(Figure4.FAILS, cell -> all(context("deeper", CLOSED, 100), shallow), Outcome.REFUTED);
        assertVerdict(
                Figure4.FAILS, cell -> all(context("deeper", OPEN, 50, CLOSED, 50), shallow), Outcome.INCONCLUSIVE);
        List<Measurement> deeper = context("deeper", OPEN, 100);
        assertVerdict(Figure4.FAILS, cell -> all(deeper, context("shallow", GOOD, 100)), Outcome.REFUTED);
        // If the training word is balanced after ten brackets, its rest is balanced too, so this decides nothing.
        assertVerdict(
                Figure4.FAILS,
                cell -> all(
                        deeper, TwoModels.stack(trainingWord(cell), 10) == 0 ? context("shallow", GOOD, 100) : shallow),
                Outcome.SUPPORTED);
    }

    /** The training word of seed 4 is balanced after ten brackets. */
    @Test
    void withoutAnOpenBracketAfterTheShallowContextHalfOfTheSentenceIsOpen() {
        FigureCells all = MadeUpCells.of(
                Figure4.FAILS.grid(),
                cells(cell -> all(context("deeper", OPEN, 100), context("shallow", GOOD, 100)), cell -> MANY));
        var ofOneSeed = new FigureCells(
                all.sizes(),
                all.sweep(),
                all.records().stream().filter(run -> run.seed() == 4).toList());
        assertOutcome(Figure4.FAILS.judge(ofOneSeed, SCALAR), Outcome.INCONCLUSIVE);
    }

    @Test
    void otherBracketsThanThoseOfTheTrainingWordAreNoRepetition() {
        assertVerdict(
                Figure4.REPEATS,
                cell -> all(
                        context("deeper", DEEPER + trainingWord(cell).substring(10), 100),
                        context("shallow", SHALLOW + "()".repeat(11), 100)),
                Outcome.REFUTED);
    }

    @Test
    void aDeeperContextCompletedAsWellLeavesItOpen() {
        List<Measurement> same = all(
                context("training", GOOD, 90, OPEN, 10),
                context("deeper", GOOD, 90, OPEN, 10),
                context("shallow", GOOD, 90, OPEN, 10));
        assertVerdict(Figure4.LESS_ACCURATE, same, Outcome.INCONCLUSIVE);
        assertVerdict(Figure4.DIVERSE, same, Outcome.REFUTED);
    }

    @Test
    void someSeedsOnlyLeaveASpectrumOpen() {
        for (FigureClaim claim : Figure5.CLAIMS) {
            Finding finding = judge(claim, cell -> cell.seed() == 2 ? one(cell) : MANY);
            assertThat(finding.verdict().outcome()).as(claim.id()).isEqualTo(Outcome.INCONCLUSIVE);
            assertThat(finding.verdict().reason()).contains("in 4 of 5 seeds");
        }
        // The eigenvalue is complex, positive, or close to the next; each of these refutes the sentence.
        for (List<Measurement> spectrum :
                List.of(spectrum(-4, 1, 1.5, 3, -0.9), spectrum(4, 0, 1.5, 3, -0.9), spectrum(-4, 0, 3, 3, -0.9))) {
            assertVerdict(Figure5.NEGATIVE, spectrum, Outcome.REFUTED);
        }
        assertVerdict(Figure5.LOW_RANK, DIVERGED, Outcome.NOT_LEARNED);
    }

    @Test
    void picturesAreDrawnFromTheRecords() {
        List<Series> paths = picture(Figure4.LESS_ACCURATE).series();
        assertThat(paths).hasSize(6);
        assertThat(paths.get(4).name()).isEqualTo("without learning: always close");
        assertThat(paths.get(4).y()).startsWith(0.0, 1.0, 2.0).contains(8.0).endsWith(-14.0);
        assertThat(paths.getFirst().name()).isEqualTo("20 of 100");
        assertThat(paths.getFirst().y()).containsExactly(0.0, 1.0, 2.0, 1.0, 0.0);
        assertThat(picture(Figure5.LOW_RANK).series())
                .extracting(Series::y)
                .hasSize(4)
                .startsWith(List.of(1.0, 0.25), List.of(1.0, 0.25))
                .endsWith(List.of(1.0));
        Figure cosines = picture(Figure5.TURNED);
        assertThat(cosines.series())
                .extracting(Series::y)
                .hasSize(4)
                .startsWith(List.of(0.1, 0.5), List.of(-0.9, 0.5))
                .endsWith(List.of(-1.0));
        assertThat(cosines.joined()).isFalse();
    }

    @Test
    void theClosedFormTakesTheShortestPathToTheFirstTrainingWordOfEachModel() throws IOException {
        // The contexts in the order of the paper, including table 1.
        Map<FigureClaim, List<String>> drawn = Map.of(
                Figure4.MEMORIZED, List.of("one training"),
                Figure4.FAILS, List.of("one deeper", "one shallow"),
                Figure4.DIVERSE, List.of("many training", "many shallow"),
                Figure4.LESS_ACCURATE, List.of("many deeper"),
                Figure4.DEEPEST, List.of("one deepest", "many deepest"));
        Sweep sweep = Figure3Right.GRID.sweep(Budget.STANDARD);
        for (FigureClaim claim : drawn.keySet()) {
            List<Figure> figures = judge(claim, cell -> MANY).figures();
            assertThat(figures).hasSameSizeAs(drawn.get(claim));
            for (int i = 0; i < figures.size(); i++) {
                String picture = drawn.getOrDefault(claim, List.of()).get(i);
                int space = picture.indexOf(' ');
                String trained = firstTrainingWord(sweep, picture.substring(0, space));
                String context = switch (picture.substring(space + 1)) {
                    case "training" -> trained.substring(0, 12);
                    case "deeper" -> DEEPER;
                    case "shallow" -> SHALLOW;
                    default -> "(".repeat(16);
                };
                Series closedForm = figures.get(i).series().getLast();
                assertThat(closedForm.name()).isEqualTo("closed form");
                assertThat(closedForm.y()).as("%s of %s", picture, trained).isEqualTo(shortestPath(context, trained));
                assertThat(closedForm.x()).hasSize(33);
                assertThat(figures.get(i).caption()).contains(claim.equals(Figure4.DEEPEST) ? "table 1" : "figure 4");
            }
        }
    }

    private static String firstTrainingWord(Sweep sweep, String model) {
        return trainingWord(sweep.cells().stream()
                .filter(cell -> cell.seed() == 1 && !cell.settings().containsKey("evaluation.trials"))
                .filter(cell -> has(cell, "data.train", "1") == model.equals("one"))
                .findFirst()
                .orElseThrow());
    }

    /** The stack during a completion by theorem 4.1: it approaches the stack of the word, then follows it. */
    private static List<Double> shortestPath(String context, String word) {
        var stacks = new ArrayList<>(List.of(0.0));
        double ofWord = 0;
        for (int i = 0; i < word.length(); i++) {
            double above = stacks.getLast() - ofWord;
            double next = word.charAt(i) == '(' ? 1 : -1;
            double written = above == 0 ? next : -Math.signum(above);
            double given = i < context.length() ? (context.charAt(i) == '(' ? 1 : -1) : written;
            stacks.add(stacks.getLast() + given);
            ofWord += next;
        }
        return stacks;
    }

    @Test
    void thePlaneHasTheEigenvaluesOfBothModelsAndTheOneOfTheClosedForm() {
        Figure plane = picture(Figure5.NEGATIVE);
        assertThat(plane.joined()).isFalse();
        assertThat(plane.series())
                .extracting(Series::name)
                .containsExactly("one word", "many words", "at initialization", "closed form (d = 1)");
        double modulus = Math.hypot(-1, 0.5);
        assertThat(plane.series().getFirst().x()).containsExactly(-1 / modulus, 0.9 / modulus);
        assertThat(plane.series().getFirst().y()).containsExactly(0.5 / modulus, 0.0);
        assertThat(plane.series().get(1).x()).containsExactly(-1.0, 0.375);
        assertThat(plane.series().getLast().x()).containsExactly(-1.0);
        assertThat(plane.series().getLast().y()).containsExactly(0.0);
        // A diverged run has no points; the closed form remains.
        for (FigureClaim claim : List.of(Figure5.NEGATIVE, Figure5.LOW_RANK, Figure5.TURNED)) {
            Figure without = judge(claim, cell -> DIVERGED).figures().getFirst();
            assertThat(without.series()).extracting(series -> series.x().size()).containsExactly(2, 0, 64, 1);
        }
    }
}

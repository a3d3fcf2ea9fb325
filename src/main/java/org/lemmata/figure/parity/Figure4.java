package org.lemmata.figure.parity;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Kim and Suzuki, the version of ICLR 2025, figure 4: gradient descent by four methods on parities of 8, 16 and 32 of
 * 64 bits.
 */
final class Figure4 {

    /** Our reading of "solved": the paper gives no number. */
    private static final double SOLVED = 0.99;

    private static final TrivialAnswer COIN = new TrivialAnswer("a coin", 0.5);

    /** The prediction loss of always answering 0: half the mean of y², which is 1/2. */
    private static final TrivialAnswer ZERO = new TrivialAnswer("always 0", 0.5);

    private static final int BETWEEN = 50;

    /** The largest k that each method solves according to the paper. */
    private static final Map<String, Integer> SOLVES =
            Map.of("direct", 0, "chain", 8, "teacher-forcing", 32, "self-consistency", 32);

    static final FigureClaim CLAIM = new FigureSentences<>(
                    "parity",
                    "figure 4, section 4 of the version of ICLR 2025",
                    new FigureGrid("parity.figure-4", Figure4.class, "figure-4.yaml"),
                    """
                    one layer, W = 0 at first, full-batch gradient descent at the paper's rates (15, 50, 100; a hundredth for
                    final answers), the paper's piecewise quadratic link function, 5,000 fresh inputs
                    | d = 64, k = 8, 16, 32, n = 100,000, 350 epochs as in the paper, 2,000 (ours) where the model runs on its own
                    chain
                    | 2 seeds
                    """,
                    Function.<FigureCells>identity())
            .claim("figure-4", """
                the direct model fails; chain of thought alone solves k = 8, not 16 and 32; with teacher forcing or
                self-consistency all are solved
                | Of d = 64 bits, gradient descent on final answers solves the parity of neither 8 nor 16 nor 32 bits.
                On the generated chain without a filter, it solves only 8 bits. With teacher forcing, and with
                self-consistency, it solves all three. Here, self-consistency sets to 0 every level above a node whose
                attention weights are all at most 0.4. "Solves" is read as: at least 0.99 (our threshold) of the fresh
                answers are right, in every seed; otherwise, in no seed.
                """, Figure4::judge);

    private static void judge(FigureCells cells, Judgement judgement) {
        judgement.named(COIN);
        FigureCells.by(cells.records(), run -> run.integer("size")).forEach((size, ofSize) -> {
            SortedMap<String, List<CellRecord>> byMethod =
                    FigureCells.by(ofSize, run -> run.settings().getOrDefault("method", ""));
            new TreeMap<>(SOLVES).forEach((method, most) -> {
                List<CellRecord> runs = byMethod.getOrDefault(method, List.of());
                String name = method + ", k = " + size;
                SeedRate right = SeedRate.of(runs, "right", "tests");
                judgement.measure(name, right);
                boolean solves = size <= most;
                if (solves) {
                    judgement.learned(name, right, List.of(COIN));
                }
                judgement.each(
                        name + (solves ? ", solved" : ", not solved"),
                        runs.stream()
                                .map(run -> FigureCells.value(run, "right", Double.NaN) >= SOLVED == solves)
                                .toList());
            });
            int longest =
                    ofSize.stream().mapToInt(run -> run.integer("epochs")).max().orElseThrow();
            judgement.show(new Figure(
                    "Prediction loss, k = " + size,
                    "Half the mean of (ŷ - y)² on fresh inputs, geometric means over seeds, as in figure 4.",
                    "epochs",
                    "prediction loss",
                    Stream.concat(
                                    byMethod.entrySet().stream().map(each -> curve(each.getKey(), each.getValue())),
                                    Stream.of(ZERO.line(BETWEEN, longest)))
                            .toList()));
        });
    }

    private static Figure.Series curve(String method, List<CellRecord> runs) {
        int epochs = runs.getFirst().integer("epochs");
        List<Integer> tested = IntStream.rangeClosed(1, epochs / BETWEEN)
                .map(i -> i * BETWEEN)
                .boxed()
                .toList();
        return Figure.Series.of(
                method,
                tested,
                epoch -> epoch,
                epoch -> loss(runs, epoch).value(),
                epoch -> loss(runs, epoch).interval());
    }

    private static SeedMean loss(List<CellRecord> runs, int epoch) {
        return SeedMean.of(runs.stream()
                .mapToDouble(run -> run.measurement("predictionLoss." + epoch)
                        .map(Measurement::value)
                        .orElse(Double.NaN))
                .toArray());
    }
}

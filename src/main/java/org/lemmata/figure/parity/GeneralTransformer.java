package org.lemmata.figure.parity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.track.CellRecord;

/**
 * Beyond Kim and Suzuki (2024): a general transformer with two layers on the parity of all of d bits, trained with and
 * without the chain before the answer, and tested also on more bits than in training.
 */
final class GeneralTransformer {

    private static final int FEW = 4;
    private static final int MANY = 8;
    private static final int MOST = 64;
    private static final TrivialAnswer COIN = new TrivialAnswer("a coin", 0.5);

    private static final FigureSentences<FigureCells> SENTENCES = new FigureSentences<>(
            "parity",
            "sections 3.1 and 3.2, here of a general transformer",
            new FigureGrid("parity.comparison.bits", GeneralTransformer.class, "comparison-bits.yaml"),
            """
            parity of all of 4 and 8 bits, with the chain and without; two layers, learned positions, 5 seeds;
            tested on 4 to 64 bits
            | d = 128, 20,000 steps of 256 words
            | d = 32, 2,000 steps of 64 words at a greater rate (3e-3)
            """,
            Function.identity());

    static final FigureClaim CHAIN = SENTENCES.claim("transformer", """
        nothing: its transformer attends only to positions
        | Beyond the paper: a two-layer transformer with learned positions learns the parity of all bits of a word.
        Trained on 8 bits with all partial parities (the chain) before the answer, it is right on at least 0.9 (our
        threshold) of all chains as a whole. Trained for as many steps without the chain, it is right on significantly
        less than 0.6 (our threshold) of the answers for 8 bits, but it learns the parity of 4 bits.
        """, GeneralTransformer::chain);

    static final FigureClaim BITS = SENTENCES.claim("comparison.bits", """
        makes no such statement; it is ours
        | Beyond the paper: a two-layer transformer with learned positions is trained on the parity of all of N bits,
        with all partial parities (the chain) before the answer, for N = 4 and 8. It is right on the whole chain of a
        significantly smaller share of words of 2N bits than of words of N bits.
        """, GeneralTransformer::bits);

    private record Model(FigureCells cells, boolean chain, int bits) {

        static List<Model> all(FigureCells cells) {
            return Stream.of(true, false)
                    .flatMap(chain -> Stream.of(FEW, MANY).map(bits -> new Model(cells, chain, bits)))
                    .toList();
        }

        String name() {
            return (chain ? "with the chain, " : "without it, ") + (bits == FEW ? "shorter N" : "longer N");
        }

        String name(int tested) {
            return name() + ", N = " + bits + ", T = " + tested;
        }

        List<CellRecord> runs() {
            return cells.records().stream()
                    .filter(run -> run.integer("task.settings.bits") == bits)
                    .filter(run -> Boolean.parseBoolean(run.settings().get("task.settings.chain")) == chain)
                    .toList();
        }

        SeedRate right(int tested) {
            int tokens = chain ? 2 * tested - 1 : tested + 1;
            return SeedRate.of(runs(), "right." + tokens, "evaluation.sequences");
        }

        void learned(Judgement judgement) {
            judgement.learned(name(bits), right(bits), List.of(COIN));
        }

        /** The training loss per scored token in nats, by log2 of steps. */
        Figure.Series curve() {
            List<CellRecord.Run> runs = runs().stream().map(CellRecord::run).toList();
            // A run that diverged has fewer steps.
            List<CellRecord.StepHash> steps = runs.stream()
                    .map(CellRecord.Run::hashes)
                    .min(Comparator.comparingInt(List::size))
                    .orElseThrow();
            return Figure.Series.of(
                    name(),
                    IntStream.range(0, steps.size()).boxed().toList(),
                    i -> Figure.log2((double) steps.get(i).step()),
                    i -> runs.stream()
                            .mapToDouble(run -> run.hashes().get(i).loss())
                            .average()
                            .orElseThrow());
        }

        Figure.Series sizes(Judgement judgement) {
            List<Integer> doublings = IntStream.iterate(0, i -> bits << i <= MOST, i -> i + 1)
                    .boxed()
                    .toList();
            doublings.forEach(i -> judgement.measure(name(bits << i), right(bits << i)));
            return SeedRate.line(name(), doublings, i -> i, i -> right(bits << i));
        }
    }

    private static void chain(FigureCells cells, Judgement judgement) {
        var with = new Model(cells, true, MANY);
        var without = new Model(cells, false, MANY);
        with.learned(judgement);
        new Model(cells, false, FEW).learned(judgement);
        judgement.atLeast(with.name(MANY), with.right(MANY), 0.9);
        judgement.below(without.name(MANY), without.right(MANY), 0.6);
        var series = new ArrayList<>(Model.all(cells).stream().map(Model::curve).toList());
        series.add(new TrivialAnswer("a coin", Math.log(2)).line(0, 12));
        judgement.show(new Figure(
                "Learning parity with the chain and without",
                "Means over seeds after 1, 2, 4, ... steps; N = 4 and 8.",
                "log2 of steps",
                "training loss of a scored token, nats",
                series));
    }

    private static void bits(FigureCells cells, Judgement judgement) {
        for (int trained : new int[] {FEW, MANY}) {
            var model = new Model(cells, true, trained);
            model.learned(judgement);
            judgement.below(
                    model.name(2 * trained), model.right(2 * trained), model.name(trained), model.right(trained));
        }
        var series = new ArrayList<>(
                Model.all(cells).stream().map(model -> model.sizes(judgement)).toList());
        series.add(new TrivialAnswer("the best at T = N", COIN.value()).line(0, 0));
        judgement.show(new Figure(
                "Parity of all bits, N = 4 and 8",
                "An answer is right where all its tokens, those of the chain too, together have a probability above"
                        + " 1/2. Means over seeds, by test length T over the N that a model was trained to, in bits.",
                "log2 of T / N",
                "share of right answers",
                series));
    }
}

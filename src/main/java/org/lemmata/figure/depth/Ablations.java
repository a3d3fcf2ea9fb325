package org.lemmata.figure.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.track.CellRecord;

/**
 * The five models of figures 6 and 7.
 *
 * @param runs the runs by model and number of training words, one per seed
 */
record Ablations(SortedMap<Model, SortedMap<Integer, List<CellRecord>>> runs) {

    static final String UNSEEN = "completions.unseen";
    static final String IN_SAMPLE = "completions.inSample";

    /** Trivial baselines for prefixes of unseen words. These words are a uniform sample of all words. */
    private static final List<TrivialAnswer> TRIVIAL =
            TrivialAnswer.completions(PrefixLaw.ofCuts(16, 1, 16), PrefixLaw.openings(16, 16));

    /** The models, in the order of appendix 5.3.4. */
    enum Model {
        TRAINED("all trained"),
        WITHOUT_POSITIONS("no positions"),
        SIGNS("Q and E fixed"),
        IDENTITY("Q, E and V fixed"),
        SINGLE("one layer, Q and E fixed");

        private final String text;

        Model(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }

        private static Model of(CellRecord record) {
            if (has(record, "model.positions.kind", "none")) {
                return WITHOUT_POSITIONS;
            }
            if (has(record, "model.attention.weighting", "softmax")) {
                return TRAINED;
            }
            if (has(record, "initialization.values", "identity")) {
                return IDENTITY;
            }
            return has(record, "model.layers", "1") ? SINGLE : SIGNS;
        }

        private static boolean has(CellRecord record, String key, String value) {
            return value.equals(record.settings().get(key));
        }
    }

    /**
     * Models by descending number of learned parameters. The second model lacks the 32 d parameters of positions, where
     * d is the width. The third lacks 2 d² per layer of queries and keys, and the tokens. The fourth learns d²
     * parameters of V in one layer; the last learns only positions and norms.
     */
    static final List<Model> BY_PARAMETERS =
            List.of(Model.TRAINED, Model.WITHOUT_POSITIONS, Model.SIGNS, Model.SINGLE, Model.IDENTITY);

    static Ablations of(FigureCells cells) {
        var runs = new TreeMap<Model, SortedMap<Integer, List<CellRecord>>>();
        cells.by(Model::of)
                .forEach((model, ofModel) ->
                        runs.put(model, FigureCells.by(ofModel, record -> record.integer("data.train"))));
        return new Ablations(runs);
    }

    SortedSet<Integer> sizes() {
        var sizes = new TreeSet<Integer>();
        runs.values().forEach(ofModel -> sizes.addAll(ofModel.keySet()));
        return sizes;
    }

    List<CellRecord> runs(Model model, int words) {
        return runs.getOrDefault(model, new TreeMap<>()).getOrDefault(words, List.of());
    }

    SeedRate rate(Model model, int words, String kind) {
        return SeedRate.of(runs(model, words), kind, "evaluation.completions");
    }

    /** Requires that models trained on the largest set complete more unseen prefixes than trivial baselines. */
    void learned(Judgement judgement, Model... compared) {
        int most = sizes().last();
        for (Model model : compared) {
            judgement.learned("unseen, " + model + " on " + most + " words", rate(model, most, UNSEEN), TRIVIAL);
        }
    }

    /** The paper's plot of rates over the number of words, with the closed form as an additional line. */
    Figure picture(double closedFormRate) {
        var series = new ArrayList<Series>();
        for (Model model : runs.keySet()) {
            series.add(line(model + ", unseen", model, UNSEEN));
            series.add(line(model + ", in sample", model, IN_SAMPLE));
        }
        series.add(TrivialAnswer.best(TRIVIAL).line(0, Figure.log2(sizes().last())));
        series.add(new Series("closed form of one word, unseen", List.of(0.0), List.of(closedFormRate)));
        return new Figure(
                "Completion by five models, by the number of distinct words trained on",
                "Share of 1,024 prefixes of D_32 that are completed to balanced words at temperature 1, of the"
                        + " training words and of others; means over seeds. The closed form of theorem 4.1 is made from"
                        + " one word, and completes prefixes of others. Compare Richard (2024), figure 6.",
                "log2 of the number of training words",
                "completion rate",
                series);
    }

    private Series line(String name, Model model, String kind) {
        return SeedRate.line(name, sizes(), words -> Figure.log2(words), words -> rate(model, words, kind));
    }
}

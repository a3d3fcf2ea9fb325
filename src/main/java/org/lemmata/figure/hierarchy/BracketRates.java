package org.lemmata.figure.hierarchy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * The results of trained models up to the training length and beyond it.
 *
 * @param runs the runs by model, one run per seed
 * @param lengths n_max, and the maximum length of longer test words
 */
record BracketRates(Quantity quantity, SortedMap<Model, List<CellRecord>> runs, List<Integer> lengths) {

    /** A quantity of next-token distributions: Hayakawa and Sato (2024), Eqs. 18 and 19, and Eq. 10. */
    enum Quantity {
        CLOSING("accuracy of closing brackets", true),
        VARIATION("total variation distance from the process", false);

        final String title;

        final boolean high;

        Quantity(String title, boolean high) {
            this.title = title;
            this.high = high;
        }

        private String key(int length) {
            return "law." + name().toLowerCase(Locale.ROOT) + "." + length;
        }
    }

    /**
     * A language with k types.
     *
     * @param name Dyck or Shuffle-Dyck
     */
    record Language(String name, int types) implements Comparable<Language> {

        @Override
        public int compareTo(Language other) {
            return Comparator.comparing(Language::name)
                    .thenComparingInt(Language::types)
                    .compare(this, other);
        }

        @Override
        public String toString() {
            return name + "_" + types;
        }
    }

    record Model(Language language, boolean positions, boolean start, int layers) implements Comparable<Model> {

        static Model of(CellRecord record) {
            boolean shuffle = "shuffle-dyck-generation".equals(record.settings().get("task.name"));
            return new Model(
                    new Language(shuffle ? "Shuffle-Dyck" : "Dyck", record.integer("task.settings.k")),
                    "table".equals(record.settings().get("model.positions.kind")),
                    "true".equals(record.settings().get("task.settings.start")),
                    record.integer("model.layers"));
        }

        @Override
        public int compareTo(Model other) {
            return Comparator.comparing(Model::language)
                    .thenComparing(Model::positions)
                    .thenComparing(Model::start)
                    .thenComparingInt(Model::layers)
                    .compare(this, other);
        }

        String variant() {
            return (positions ? "PE" : "NoPE") + (start ? ", BOS" : ", NoBOS");
        }

        @Override
        public String toString() {
            return language + ", " + variant() + ", " + layers + (layers == 1 ? " layer" : " layers");
        }
    }

    /** The rates of a figure's cells. For accuracy, k = 1 is omitted, because every closing bracket is then right. */
    static BracketRates of(FigureCells cells, Quantity quantity) {
        List<CellRecord> records = cells.records().stream()
                .filter(record -> !quantity.high || record.integer("task.settings.k") > 1)
                .toList();
        CellRecord first = records.getFirst();
        return new BracketRates(
                quantity,
                FigureCells.by(records, Model::of),
                List.of(first.integer("evaluation.law-lengths.0"), first.integer("evaluation.law-lengths.1")));
    }

    int within() {
        return lengths.getFirst();
    }

    int beyond() {
        return lengths.getLast();
    }

    List<Language> languages() {
        return runs.keySet().stream().map(Model::language).distinct().toList();
    }

    private List<Integer> layers() {
        return runs.keySet().stream().map(Model::layers).sorted().distinct().toList();
    }

    Model deepest(Language language, boolean positions, boolean start) {
        return new Model(language, positions, start, layers().getLast());
    }

    SeedRate rate(Model model, int length) {
        return rate(FigureCells.ofOneModel(runs.getOrDefault(model, List.of())), quantity.key(length));
    }

    /**
     * The mean over seeds. Its interval is the wider of two intervals: Student's interval over seeds, and the interval
     * over all test sequences.
     */
    private SeedRate rate(List<CellRecord> of, String key) {
        double[] values = of.stream()
                .mapToDouble(run -> FigureCells.value(run, key, quantity.high ? 0 : 1))
                .toArray();
        double mean = DoubleStream.of(values).average().orElseThrow();
        double squares = 0;
        long n = 0;
        for (int i = 0; i < values.length; i++) {
            Interval own = of.get(i).measurement(key).map(Measurement::interval).orElse(Interval.exact(values[i]));
            squares += Math.pow((own.high() - own.low()) / 2, 2);
            n += of.get(i).measurement(key).map(Measurement::n).orElse(0L);
        }
        double half = Math.sqrt(squares) / values.length;
        Interval seeds = values.length > 1 ? Interval.mean(values) : Interval.exact(mean);
        return seeds.high() > mean + half
                ? new SeedRate(mean, seeds, n, seeds, values.length)
                : new SeedRate(mean, new Interval(mean - half, mean + half), n);
    }

    String name(Model model, int length) {
        return model + (length == within() ? ", n <= " + length : ", " + within() + " < n <= " + length);
    }

    /**
     * The scores of trivial baselines up to n_max, on the test sequences of one run per seed, because runs with equal
     * seeds share them. A fair coin over legal tokens is not a trivial baseline, because a model must learn which
     * bracket may close.
     */
    private List<TrivialAnswer> trivial(Language language) {
        var bySeed = new TreeMap<Long, CellRecord>();
        runs.forEach((model, ofModel) -> {
            if (model.language().equals(language)) {
                ofModel.forEach(run -> bySeed.putIfAbsent(run.seed(), run));
            }
        });
        List<CellRecord> tested = List.copyOf(bySeed.values());
        String key = quantity.key(within());
        return List.of(
                TrivialAnswer.of("position only, " + language, rate(tested, key + ".position")),
                TrivialAnswer.of("always close, " + language, rate(tested, key + ".close")));
    }

    /**
     * Requires that the models with the most layers, which the sentences compare, beat the trivial baselines up to
     * n_max.
     */
    void learned(Judgement judgement) {
        for (Language language : languages()) {
            for (boolean positions : new boolean[] {true, false}) {
                for (boolean start : new boolean[] {true, false}) {
                    Model model = deepest(language, positions, start);
                    judgement.learned(
                            rate(model, within()).measured(name(model, within()), null),
                            quantity.high ? Judgement.Side.ABOVE : Judgement.Side.BELOW,
                            trivial(language));
                }
            }
        }
    }

    /** The paper's plot of the quantity over the number of layers. */
    Figure picture(Language language, String figure) {
        var series = new ArrayList<Series>();
        Stream.of(true, false)
                .flatMap(positions -> Stream.of(true, false).map(start -> deepest(language, positions, start)))
                .forEach(model -> lengths.forEach(length -> series.add(SeedRate.line(
                        model.variant() + (length == within() ? ", n <= " : ", n to ") + length,
                        layers(),
                        layers -> layers,
                        layers -> rate(new Model(language, model.positions(), model.start(), layers), length)))));
        List<TrivialAnswer> trivial = trivial(language);
        TrivialAnswer best = quantity.high
                ? TrivialAnswer.best(trivial)
                : trivial.stream()
                        .min(Comparator.comparingDouble(TrivialAnswer::value))
                        .orElseThrow();
        series.add(best.line(layers().getFirst(), layers().getLast()));
        return new Figure(
                language + ": " + quantity.title,
                "On fresh words of the process, means over seeds with 95% intervals, up to the length trained on and"
                        + " from there to 1.2 times that. Compare Hayakawa and Sato (2024), " + figure + ".",
                "layers",
                quantity.title,
                series);
    }
}

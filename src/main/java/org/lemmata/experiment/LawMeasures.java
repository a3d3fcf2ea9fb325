package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;
import org.lemmata.measure.LawDistance;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.part.FlopCount;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.GenerationTask;
import org.lemmata.token.Batch;

/**
 * Compares a model's next-token probabilities with the process that generates the sequences: {@code law.closing.T},
 * {@code law.right.T} and {@code law.variation.T} of {@link LawDistance}, for the range of positions that ends at T.
 * For comparison, {@code law.closing.T.position} and so on are the values of trivial answers. {@code coin} gives all
 * possible tokens the same probability, so that its {@code closing} and {@code right} are 1; {@code position} uses the
 * mean probabilities at each position; {@code close} gives all closing tokens the same probability.
 *
 * @param sequences the number of sequences, at least 2
 */
record LawMeasures(GenerationTask law, IntImmutableList bounds, int sequences) implements Measure {

    /** The keys, except {@code sequences}, which {@link TestSequences} lists. */
    static final List<Setting> KEYS = Setting.table("""
        implied law-lengths | | ascending list of lengths T. Compares next-token probabilities with those of the task's
          generation process, at the end, on `sequences` fresh sequences: up to the first T, from there to the second,
          and so on
        """);

    private static final String LENGTHS = "law-lengths";

    private static final String LAW = "law";

    private static final int MOST = 1 << 16;

    /** A forward pass reads sequences until they have at least this many tokens in total. */
    private static final int MOST_TOKENS = 1 << 13;

    private static final int LOOKED_AT = 8;

    static Optional<LawMeasures> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        IntImmutableList bounds = section.integers(LENGTHS, 2, MOST);
        if (bounds.isEmpty()) {
            return Optional.empty();
        }
        GenerationTask law =
                task.require(task.task().generative(), section, LENGTHS, "none except for a generation process");
        section.refuseWhen(task.start(), LENGTHS, "none with data.start, since the process has its own", "some");
        if (!Arrays.equals(
                bounds.toIntArray(), bounds.intStream().sorted().distinct().toArray())) {
            throw section.refusal(LENGTHS, "expected ascending lengths, got " + bounds);
        }
        return Optional.of(new LawMeasures(law, bounds, section.integer("sequences", 2, Integer.MAX_VALUE)));
    }

    @Override
    public Length longest() {
        return new Length(LENGTHS, bounds.getInt(bounds.size() - 1) + law.given());
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        return parameters -> of(measured.model(parameters), measured.seed());
    }

    private List<Measurement> of(LanguageModel model, long seed) {
        int columns = law.vocabulary().size();
        double[] places = places(seed);
        double[] close = new double[columns];
        for (int token : law.closing()) {
            close[token] = 1.0 / law.closing().length;
        }
        var trained = new LawDistance(bounds, columns, law.closing());
        var coin = new LawDistance(bounds, columns, law.closing());
        var position = new LawDistance(bounds, columns, law.closing());
        var closing = new LawDistance(bounds, columns, law.closing());
        int first = 2 - law.given();
        for (int from = 0; from < sequences; ) {
            var drawn = new ArrayList<int[]>();
            for (int tokens = 0; from < sequences && tokens < MOST_TOKENS; from++) {
                drawn.add(sequence(seed, from));
                tokens += drawn.getLast().length;
            }
            double[] answers = model.logits(Batch.of(drawn));
            LawDistance.softmaxRows(answers, columns);
            int row = 0;
            for (int[] sequence : drawn) {
                double[] rows = law.law(sequence);
                trained.add(first, rows, answers, row * columns);
                coin.add(first, rows, legal(rows, columns), 0);
                position.add(first, rows, places, 0);
                closing.add(first, rows, repeated(close, rows.length), 0);
                row += sequence.length;
            }
        }
        var all = new ArrayList<Measurement>(trained.measurements());
        addNamed(all, coin, "coin");
        addNamed(all, position, "position");
        addNamed(all, closing, "close");
        return all.stream().map(each -> each.of(LAW)).toList();
    }

    private static void addNamed(List<Measurement> all, LawDistance distance, String answer) {
        distance.measurements().forEach(each -> all.add(each.named(each.name() + "." + answer)));
    }

    private int[] sequence(long seed, int index) {
        int longest = longest().tokens();
        // Whole words may be longer than all bounds.
        int[] inputs = law.sample(new PhiloxGenerator(seed, Streams.LAW, index), Math.max(longest, law.defaultLength()))
                .inputs();
        return inputs.length > longest ? Arrays.copyOf(inputs, longest) : inputs;
    }

    /** The mean probabilities at each position, over the sequences that have this position. */
    private double[] places(long seed) {
        int columns = law.vocabulary().size();
        double[] sums = new double[bounds.getInt(bounds.size() - 1) * columns];
        for (int i = 0; i < sequences; i++) {
            double[] rows = law.law(sequence(seed, i));
            for (int j = 0; j < rows.length; j++) {
                sums[j] += rows[j];
            }
        }
        for (int row = 0; row < sums.length; row += columns) {
            double sum = Arrays.stream(sums, row, row + columns).sum();
            for (int i = row; sum > 0 && i < row + columns; i++) {
                sums[i] /= sum;
            }
        }
        return sums;
    }

    private static double[] legal(double[] rows, int columns) {
        double[] alike = new double[rows.length];
        for (int row = 0; row < rows.length; row += columns) {
            int end = row + columns;
            double share =
                    1.0 / Arrays.stream(rows, row, end).filter(p -> p > 0).count();
            for (int i = row; i < end; i++) {
                alike[i] = rows[i] > 0 ? share : 0;
            }
        }
        return alike;
    }

    private static double[] repeated(double[] row, int length) {
        return IntStream.range(0, length).mapToDouble(i -> row[i % row.length]).toArray();
    }

    /** Assumes that all sequences cost as much as the first {@value #LOOKED_AT} on average. */
    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        return IntStream.range(0, LOOKED_AT)
                        .map(i -> sequence(plan.seed(), i).length)
                        .mapToDouble(length -> count.forward(length, length))
                        .average()
                        .orElse(0)
                * sequences;
    }
}

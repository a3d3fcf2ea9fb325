package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.config.Configuration;
import org.lemmata.measure.LastAttention;
import org.lemmata.measure.SequenceLoss;
import org.lemmata.model.Architecture;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.part.FlopCount;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.RegressionTask;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Measures trained parameters on sequences of fixed lengths. {@code lengths.N} is the mean loss for sequences of N
 * tokens. {@code right.N} is the share of right answers. A number is right if its error is at most the tolerance.
 * Tokens are right if -log of their joint probability is at most the tolerance. With a tolerance below log 2, right
 * tokens are therefore the most likely tokens. {@code attention...} are the results of {@link LastAttention}.
 *
 * @param lengths the lengths for which the loss is measured; may be empty
 * @param tolerance the tolerance for right answers, greater than 0; empty if answers are not counted
 * @param attention the length for which attention is measured; 0 for none
 * @param sequences the number of sequences of each length, at least 2
 */
record TestSequences(
        TrainingTask task, IntImmutableList lengths, Optional<Double> tolerance, int attention, int sequences)
        implements Measure {

    static final List<Setting> KEYS = Setting.table("""
        implied lengths | | list of lengths: the mean loss on fresh sequences of each length, at the end; the model
          needs as many positions
        implied tolerance | none | maximum error of a right answer: the error of a number, or the total loss of an
          answer's tokens in nats. Measures the share of right answers for each length; 0.69 nats are a probability
          above 1/2
        implied attention | 0 | length of fresh sequences on which the attention weights of the last position are
          measured, at the end; 0 for none
        implied sequences | 1024 | number of fresh sequences per length, at least 2
        """);

    private static final String LENGTHS = "lengths";
    private static final String RIGHT = "right";
    private static final String TOLERANCE = "tolerance";
    private static final String ATTENTION = "attention";

    /** The maximum length. With a start token, a longer sequence would not fit in any model. */
    private static final int MOST = (1 << 24) - 1;

    /** The maximum number of tokens per forward pass, except that a single sequence may be longer. */
    private static final int MOST_TOKENS = 1 << 16;

    static Optional<TestSequences> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        IntImmutableList lengths = section.integers(LENGTHS, 1, MOST);
        lengths.intStream().forEach(length -> requireLength(section, LENGTHS, task, length));
        Optional<Double> tolerance =
                lengths.isEmpty() ? Optional.empty() : section.unless("none", TOLERANCE, ValueType.POSITIVE);
        int attention = section.integer(ATTENTION, 0, MOST);
        if (attention > 0) {
            Task own = requireLength(section, ATTENTION, task, attention);
            task.require(
                    own.regression(), section, ATTENTION, "0 except for a task whose answers depend on some positions");
        }
        return attention == 0 && lengths.isEmpty()
                ? Optional.empty()
                : Optional.of(new TestSequences(
                        task, lengths, tolerance, attention, section.integer("sequences", 2, Integer.MAX_VALUE)));
    }

    private static Task requireLength(Configuration section, String key, TrainingTask task, int length) {
        return task.task()
                .ofLength(length)
                .orElseThrow(() -> section.refusal(
                        key,
                        "expected lengths that sequences of the task "
                                + task.task().name() + " have, got " + length));
    }

    @Override
    public Length longest() {
        int longest = lengths.intStream().reduce(attention, Math::max);
        return new Length(lengths.contains(longest) ? LENGTHS : ATTENTION, longest + task.prefixed().length);
    }

    @Override
    public void requireFit(Configuration section, Architecture architecture, PrecisionPolicy precision) {
        Measure.super.requireFit(section, architecture, precision);
        boolean rounded = attention > 0 && !precision.ofInference().isNone();
        String expected = "0 for a rounded model, because attention weights are measured unrounded";
        section.refuseWhen(rounded, ATTENTION, expected, attention);
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        return parameters -> {
            var all = new ArrayList<Measurement>();
            Transformer model = measured.model(parameters);
            lengths.intStream().forEach(length -> addLosses(all, model, length, measured.seed()));
            if (attention > 0) {
                attention(model.parameters(), measured.seed()).forEach(each -> all.add(each.of(ATTENTION)));
            }
            return all;
        };
    }

    private void addLosses(List<Measurement> all, Transformer model, int length, long seed) {
        int atOnce = Math.max(1, MOST_TOKENS / length);
        double[] losses = new double[sequences];
        int right = 0;
        boolean regression = model.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
        for (int first = 0; first < sequences; first += atOnce) {
            List<Example> examples = examples(length, seed, first, Math.min(sequences, first + atOnce))
                    .map(task::prepared)
                    .toList();
            double[] own = SequenceLoss.of(model, examples);
            System.arraycopy(own, 0, losses, first, own.length);
            for (int i = 0; i < own.length; i++) {
                double off = regression
                        ? Math.sqrt(own[i])
                        : own[i] * examples.get(i).scoredPositions().length;
                right += off <= tolerance.orElse(0.0) ? 1 : 0;
            }
        }
        all.add(new Measurement(
                LENGTHS + "." + length,
                Arrays.stream(losses).sum() / sequences,
                regression ? "squared error" : "nats",
                Interval.mean(losses),
                sequences,
                null));
        if (tolerance.isPresent()) {
            all.add(Measurement.share(RIGHT + "." + length, sequences, right));
        }
    }

    private Stream<Example> examples(int length, long seed, int first, int end) {
        Task own = task.task().ofLength(length).orElseThrow();
        return IntStream.range(first, end)
                .mapToObj(i ->
                        own.sample(new PhiloxGenerator(seed, Streams.TEST_SEQUENCES, (long) length << 31 | i), length));
    }

    private List<Measurement> attention(Parameters parameters, long seed) {
        var measure = new LastAttention(new ReferenceTransformer(parameters.widen()));
        RegressionTask own = task.task().regression().orElseThrow();
        int before = task.prefixed().length;
        examples(attention, seed, 0, sequences).forEach(example -> {
            int[] ids = example.inputs();
            IntPredicate relevant = own.relevantPositions(ids);
            measure.add(task.prefixed(ids), position -> position >= before && relevant.test(position - before));
        });
        return measure.measurements();
    }

    @Override
    public double cost(FlopCount count, TrainingPlan plan) {
        boolean regression = count.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
        return IntStream.concat(lengths.intStream(), IntStream.of(attention))
                .filter(length -> length > 0)
                .mapToDouble(length -> sequences * count.forward(length, regression ? 1 : length))
                .sum();
    }
}

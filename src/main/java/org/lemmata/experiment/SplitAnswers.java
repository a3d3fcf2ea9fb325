package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.model.Objective;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Evaluation;
import org.lemmata.train.ExampleStream;

/**
 * How often a model and {@link TrivialAnswers} answer correctly, for all examples of a split or only those of one
 * length.
 *
 * @param split the name of the split
 * @param length the number of tokens in the inputs, without start tokens; empty for all lengths
 * @param measured {@code loss}; {@code exact}, the share of examples with only right answers; {@code accuracy}, the
 *     share of right answers; the accuracy of each trivial answer, under its name; {@code margin}, the accuracy minus
 *     the accuracy of the best trivial answer. Shares and margin have 95% intervals over examples.
 */
public record SplitAnswers(String split, OptionalInt length, SequencedMap<String, Measurement> measured) {

    static final String MARGIN = "margin";

    /** The counts for one example: answers, right answers of the model, and right answers of each trivial baseline. */
    @SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared after construction.
    private record Count(int answers, int right, int[] trivial) {}

    /**
     * The row for all examples, then one row per length, ascending.
     *
     * @param examples the examples as the model reads them; at least one has an answer
     * @param before the number of start tokens, which lengths do not include
     */
    static List<SplitAnswers> of(
            String split, List<Example> examples, int before, TrivialAnswers trivial, Objective objective, int batch) {
        boolean numbers = examples.stream().anyMatch(example -> example.values().length > 0);
        String unit = numbers ? "squared error" : "nats";
        SortedMap<Integer, List<Example>> byLength = examples.stream()
                .filter(example -> example.scoredPositions().length > 0)
                .collect(
                        Collectors.groupingBy(example -> example.length() - before, TreeMap::new, Collectors.toList()));
        var all = new ArrayList<Count>();
        var rows = new ArrayList<SplitAnswers>();
        double sum = 0;
        for (Map.Entry<Integer, List<Example>> own : byLength.entrySet()) {
            List<Batch> batches = ExampleStream.batches(own.getValue(), batch);
            double loss = Evaluation.loss(objective, batches);
            List<Count> counts = counts(own.getValue(), batches, trivial, objective);
            rows.add(row(split, OptionalInt.of(own.getKey()), loss, unit, numbers, counts));
            sum += loss * answers(counts);
            all.addAll(counts);
        }
        rows.addFirst(row(split, OptionalInt.empty(), sum / answers(all), unit, numbers, all));
        return rows;
    }

    private static List<Count> counts(
            List<Example> examples, List<Batch> batches, TrivialAnswers trivial, Objective objective) {
        var counts = new ArrayList<Count>();
        for (Batch batch : batches) {
            BitSet right = objective.right(batch);
            int from = 0;
            while (from < batch.scoredRows().length) {
                Example example = examples.get(counts.size());
                int end = from + example.scoredPositions().length;
                counts.add(new Count(end - from, right.get(from, end).cardinality(), trivial.right(example)));
                from = end;
            }
        }
        return counts;
    }

    private static int answers(List<Count> counts) {
        return counts.stream().mapToInt(Count::answers).sum();
    }

    private static SplitAnswers row(
            String split, OptionalInt length, double loss, String unit, boolean numbers, List<Count> counts) {
        int n = counts.size();
        String place = length.isPresent() ? split + "." + length.getAsInt() : split;
        var measured = new LinkedHashMap<String, Measurement>();
        measured.put("loss", Measurement.exact("loss." + place, loss, unit, n));
        int whole = (int)
                counts.stream().filter(count -> count.right == count.answers).count();
        measured.put("exact", Measurement.share("exact." + place, n, whole));
        measured.put("accuracy", ratio("accuracy." + place, "probability", 0, counts, Count::right));
        int best = 0;
        int most = -1;
        List<String> names = numbers ? TrivialAnswers.NAMES_FOR_NUMBERS : TrivialAnswers.NAMES;
        for (int k = 0; k < names.size(); k++) {
            int kind = k;
            int own = counts.stream().mapToInt(count -> count.trivial[kind]).sum();
            String name = names.get(k);
            measured.put(name, ratio(name + "." + place, "probability", 0, counts, count -> count.trivial[kind]));
            best = own > most ? k : best;
            most = Math.max(most, own);
        }
        int kind = best;
        measured.put(MARGIN, ratio(MARGIN + "." + place, "", -1, counts, count -> count.right - count.trivial[kind]));
        return new SplitAnswers(split, length, measured);
    }

    /** The total of {@code value} per answer. The interval is over examples: answers of one example are correlated. */
    private static Measurement ratio(
            String name, String unit, int low, List<Count> counts, ToDoubleFunction<Count> value) {
        double[] values = counts.stream().mapToDouble(value).toArray();
        double[] answers = counts.stream().mapToDouble(Count::answers).toArray();
        double ratio = DoubleStream.of(values).sum() / DoubleStream.of(answers).sum();
        return new Measurement(name, ratio, unit, Interval.ratio(low, 1, values, answers), counts.size(), null);
    }

    /** Whether the model is significantly better than every trivial answer. */
    public boolean isLearned() {
        return Objects.requireNonNull(measured.get(MARGIN)).interval().low() > 0;
    }

    /**
     * Answers that need no training. The majority answer is the most frequent answer in the counted examples. The
     * position answer is the most frequent answer at the same position, or the majority answer if this position had
     * none. The copy gives the j-th input token as the j-th answer, or the token at the answer's position if that comes
     * earlier.
     *
     * <p>If answers are numbers, their signs are counted and compared, and there is no copy. If several answers are
     * equally frequent, the smallest id is chosen.
     */
    static final class TrivialAnswers {

        static final List<String> NAMES = List.of("majority", "position", "copy");

        static final List<String> NAMES_FOR_NUMBERS = NAMES.subList(0, 2);

        /** Stands for the sign of the number 0, which no trivial answer matches. */
        private static final int NEITHER = -1;

        private final int majority;
        private final Int2IntMap byPosition = new Int2IntOpenHashMap();

        private final int before;

        /**
         * @param examples the examples from which the most frequent answers are counted
         * @param before the number of start tokens in each input; they are not copied
         */
        TrivialAnswers(List<Example> examples, int before) {
            this.before = before;
            var all = new Int2IntOpenHashMap();
            var at = new Int2ObjectOpenHashMap<Int2IntOpenHashMap>();
            for (Example example : examples) {
                int[] positions = example.scoredPositions();
                int[] answers = answers(example);
                for (int j = 0; j < answers.length; j++) {
                    if (answers[j] == NEITHER) {
                        continue;
                    }
                    all.addTo(answers[j], 1);
                    at.computeIfAbsent(positions[j], any -> new Int2IntOpenHashMap())
                            .addTo(answers[j], 1);
                }
            }
            majority = mostFrequent(all);
            for (Int2ObjectMap.Entry<Int2IntOpenHashMap> counts : at.int2ObjectEntrySet()) {
                byPosition.put(counts.getIntKey(), mostFrequent(counts.getValue()));
            }
        }

        private static int mostFrequent(Int2IntMap counts) {
            int best = NEITHER;
            for (Int2IntMap.Entry count : counts.int2IntEntrySet()) {
                int more = Integer.compare(count.getIntValue(), counts.get(best));
                best = best == NEITHER || more > 0 || (more == 0 && count.getIntKey() < best)
                        ? count.getIntKey()
                        : best;
            }
            return best;
        }

        private static int[] answers(Example example) {
            float[] values = example.values();
            if (values.length == 0) {
                return example.targets();
            }
            int[] signs = new int[values.length];
            for (int j = 0; j < signs.length; j++) {
                signs[j] = values[j] > 0 ? 1 : values[j] < 0 ? 0 : NEITHER;
            }
            return signs;
        }

        int[] right(Example example) {
            int[] right = new int[NAMES.size()];
            int[] inputs = example.inputs();
            int[] positions = example.scoredPositions();
            int[] answers = answers(example);
            for (int j = 0; j < answers.length; j++) {
                // Tokens after the position of the answer are not copied, because they could be the answer itself.
                int copied = Math.min(j + before, positions[j]);
                right[0] += answers[j] == majority && majority != NEITHER ? 1 : 0;
                right[1] +=
                        answers[j] == byPosition.getOrDefault(positions[j], majority) && answers[j] != NEITHER ? 1 : 0;
                right[2] += answers[j] == inputs[copied] ? 1 : 0;
            }
            return right;
        }
    }
}

package org.lemmata.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * The attention weights of the last position, over several sequences. For each head, this class computes the mean and
 * standard deviation over the positions on which the answer depends, and over all other positions.
 *
 * <p>For layer l and head h, {@code l.h.relevant} and {@code l.h.others} are means over all weights, with an interval
 * over sequences; {@code l.h.relevantDeviation} and {@code l.h.othersDeviation} are standard deviations. Layers and
 * heads are counted from 0. If attention is uniform over the m relevant positions, the means are 1 / m and 0.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), figure 3.
 */
public final class LastAttention {

    private final ReferenceTransformer model;
    private final int perLayer;
    private final List<Weights> relevant = new ArrayList<>();
    private final List<Weights> others = new ArrayList<>();

    public LastAttention(ReferenceTransformer model) {
        this.model = model;
        perLayer = model.architecture().attention().heads();
        for (int i = 0; i < model.architecture().layers() * perLayer; i++) {
            relevant.add(new Weights());
            others.add(new Weights());
        }
    }

    /** Adds a sequence. {@code isRelevant} is true for the positions, counted from 0, on which its answer depends. */
    public void add(int[] ids, IntPredicate isRelevant) {
        double[][][] weights = model.lastAttention(ids);
        for (int i = 0; i < relevant.size(); i++) {
            double[] ofHead = weights[i / perLayer][i % perLayer];
            relevant.get(i).add(ofHead, isRelevant);
            others.get(i).add(ofHead, isRelevant.negate());
        }
    }

    /** The measurements; a class of positions that occurs in no sequence is left out. */
    public List<Measurement> measurements() {
        var all = new ArrayList<Measurement>();
        for (int i = 0; i < relevant.size(); i++) {
            String head = i / perLayer + "." + i % perLayer;
            relevant.get(i).addTo(all, head + ".relevant");
            others.get(i).addTo(all, head + ".others");
        }
        return all;
    }

    /** The weights of one class of positions: relevant or others. */
    private static final class Weights {

        private final List<double[]> all = new ArrayList<>();

        void add(double[] weights, IntPredicate wanted) {
            double[] some = IntStream.range(0, weights.length)
                    .filter(wanted)
                    .mapToDouble(position -> weights[position])
                    .toArray();
            if (some.length > 0) {
                all.add(some);
            }
        }

        private static double mean(double[] values) {
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return sum / values.length;
        }

        /** The interval of the mean over all weights; for a ratio if sequences have different numbers of weights. */
        private Interval interval(double mean) {
            if (all.size() < 2) {
                return Interval.exact(mean);
            }
            double[] counts = all.stream().mapToDouble(some -> some.length).toArray();
            return Arrays.stream(counts).distinct().count() == 1
                    ? Interval.mean(all.stream().mapToDouble(Weights::mean).toArray())
                    : Interval.ratio(
                            all.stream()
                                    .mapToDouble(some -> mean(some) * some.length)
                                    .toArray(),
                            counts);
        }

        void addTo(List<Measurement> measurements, String name) {
            if (all.isEmpty()) {
                return;
            }
            double[] every = all.stream().flatMapToDouble(Arrays::stream).toArray();
            double mean = mean(every);
            double squares = 0;
            for (double weight : every) {
                squares += (weight - mean) * (weight - mean);
            }
            double deviation = Math.sqrt(squares / every.length);
            measurements.add(new Measurement(name, mean, "weight", interval(mean), all.size(), null));
            measurements.add(new Measurement(
                    name + "Deviation", deviation, "weight", Interval.exact(deviation), every.length, null));
        }
    }
}

package org.lemmata.claim.length.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.SeedRate;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * The share of right answers by test length.
 *
 * @param name of the models: 1 layer, shorter N
 * @param length N, the length trained on or built for, which test lengths are compared with
 * @param shares by test length T, over seeds
 */
record ShareCurve(String name, int length, SortedMap<Integer, SeedRate> shares) {

    /**
     * Where cells have the share of a test length T.
     *
     * @param prefix of the measurement's name, before T
     * @param lengths the setting that lists the test lengths
     * @param cases the setting that says how many there are of each T
     * @param length the training length of a cell
     */
    record CellShares(String prefix, String lengths, String cases, ToIntFunction<CellRecord> length) {

        private List<Integer> testLengths(CellRecord record) {
            return IntStream.iterate(0, i -> record.settings().containsKey(lengths + "." + i), i -> i + 1)
                    .mapToObj(i -> record.integer(lengths + "." + i))
                    .toList();
        }

        /** A run that diverged has nothing right. */
        private Measurement share(CellRecord record, int testLength) {
            String name = prefix + testLength;
            return record.measurement(name).orElseGet(() -> {
                int n = record.integer(cases);
                return new Measurement(name, 0, "probability", Interval.proportion(n, 0), n, null);
            });
        }
    }

    /**
     * Those of trained models, by layers, then by training length.
     *
     * @param records of two training lengths, all with the same test lengths; at least one
     */
    static List<ShareCurve> trained(List<CellRecord> records, CellShares cellShares) {
        var models = new TreeMap<Integer, SortedMap<Integer, List<CellRecord>>>();
        for (CellRecord record : records) {
            models.computeIfAbsent(record.integer("model.layers"), layers -> new TreeMap<>())
                    .computeIfAbsent(cellShares.length.applyAsInt(record), length -> new ArrayList<>())
                    .add(record);
        }
        List<Integer> testLengths = cellShares.testLengths(records.getFirst());
        var curves = new ArrayList<ShareCurve>();
        models.forEach((layers, byLength) -> byLength.forEach((length, runs) -> {
            var shares = new TreeMap<Integer, SeedRate>();
            for (int testLength : testLengths) {
                shares.put(
                        testLength,
                        SeedRate.of(runs.stream()
                                .map(run -> cellShares.share(run, testLength))
                                .toList()));
            }
            boolean shorter = length < byLength.lastKey();
            curves.add(new ShareCurve(
                    layers + (layers == 1 ? " layer, " : " layers, ") + (shorter ? "shorter N" : "longer N"),
                    length,
                    shares));
        }));
        return curves;
    }

    /** At a test length that was measured. */
    SeedRate at(int testLength) {
        SeedRate share = shares.get(testLength);
        if (share == null) {
            throw new IllegalArgumentException(
                    "testLength: expected one of " + shares.keySet() + ", got " + testLength);
        }
        return share;
    }

    String nameAt(int testLength) {
        return name + ", N = " + length + ", T = " + testLength;
    }

    /** A row for each test length from N on. */
    List<Measurement> measured() {
        return shares.tailMap(length).entrySet().stream()
                .map(entry -> entry.getValue().measured(nameAt(entry.getKey()), null))
                .toList();
    }

    /** Shares over log2(T / N), from N on. */
    Series series() {
        SortedMap<Integer, SeedRate> beyond = shares.tailMap(length);
        List<SeedRate> y = List.copyOf(beyond.values());
        return new Series(
                name,
                beyond.keySet().stream()
                        .map(testLength -> LossPanels.log2((double) testLength / length))
                        .toList(),
                y.stream().map(SeedRate::value).toList(),
                y.stream().map(share -> share.interval().low()).toList(),
                y.stream().map(share -> share.interval().high()).toList());
    }
}

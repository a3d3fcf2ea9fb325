package org.lemmata.claim.length.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.SeedRate;
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
    }

    /**
     * Those of trained models, by layers, then by training length.
     *
     * @param records of two training lengths, all with the same test lengths; at least one
     */
    static List<ShareCurve> trained(List<CellRecord> records, CellShares cellShares) {
        List<Integer> testLengths = cellShares.testLengths(records.getFirst());
        var curves = new ArrayList<ShareCurve>();
        FigureCells.by(records, record -> record.integer("model.layers")).forEach((layers, ofLayers) -> {
            SortedMap<Integer, List<CellRecord>> byLength = FigureCells.by(ofLayers, cellShares.length::applyAsInt);
            byLength.forEach((length, runs) -> {
                var shares = new TreeMap<Integer, SeedRate>();
                testLengths.forEach(testLength ->
                        shares.put(testLength, SeedRate.of(runs, cellShares.prefix + testLength, cellShares.cases)));
                String name = layers
                        + (layers == 1 ? " layer, " : " layers, ")
                        + (length < byLength.lastKey() ? "shorter N" : "longer N");
                curves.add(new ShareCurve(name, length, shares));
            });
        });
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
        List<Double> x = beyond.keySet().stream()
                .map(testLength -> LossPanels.log2((double) testLength / length))
                .toList();
        return SeedRate.line(name, x, List.copyOf(beyond.values()));
    }
}

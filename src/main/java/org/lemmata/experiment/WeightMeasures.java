package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.lemmata.config.Configuration;
import org.lemmata.measure.KMeans;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.measure.MatrixSpectrum.Eigenvalue;
import org.lemmata.measure.MatrixSpectrum.SingularValue;
import org.lemmata.measure.PositionSums;
import org.lemmata.model.Architecture;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;

/**
 * Measurements of the trained weights themselves, to six digits.
 *
 * @param spectrum the number of eigenvalues and singular values of the last layer's W_V W_O; 0 for none
 * @param positionClusters the number of clusters for the columns of the position table; 0 for none
 */
record WeightMeasures(int spectrum, int positionClusters) implements Measure {

    static final List<Setting> KEYS = Setting.table("""
        implied spectrum | 0 | number of the largest eigenvalues and singular values to measure, at the end, of the
          product of the last layer's value and output matrices; 0 for none
        implied position-clusters | 0 | number of clusters of the columns of the position table, summed up from its
          first row, at the end; 0 for none
        """);

    private static final String SPECTRUM = "spectrum";
    private static final String POSITION_CLUSTERS = "position-clusters";

    /** The unit of values that depend on single weights, which a recomputation need not reproduce exactly. */
    private static final String UNIT = "weights";

    /** The precision of recorded values: enough for a plot, and the evidence files stay small. */
    private static final MathContext DIGITS = new MathContext(6);

    static Optional<WeightMeasures> read(Configuration section, TrainingTask task, TrainingData.Draw data) {
        var measures = new WeightMeasures(
                section.integer(SPECTRUM, 0, Integer.MAX_VALUE),
                section.integer(POSITION_CLUSTERS, 0, Integer.MAX_VALUE));
        return Optional.of(measures).filter(any -> any.spectrum > 0 || any.positionClusters > 0);
    }

    @Override
    public void requireFit(Configuration section, Architecture architecture, PrecisionPolicy precision) {
        section.integer(SPECTRUM, 0, architecture.width());
        section.integer(POSITION_CLUSTERS, 0, architecture.width());
        boolean hasTable = architecture
                .find(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER)
                .isPresent();
        boolean wrong = positionClusters > 0 && !hasTable;
        section.refuseWhen(wrong, POSITION_CLUSTERS, "0 without a table of positions", positionClusters);
    }

    @Override
    public Metric draw(TrainingData data, Measured measured) {
        return parameters -> of(measured.parameters(parameters), measured.seed());
    }

    private List<Measurement> of(Parameters parameters, long seed) {
        var all = new ArrayList<Measurement>();
        if (spectrum > 0) {
            int last = parameters.architecture().layers() - 1;
            add(all, MatrixSpectrum.ofValueAndOutput(parameters, last));
        }
        if (positionClusters > 0) {
            add(all, new PositionSums(parameters), seed);
        }
        return all;
    }

    private void add(List<Measurement> all, MatrixSpectrum matrix) {
        List<Eigenvalue> eigenvalues = matrix.eigenvalues();
        List<SingularValue> singular = matrix.singularValues();
        all.add(measured("spectrum.stableRank", matrix.stableRank(), singular.size()));
        add(all, "spectrum.real", spectrum, i -> eigenvalues.get(i).real());
        add(all, "spectrum.imaginary", spectrum, i -> eigenvalues.get(i).imaginary());
        add(all, "spectrum.singular", spectrum, i -> singular.get(i).value());
        add(all, "spectrum.cosine", spectrum, i -> singular.get(i).cosine());
    }

    private void add(List<Measurement> all, PositionSums sums, long seed) {
        int columns = sums.curves().size();
        all.add(measured("positions.spread", sums.spread(), columns));
        all.add(measured("positions.endSpread", sums.endSpread(), columns));
        KMeans clusters = KMeans.of(sums.curves(), positionClusters, new PhiloxGenerator(seed, Streams.CLUSTERS, 0));
        int last = sums.curves().getFirst().length - 1;
        int[] order = IntStream.range(0, clusters.count()).toArray();
        IntArrays.stableSort(order, (a, b) -> Double.compare(clusters.centre(b)[last], clusters.centre(a)[last]));
        add(all, "positions.size", order.length, i -> clusters.size(order[i]));
        for (int i = 0; i < order.length; i++) {
            double[] centre = clusters.centre(order[i]);
            add(all, "positions.centre." + i, centre.length, t -> centre[t]);
        }
    }

    /** Adds measurements {@code name.0}, {@code name.1}, ..., which a record stores as a list. */
    private static void add(List<Measurement> all, String name, int count, IntToDoubleFunction values) {
        for (int i = 0; i < count; i++) {
            all.add(measured(name + "." + i, values.applyAsDouble(i), 1));
        }
    }

    private static Measurement measured(String name, double value, int n) {
        double rounded = new BigDecimal(value).round(DIGITS).doubleValue();
        return Measurement.exact(name, rounded, UNIT, n);
    }
}

package org.lemmata.claim.depth.figure;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.statistic.Interval;
import org.lemmata.track.CellRecord;

/** What measures of weights come to at initialization, of the models of figures 5 and 7. */
final class InitialWeights {

    static final long SEED = 3_500;

    private static final int DRAWS = 5;

    private InitialWeights() {}

    /**
     * Spectra of value times projection, of independent normal entries; no figure keeps their scale.
     *
     * @param width d
     */
    static List<MatrixSpectrum> spectra(int width) {
        RandomGenerator random = new SplittableRandom(SEED);
        var architecture = Architecture.gpt2(2, 1, width, 1, 1, 1, 0);
        return Stream.generate(() -> MatrixSpectrum.ofValueAndOutput(Parameters.normal(architecture, 1, random), 0))
                .limit(DRAWS)
                .toList();
    }

    /** The mean of a figure of them, with Student's interval. */
    static TrivialAnswer answer(String name, List<MatrixSpectrum> spectra, ToDoubleFunction<MatrixSpectrum> figure) {
        double[] values = spectra.stream().mapToDouble(figure).toArray();
        Interval interval = Interval.mean(values);
        return new TrivialAnswer(name + " at initialization", (interval.low() + interval.high()) / 2, interval);
    }

    /** The standard deviation of a sum of t rows of a position table: that of an entry, times sqrt(t). */
    static double positionSum(CellRecord run, int t) {
        String deviation = run.settings().getOrDefault("initialization.standard-deviation", "");
        return Double.parseDouble(deviation) * Math.sqrt(t);
    }

    /** Of n positions the root mean square of the sums of 1 to n rows, all taken together. */
    static double positionSpread(CellRecord run, int n) {
        return positionSum(run, 1) * Math.sqrt((n + 1) / 2.0);
    }
}

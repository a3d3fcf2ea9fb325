package org.lemmata.claim.depth.figure;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.measure.MatrixSpectrum.Eigenvalue;
import org.lemmata.measure.MatrixSpectrum.SingularValue;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * The pictures of Richard (2024), figure 5, of the runs of the first seed, with the closed form beside: its value
 * matrix is the one number v &lt; 0, made from the first training word of the run of one word.
 */
final class SpectrumPictures {

    private static final String CLOSED_FORM = "closed form (d = 1)";

    private SpectrumPictures() {}

    static Figure singularValues(TwoModels models) {
        return new Figure(
                "Singular values of value times projection, over the largest one",
                caption("", "singular value", "top left"),
                "place",
                "singular value over the maximum",
                series(models, spectrum -> {
                    List<SingularValue> values = spectrum.singularValues();
                    double maximum = values.isEmpty() ? 1 : values.getFirst().value();
                    return byPlace(
                            values.stream().map(each -> each.value() / maximum).toList());
                }));
    }

    static Figure cosines(TwoModels models) {
        return new Figure(
                "Cosines of left and right singular vectors of value times projection",
                caption(
                        "By place of the singular value, the largest first: -1 is a direction turned round. ",
                        "cosine",
                        "top right"),
                "place",
                "cosine of the singular vectors",
                series(
                        models,
                        spectrum -> byPlace(spectrum.singularValues().stream()
                                .map(SingularValue::cosine)
                                .toList())),
                false);
    }

    static Figure eigenvalues(TwoModels models) {
        return new Figure(
                "Eigenvalues of value times projection, over the largest modulus",
                caption("Each model's over its own largest modulus. ", "eigenvalue", "bottom"),
                "real part",
                "imaginary part",
                series(models, spectrum -> {
                    List<Eigenvalue> values = spectrum.eigenvalues();
                    double maximum = values.stream()
                            .mapToDouble(each -> Math.hypot(each.real(), each.imaginary()))
                            .max()
                            .orElse(1);
                    return new Points(
                            values.stream().map(each -> each.real() / maximum).toList(),
                            values.stream()
                                    .map(each -> each.imaginary() / maximum)
                                    .toList());
                }),
                false);
    }

    private static String caption(String how, String value, String place) {
        return how + "Of the last layer, of the first seed. The closed form of theorem 4.1 has one weight for a value"
                + " matrix, v < 0, and so one " + value + ". Beside Richard (2024), figure 5 (" + place + ").";
    }

    private record Points(List<Double> x, List<Double> y) {}

    private static List<Series> series(TwoModels models, Function<MatrixSpectrum, Points> points) {
        return Stream.of(
                        line("one word", points.apply(spectrum(models.one().getFirst()))),
                        line("many words", points.apply(spectrum(models.many().getFirst()))),
                        line(
                                "at initialization",
                                points.apply(InitialWeights.spectra(
                                                models.many().getFirst().integer("model.width"))
                                        .getFirst())),
                        line(
                                CLOSED_FORM,
                                points.apply(
                                        TrainingWordClosedForm.of(models.one().getFirst())
                                                .spectrum())))
                .toList();
    }

    private static Series line(String name, Points points) {
        return new Series(name, points.x, points.y);
    }

    private static Points byPlace(List<Double> values) {
        return new Points(
                IntStream.rangeClosed(1, values.size())
                        .mapToObj(i -> (double) i)
                        .toList(),
                values);
    }

    /** What was recorded of it; a run that diverged has none. */
    private static MatrixSpectrum spectrum(CellRecord run) {
        List<Double> real = values(run, "real");
        List<Double> imaginary = values(run, "imaginary");
        List<Double> singular = values(run, "singular");
        List<Double> cosine = values(run, "cosine");
        return new MatrixSpectrum(
                IntStream.range(0, real.size())
                        .mapToObj(i -> new Eigenvalue(real.get(i), imaginary.get(i)))
                        .toList(),
                IntStream.range(0, singular.size())
                        .mapToObj(i -> new SingularValue(singular.get(i), cosine.get(i)))
                        .toList());
    }

    private static List<Double> values(CellRecord run, String name) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> run.measurement("spectrum." + name + "." + i))
                .takeWhile(measurement -> measurement.isPresent())
                .map(measurement -> measurement.map(Measurement::value).orElseThrow())
                .toList();
    }
}

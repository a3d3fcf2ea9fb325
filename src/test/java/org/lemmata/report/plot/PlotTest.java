package org.lemmata.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Figure;

class PlotTest {

    private static final String HOSTILE = "<script>alert('\"&')</script>";

    private static final Figure PATHS = new Figure(
            "Stack " + HOSTILE,
            "",
            "position " + HOSTILE,
            "stack size",
            List.of(
                    series("training word", 0, 1, 2, 1, 0),
                    series("a & b < c", 0, 1, 0, 1, 0),
                    series("completion", 0, 1, 2, 3, 2)));

    @Test
    void linesDifferByColourDashAndMarker() {
        Element svg = parsed(LinePlot.svg(Lines.of(PATHS)));
        List<Element> lines = svg.select("path").stream()
                .filter(path -> path.attr("style").contains("stroke:var(--series-")
                        && path.attr("fill").equals("none"))
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.stream().map(path -> path.attr("style")).distinct()).hasSize(3);
        assertThat(lines.stream().map(path -> path.attr("stroke-dasharray")).distinct())
                .hasSize(3);
        assertThat(Marks.of(svg, 1)).hasSize(5);
        assertThat(Marks.of(svg, 3)).hasSize(5);
        List<Plot.Key> legend = Lines.of(PATHS).legend();
        assertThat(legend).extracting(Plot.Key::name).containsExactly("training word", "a & b < c", "completion");
        assertThat(legend.stream().map(Plot.Key::svg).distinct()).hasSize(3);
        assertThat(parsed(legend.getFirst().svg()).select("path")).hasSize(2);
    }

    @Test
    void textIsTextAndEscaped() {
        Element svg = parsed(LinePlot.svg(Lines.of(PATHS)));
        assertThat(svg.select("script")).isEmpty();
        assertThat(svg.attr("aria-label")).contains(HOSTILE).contains("training word, a & b < c, completion");
        assertThat(svg.select("text").eachText()).contains("stack size", "position " + HOSTILE, "0", "3");
    }

    @Test
    void axesOfNoOrOfEveryLengthHaveFewLabels() {
        var nothing = List.of(new BarPlot.Bar("a", 0), new BarPlot.Bar("b", 0));
        assertThat(parsed(BarPlot.svg("t", nothing, "y", Lines.Scale.LINEAR, SeriesStyle.of(0)))
                        .select("text"))
                .hasSizeBetween(4, 14);
        double[][] ranges = {{0, Double.MIN_VALUE}, {1000, 1010}, {0, Double.MIN_NORMAL}};
        for (double[] range : ranges) {
            assertThat(PlotAxis.around(range, "x", Lines.Scale.LINEAR, true).ticks())
                    .as(Arrays.toString(range))
                    .hasSizeBetween(1, 9);
        }
        for (double[] range : new double[][] {{1, 1e300}, {Double.MIN_VALUE, 1}, {1e-310, 1e-300}}) {
            assertThat(PlotAxis.around(range, "x", Lines.Scale.LOG10, true).ticks())
                    .as(Arrays.toString(range))
                    .hasSizeBetween(1, 9);
        }
    }

    @Test
    void hasNoIdsNoSizesAndNoStylesOfItsOwnSoThatManyFitIntoOnePage() {
        String svg = LinePlot.svg(Lines.of(PATHS));
        Element root = parsed(svg);
        assertThat(root.select("[id], style")).isEmpty();
        assertThat(svg).as("references to ids").doesNotContain("url(");
        assertThat(root.attr("viewBox")).startsWith("0 0 " + Panel.WIDTH + " ");
        assertThat(root.attr("role")).isEqualTo("img");
        assertThat(root.hasAttr("width")).isFalse();
        assertThat(LinePlot.svg(Lines.of(PATHS))).as("equal input, equal bytes").isEqualTo(svg);
    }

    @Test
    void everySeriesColourBelongsToThePage() {
        var series = new ArrayList<Figure.Series>();
        for (int i = 0; i < 8; i++) {
            series.add(series("line " + i, i, i + 1));
        }
        assertThat(IntStream.range(0, 36).mapToObj(SeriesStyle::of).distinct()).hasSize(36);
        Element svg = parsed(LinePlot.svg(Lines.of(new Figure("t", "", "x", "y", series))));
        for (int i = 1; i <= SeriesStyle.COUNT; i++) {
            assertThat(svg.select("[style*=var(--series-" + i + ")]"))
                    .as("series %d", i)
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 33, 5000})
    void drawsAnyNumberOfPointsWithFewMarkers(int points) {
        Figure figure = new Figure(
                "t",
                "",
                "x",
                "y",
                List.of(series("one", IntStream.range(0, points).toArray())));
        Element svg = parsed(LinePlot.svg(Lines.of(figure)));
        assertThat(Marks.of(svg, 1).size()).isLessThanOrEqualTo(12).isGreaterThanOrEqualTo(Math.min(points, 6));
    }

    @Test
    void pointsOfAPlaneHaveAMarkerEachAndNoLine() {
        int count = 100;
        Figure figure = new Figure(
                "t",
                "",
                "real part",
                "imaginary part",
                List.of(series("one", IntStream.range(0, count).toArray()), series("two", 5)),
                false);
        Element svg = parsed(LinePlot.svg(Lines.of(figure)));
        assertThat(Marks.of(svg, 1)).hasSize(count);
        assertThat(svg.select(".targets circle")).hasSize(count + 1);
        assertThat(svg.select("path[fill=none][style*=--series-]")).isEmpty();
        assertThat(svg.attr("aria-label"))
                .isEqualTo("Scatter plot: t. imaginary part against real part; points: one, two.");
        assertThat(Lines.of(figure).legend())
                .allSatisfy(key -> assertThat(parsed(key.svg()).select("[stroke-dasharray]"))
                        .isEmpty());
    }

    @Test
    void pointsThatAreNotFiniteLeaveAGap() {
        Figure.Series broken = new Figure.Series(
                "one",
                List.of(0.0, 1.0, 2.0, 3.0, Double.NaN),
                List.of(1.5, Double.NaN, Double.POSITIVE_INFINITY, 2.5, 1.0));
        Element svg = parsed(LinePlot.svg(Lines.of(new Figure("t", "", "x", "y", List.of(broken)))));
        assertThat(Marks.of(svg, 1)).hasSize(2);
    }

    @Test
    void everyMarkTellsItsValues() {
        Element svg = parsed(LinePlot.svg(Lines.of(PATHS)));
        assertThat(svg.select(".targets title").eachText()).hasSize(15).contains("completion 3 at 3");
        assertThat(svg.select(".targets circle").subList(0, 5))
                .as("a target lies on its mark")
                .extracting(target -> List.of(Double.valueOf(target.attr("cx")), Double.valueOf(target.attr("cy"))))
                .isEqualTo(Marks.of(svg, 1));
        assertThat(svg.select(".targets [style], .targets [stroke]")).isEmpty();
        Element bars = parsed(BarPlot.svg(
                "T",
                List.of(new BarPlot.Bar("a", 6, 5, 7), new BarPlot.Bar("b", 3)),
                "tokens",
                Lines.Scale.LINEAR,
                SeriesStyle.of(0)));
        assertThat(bars.select(".targets title").eachText()).containsExactly("a tokens: 6 [5, 7]", "b tokens: 3");
    }

    @Test
    void intervalsAreDrawnWhereThereAreAny() {
        Lines.Line line = new Lines.Line(
                "one", 0, List.of(new Lines.Point(1, 2, 1, 3), Lines.Point.exact(2, 2), new Lines.Point(4, 8, 4, 16)));
        for (Lines.Scale scale : Lines.Scale.values()) {
            Element svg = parsed(LinePlot.svg(
                    new Lines("t", new Lines.Axis("x", scale), new Lines.Axis("y", scale), List.of(line))));
            assertThat(intervals(svg))
                    .as("%s: both span a factor, 3 and 4", scale)
                    .hasSize(2)
                    .allMatch(height -> height > 10);
            assertThat(svg.select(".targets title").eachText())
                    .containsExactly("one 2 [1, 3] at 1", "one 2 at 2", "one 8 [4, 16] at 4");
        }
    }

    /** An interval whose lower end is not positive is still visible on a logarithmic axis. */
    @Test
    void anIntervalThatEndsAtZeroIsDrawnFromTheFootOfALogarithmicAxis() {
        Lines.Line line = new Lines.Line(
                "one", 0, List.of(new Lines.Point(1, 2, -1, 3), Lines.Point.exact(2, 0.5), Lines.Point.exact(4, 8)));
        Lines.Axis x = new Lines.Axis("x", Lines.Scale.LINEAR);
        Element svg = parsed(LinePlot.svg(new Lines("t", x, new Lines.Axis("y", Lines.Scale.LOG10), List.of(line))));
        assertThat(intervals(svg))
                .singleElement()
                .satisfies(height -> assertThat(height).isGreaterThan(30));
    }

    @Test
    void logarithmsInAFigureAreDrawnAsValues() {
        var series = new Figure.Series("one", List.of(-1.0, 0.0, Math.log(3) / Math.log(2)), List.of(-3.0, -2.0, 1.0));
        Lines lines = Lines.of(new Figure("t", "", "log2 of T / N", "log10 of the loss", List.of(series)));
        assertThat(lines.x()).isEqualTo(new Lines.Axis("T / N", Lines.Scale.LOG2));
        assertThat(lines.y()).isEqualTo(new Lines.Axis("loss", Lines.Scale.LOG10));
        assertThat(lines.lines().getFirst().points()).extracting(Lines.Point::x).containsExactly(0.5, 1.0, 3.0);
        Element svg = parsed(LinePlot.svg(lines));
        assertThat(svg.select("text").eachText()).contains("0.5", "1", "2", "T / N", "0.01", "loss");
        assertThat(svg.select(".targets title").eachText()).contains("one 0.001 at 0.5", "one 10 at 3");
    }

    @Test
    void sharesHaveOneAxisWhateverTheyAre() {
        var series = new Figure.Series("one", List.of(0.0, 1.0), List.of(0.4, 0.5));
        Lines lines = Lines.of(new Figure("t", "", "x", "share of right answers", List.of(series)));
        assertThat(parsed(LinePlot.svg(lines)).select("text").eachText()).contains("0.0", "1.0");
    }

    /** The heights of the lines of intervals, which form one path. */
    private static List<Double> intervals(Element svg) {
        return svg.select("path[d*=V][style^=stroke:var(--series-]").stream()
                .flatMap(path -> Arrays.stream(path.attr("d").substring(1).split("M", -1)))
                .map(line -> line.split("[ V]", -1))
                .map(ends -> Math.abs(Double.parseDouble(ends[1]) - Double.parseDouble(ends[2])))
                .toList();
    }

    @Test
    void intervalsOfTwoLinesHaveTheirColoursAndStandBesideEachOther() {
        List<Lines.Line> lines = IntStream.range(0, 3)
                .mapToObj(i ->
                        new Lines.Line("line " + i, i, List.of(new Lines.Point(1, 2, i == 1 ? 2 : 1, i == 1 ? 2 : 3))))
                .toList();
        Lines.Axis axis = new Lines.Axis("x", Lines.Scale.LINEAR);
        Element svg = parsed(LinePlot.svg(new Lines("t", axis, axis, lines)));
        assertThat(svg.select("path[d*=V][style^=stroke:var(--series-]").eachAttr("style"))
                .containsExactly("stroke:var(--series-1)", "stroke:var(--series-3)");
        List<Double> places = svg.select(".targets circle").stream()
                .map(target -> Double.valueOf(target.attr("cx")))
                .toList();
        assertThat(places.get(1) - places.get(0)).isEqualTo(2.5, Offset.offset(0.11));
        assertThat(places.get(2) - places.get(1)).isEqualTo(2.5, Offset.offset(0.11));
    }

    @Test
    void seriesOfOneNameAreNumbered() {
        Figure figure = new Figure(
                "t", "", "x", "y", List.of(series("1 of 100", 1), series("2 of 100", 1), series("1 of 100", 2)));
        assertThat(Lines.of(figure).legend())
                .extracting(Plot.Key::name)
                .containsExactly("1 of 100 (1)", "2 of 100", "1 of 100 (2)");
    }

    @Test
    void aClaimsPictureHasItsIntervals() {
        var series =
                new Figure.Series("rate", List.of(1.0, 2.0), List.of(0.5, 1.0), List.of(0.4, 1.0), List.of(0.7, 1.0));
        Lines lines = Lines.of(new Figure("t", "", "width", "rate", List.of(series)));
        Element svg = parsed(LinePlot.svg(lines));
        assertThat(intervals(svg)).as("one y has an interval").hasSize(1);
        assertThat(svg.select(".targets title").eachText()).containsExactly("rate 0.5 [0.4, 0.7] at 1", "rate 1 at 2");
    }

    @Test
    void aLogarithmicAxisIsLabelledInItsOwnSteps() {
        Lines.Line line = new Lines.Line(
                "one",
                0,
                IntStream.rangeClosed(5, 10)
                        .mapToObj(i -> Lines.Point.exact(1 << i, Math.pow(10, i)))
                        .toList());
        Element svg = parsed(LinePlot.svg(new Lines(
                "t",
                new Lines.Axis("length", Lines.Scale.LOG2),
                new Lines.Axis("rate", Lines.Scale.LOG10),
                List.of(line))));
        assertThat(svg.select("text").eachText()).contains("32", "64", "512", "1024", "100\u202f000", "10⁷", "10⁹");
        assertThat(Marks.of(svg, 1)).hasSize(6);
    }

    @Test
    void barsStandInOrderFromTheTopWithTheirFigures() {
        List<BarPlot.Bar> bars = List.of(
                new BarPlot.Bar("unrounded", 6), new BarPlot.Bar("a<b>&c", 3), new BarPlot.Bar("ocp_e4m3", 1.25));
        String svg = BarPlot.svg("T", bars, "tokens", Lines.Scale.LINEAR, SeriesStyle.of(0));
        Element root = parsed(svg);
        List<Element> marks = root.select("path[style*=--series-1]");
        assertThat(marks).hasSize(3);
        double[] lengths = marks.stream()
                .mapToDouble(mark -> Math.abs(Double.parseDouble(mark.attr("d").replaceFirst(".*H(.*)v.*", "$1"))
                        - Double.parseDouble(mark.attr("d").replaceFirst("M(.*) .*", "$1"))))
                .sorted()
                .toArray();
        double unit = lengths[2] / 6;
        assertThat(lengths).containsExactly(new double[] {1.25 * unit, 3 * unit, 6 * unit}, Offset.offset(0.05));
        assertThat(root.select("text").eachText()).contains("unrounded", "a<b>&c", "ocp_e4m3", "1.25", "tokens");
        assertThat(root.attr("aria-label")).isEqualTo("T. tokens: unrounded 6; a<b>&c 3; ocp_e4m3 1.25.");
    }

    @Test
    void aLogarithmicPlotHasDotsAndPowersOfTen() {
        List<BarPlot.Bar> bars = List.of(new BarPlot.Bar("a", 3e-7), new BarPlot.Bar("b", 0.13));
        Element svg = parsed(BarPlot.svg("T", bars, "error", Lines.Scale.LOG10, SeriesStyle.of(1)));
        assertThat(Marks.of(svg, 2)).hasSize(2);
        assertThat(svg.select("text").eachText()).contains("10⁻⁷", "3 × 10⁻⁷", "0.13");
        assertThatCode(() -> BarPlot.svg("T", bars.subList(0, 1), "error", Lines.Scale.LOG10, SeriesStyle.of(1)))
                .as("a single value has no range")
                .doesNotThrowAnyException();
    }

    private static Figure.Series series(String name, int... y) {
        return new Figure.Series(
                name,
                IntStream.range(0, y.length).mapToObj(i -> (double) i).toList(),
                Arrays.stream(y).mapToObj(i -> (double) i).toList());
    }

    private static Element parsed(String svg) {
        return Jsoup.parse(svg, "", Parser.xmlParser()).child(0);
    }

    /** An underscore stands for U+202F, the narrow space between thousands, and a hyphen for the minus sign. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1, 1",
        "1024, 1024",
        "72147, 72_147",
        "999999999, 999_999_999",
        "1e9, 1 × 10⁹",
        "-72147, -72_147",
        "0.5, 0.5",
        "7.3418261, 7.342",
        "123456.7, 123_500",
        "1234567.8, 1.235 × 10⁶",
        "0.00123456, 0.001235",
        "0.000123456, 1.235 × 10⁻⁴",
        "6.0e-9, 6 × 10⁻⁹",
        "-3.4e-10, -3.4 × 10⁻¹⁰",
        "0.99996, 1",
        "999999.9, 1 × 10⁶",
        "4.9e-324, 4.941 × 10⁻³²⁴",
        "1.7976931348623157e308, 1.798 × 10³⁰⁸",
        "NaN, NaN",
        "Infinity, ∞",
        "-Infinity, -∞",
    })
    void hasFourSignificantDigits(double value, String text) {
        assertThat(NumberText.of(value)).isEqualTo(typographic(text));
    }

    @ParameterizedTest
    @CsvSource({
        "961.3456, 530.78, 961.3 ± 530.8",
        "7794.58, 6578, 7795 ± 6578",
        "110229.4, 75700, 110_200 ± 75_700",
        "0.012345, 0.00012, 0.01235 ± 0.00012",
        "12.5, NaN, 12.5",
        "12.5, 0, 12.5",
        "NaN, 1, NaN",
        "6147300, 1234, (6.1473 ± 0.0012) × 10⁶",
        "0, 0.25, 0.00 ± 0.25",
    })
    void anErrorDecidesHowManyDigitsAreShown(double score, double error, String text) {
        assertThat(NumberText.withError(score, error)).isEqualTo(typographic(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0.00089, 0.89 ms",
        "0.0314, 31 ms",
        "0.25, 0.25 s",
        "97.3, 97 s",
        "312.4, 5 min 12 s",
        "5412, 1 h 30 min",
        "NaN, NaN s"
    })
    void secondsBecomeMinutesAndHours(double seconds, String text) {
        assertThat(NumberText.seconds(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1.0341, 1.03", "15.747, 15.7", "NaN, NaN", "1234.5, 1230"})
    void aRatioHasThreeDigits(double value, String text) {
        assertThat(NumberText.ratio(value)).isEqualTo(text);
    }

    private static String typographic(String text) {
        return text.replace('_', '\u202f').replace('-', '\u2212');
    }
}

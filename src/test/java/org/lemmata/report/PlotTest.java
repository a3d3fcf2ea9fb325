package org.lemmata.report;

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
        Element svg = parsed(LinePlot.svg(PATHS, PlotSpec.WIDE));
        List<Element> lines = svg.select("path").stream()
                .filter(path -> path.attr("style").contains("stroke:var(--series-")
                        && path.attr("fill").equals("none"))
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.stream().map(path -> path.attr("style")).distinct()).hasSize(3);
        assertThat(lines.stream().map(path -> path.attr("stroke-dasharray")).distinct())
                .hasSize(3);
        // Five points a series and one in the legend.
        assertThat(svg.select("circle[style*=--series-1]")).hasSize(6);
        assertThat(svg.select("rect[style*=--series-3]")).hasSize(6);
    }

    @Test
    void textIsTextAndEscaped() {
        Element svg = parsed(LinePlot.svg(PATHS, PlotSpec.WIDE));
        assertThat(svg.select("script")).isEmpty();
        assertThat(svg.attr("aria-label")).contains(HOSTILE).contains("training word, a & b < c, completion");
        assertThat(svg.select("text").eachText()).contains("training word", "a & b < c", "stack size", "0", "3");
    }

    @Test
    void hasNoIdsNoSizesAndNoStylesOfItsOwnSoThatManyFitIntoOnePage() {
        String svg = LinePlot.svg(PATHS, PlotSpec.NARROW);
        Element root = parsed(svg);
        assertThat(root.select("[id], style")).isEmpty();
        assertThat(svg).as("references to ids").doesNotContain("url(");
        assertThat(root.attr("viewBox")).startsWith("0 0 " + PlotSpec.NARROW + " ");
        assertThat(root.attr("role")).isEqualTo("img");
        assertThat(root.hasAttr("width")).isFalse();
        assertThat(LinePlot.svg(PATHS, PlotSpec.NARROW))
                .as("equal input, equal bytes")
                .isEqualTo(svg);
    }

    @Test
    void everySeriesColourBelongsToThePage() {
        var series = new ArrayList<Figure.Series>();
        for (int i = 0; i < 8; i++) {
            series.add(series("line " + i, i, i + 1));
        }
        Element svg = parsed(LinePlot.svg(new Figure("t", "", "x", "y", series), PlotSpec.WIDE));
        for (int i = 1; i <= PlotSvg.SERIES.size(); i++) {
            assertThat(svg.select("[style*=var(--series-" + i + ")]"))
                    .as("series %d", i)
                    .isNotEmpty();
        }
        assertThat(svg.select("text").eachText()).contains("line 0", "line 7");
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
        Element svg = parsed(LinePlot.svg(figure, PlotSpec.WIDE));
        assertThat(svg.select("circle").size()).isLessThanOrEqualTo(33).isGreaterThanOrEqualTo(Math.min(points, 17));
    }

    @Test
    void pointsThatAreNotFiniteLeaveAGap() {
        Figure.Series broken = new Figure.Series(
                "one",
                List.of(0.0, 1.0, 2.0, 3.0, Double.NaN),
                List.of(1.5, Double.NaN, Double.POSITIVE_INFINITY, 2.5, 1.0));
        Element svg = parsed(LinePlot.svg(new Figure("t", "", "x", "y", List.of(broken)), PlotSpec.WIDE));
        assertThat(svg.select("circle")).hasSize(2);
    }

    @Test
    void barsStandInOrderFromTheTopWithTheirFigures() {
        List<BarPlot.Bar> bars = List.of(
                new BarPlot.Bar("unrounded", 6), new BarPlot.Bar("a<b>&c", 3), new BarPlot.Bar("ocp_e4m3", 1.25));
        String svg = BarPlot.svg("T", bars, "tokens", BarPlot.Scale.LINEAR, PlotSvg.SERIES.getFirst(), 460);
        Element root = parsed(svg);
        List<Element> marks = root.select("rect[style*=--series-1]");
        assertThat(marks).hasSize(3);
        double[] lengths = marks.stream()
                .mapToDouble(mark -> Double.parseDouble(mark.attr("width")))
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
        Element svg =
                parsed(BarPlot.svg("T", bars, "error", BarPlot.Scale.LOG, PlotSvg.SERIES.get(1), PlotSpec.NARROW));
        assertThat(svg.select("circle")).hasSize(2);
        assertThat(svg.select("text").eachText()).contains("10⁻⁷", "3 × 10⁻⁷", "0.13");
        assertThatCode(() -> BarPlot.svg(
                        "T", bars.subList(0, 1), "error", BarPlot.Scale.LOG, PlotSvg.SERIES.get(1), PlotSpec.WIDE))
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
}

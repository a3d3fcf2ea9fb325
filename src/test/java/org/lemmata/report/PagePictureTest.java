package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lemmata.DocumentPicture;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Claims;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.kernel.Kernels;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.Evidence;
import org.lemmata.track.JmhResults;

/**
 * docs/page.png shows the current page: the structure of the page is recorded together with the digest of the picture.
 * If they differ, take a new picture (docs/regression.md), then run {@code mvn test -Dtest=PagePictureTest
 * -Dlemmata.pictures.record=true}. The plots under docs are drawn like those of the page, from recorded cells and
 * tables.
 */
class PagePictureTest {

    private static final Path PICTURE = Path.of("docs/page.png");

    private static final Path RECORD = Path.of("src/test/resources/org/lemmata/report/page-structure.txt");

    /** Each kind of element outside of plots under its parent, once, and the links. */
    private static List<String> structure(Document page) {
        Stream<String> kinds = page.select("header.top *, #overview *, #changes *, #figures *").stream()
                .filter(element -> element.closest("svg") == null)
                .map(element -> kind(Objects.requireNonNull(element.parent())) + " > " + kind(element))
                .distinct();
        return Stream.concat(kinds, page.select("nav a").eachText().stream()).toList();
    }

    private static String kind(Element element) {
        return element.classNames().stream()
                .filter(name -> !List.of("supported", "refuted", "inconclusive", "untested")
                        .contains(name))
                .map(name -> "." + name)
                .collect(Collectors.joining("", element.tagName(), ""));
    }

    private static String digest() throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(PICTURE)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Test
    void thePictureShowsWhatAPageIsMadeOf() throws Exception {
        List<String> structure = structure(Jsoup.parse(Report.html(DemoInput.everything())));
        assertThat(structure).hasSizeGreaterThan(40);
        List<String> recorded = Files.exists(RECORD) ? Files.readAllLines(RECORD) : List.of("");
        String digest = digest();
        boolean isNew = !recorded.getFirst().equals(digest);
        List<String> now = Stream.concat(Stream.of(digest), structure.stream()).toList();
        if (isNew && Boolean.getBoolean("lemmata.pictures.record")) {
            Files.write(RECORD, now);
            return;
        }
        assertThat(recorded).as("take docs/page.png anew: docs/regression.md").isEqualTo(now);
    }

    private static final Path SUITE = Path.of("jmh-results/portable/simd-512.json");

    /** {@code PrecisionTablesTest} compares these tables with the code. */
    private static final Path TABLES = Path.of("docs/notes/precision-tables.md");

    private static final Pattern TARGETS = Pattern.compile("(?s)<g class=\"targets\">.*?</g>");

    private static final int WIDTH = 340;

    private static final int HEIGHT = 300;

    /** The scale of a single plot, which is drawn larger. */
    private static final double ALONE = 1.25;

    private static final int LEGEND_LINE = 22;

    /** The cells of the table below a heading, including its head and the line below the head. */
    private static List<String[]> rows(String heading) throws IOException {
        List<String> lines = Files.readAllLines(TABLES);
        List<String[]> rows = lines.subList(lines.indexOf(heading), lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(2).split(" *\\| *"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(3);
        return rows;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    /** A plot at its place in the picture, without the discs for the pointer, which an image does not need. */
    private static String placed(String plot, int x, int y, int width, int height) {
        return TARGETS.matcher(plot)
                .replaceAll("")
                .replaceFirst(
                        "<svg ",
                        String.format(
                                Locale.ROOT,
                                "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" ",
                                x,
                                y,
                                width,
                                height));
    }

    private static String placed(String plot) {
        return placed(plot, 0, 0, WIDTH, HEIGHT);
    }

    /** Compares a picture of this width and height, with a legend below. */
    private static void compare(String name, String label, int width, int height, String plots, List<Plot.Key> legend)
            throws IOException {
        var drawn = new StringBuilder(plots);
        int x = 0;
        int y = height + 8;
        for (Plot.Key key : legend) {
            int room = 60 + 7 * key.name().length();
            if (x + room > width) {
                x = 0;
                y += LEGEND_LINE;
            }
            drawn.append('\n')
                    .append(key.svg()
                            .replace(
                                    "<svg ",
                                    String.format(
                                            Locale.ROOT, "<svg x=\"%d\" y=\"%d\" width=\"34\" height=\"14\" ", x, y)))
                    .append(String.format(
                            Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>", x + 40, y + 12, escaped(key.name())));
            x += room;
        }
        DocumentPicture.compare(name, width, y + LEGEND_LINE, width == WIDTH ? ALONE : 1, label, drawn.toString());
    }

    private static void compare(String name, String label, Lines lines) throws IOException {
        List<String> names = lines.lines().stream().map(Lines.Line::name).toList();
        compare(name, label, WIDTH, HEIGHT, placed(LinePlot.svg(lines)), SeriesStyle.legend(names, true));
    }

    @Test
    void theRoofline() throws IOException {
        Plot.Group group = new Roofline(JmhResults.read(SUITE)).group().orElseThrow();
        compare(
                "roofline",
                "Kernels of the recorded suite below the roof of its machine, by FLOPs per byte",
                WIDTH,
                HEIGHT,
                placed(group.plots().getFirst().svg()),
                group.legend());
    }

    /** Judges a claim from the evidence, like {@code verify}. */
    private static ClaimResult judge(FigureClaim claim) {
        try {
            FigureCells cells = FigureCells.of(
                    claim.grid(),
                    Budget.QUICK,
                    Evidence.ofCheckout().read(claim.grid().paper()));
            return ClaimResult.of(
                    claim, Budget.QUICK, Computation.unrounded(Kernels.scalar()), Map.of(), cells, "not complete");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Tag("long")
    void theShareOfRightAnswersByLength() throws IOException {
        List<Figure> figures = Claims.all().stream()
                .filter(claim -> claim.statement().id().contains(".comparison.") && claim instanceof FigureClaim)
                .map(claim -> judge((FigureClaim) claim).figures())
                .filter(ofClaim -> !ofClaim.isEmpty())
                .map(List::getFirst)
                .toList();
        var names = new ArrayList<String>();
        figures.forEach(figure -> figure.series().forEach(line -> {
            if (!names.contains(line.name())) {
                names.add(line.name());
            }
        }));
        int columns = 3;
        var drawn = new StringBuilder();
        for (int i = 0; i < figures.size(); i++) {
            Lines own = Lines.of(figures.get(i));
            List<Lines.Line> lines = own.lines().stream()
                    .map(line -> new Lines.Line(line.name(), names.indexOf(line.name()), line.points()))
                    .toList();
            var panel =
                    new Lines(own.title(), own.x(), new Lines.Axis(own.y().label(), Lines.Scale.LINEAR, 0, 1), lines);
            int x = i % columns * WIDTH;
            int y = i / columns * (HEIGHT + LEGEND_LINE);
            drawn.append(String.format(
                            Locale.ROOT,
                            "<text x=\"%d\" y=\"%d\" style=\"fill:var(--ink)\">%s</text>",
                            x + 10,
                            y + 15,
                            escaped(own.title())))
                    .append(placed(LinePlot.svg(panel), x, y + LEGEND_LINE, WIDTH, HEIGHT))
                    .append('\n');
        }
        compare(
                "right-by-length",
                "The share of right answers by test length, a panel for each task",
                columns * WIDTH,
                Math.ceilDiv(figures.size(), columns) * (HEIGHT + LEGEND_LINE),
                drawn.toString(),
                SeriesStyle.legend(names, true));
    }

    @Test
    void howLongAttentionKeepsItsArgmax() throws IOException {
        List<String[]> rows = rows("### By significand bits");
        var lines = new ArrayList<Lines.Line>();
        for (int column : new int[] {1, 2}) {
            for (boolean law : new boolean[] {false, true}) {
                lines.add(new Lines.Line(
                        rows.getFirst()[column] + (law ? ", by the law" : ", median"),
                        lines.size(),
                        rows.stream()
                                .skip(2)
                                .map(row -> new Object[] {row[0], row[column].split(" / ", -1)[law ? 1 : 0]})
                                .filter(cell -> !cell[1].toString().startsWith("≥"))
                                .map(cell -> Lines.Point.exact(
                                        Double.parseDouble(cell[0].toString()), Double.parseDouble(cell[1].toString())))
                                .toList()));
            }
        }
        compare(
                "argmax-by-bits",
                "The maximum length at which attention keeps its argmax doubles with each significand bit",
                new Lines(
                        "How long attention keeps its argmax",
                        new Lines.Axis("significand bits", Lines.Scale.LINEAR),
                        new Lines.Axis("maximum length", Lines.Scale.LOG2),
                        lines));
    }

    @Test
    void theErrorByFormat() throws IOException {
        List<String[]> rows = rows("### Sums of weights");
        double[] lengths = {64, 256, 1024, 4096};
        List<Lines.Line> lines = IntStream.range(0, rows.size() - 2)
                .mapToObj(i -> {
                    String[] row = rows.get(i + 2);
                    return new Lines.Line(
                            row[0],
                            i,
                            IntStream.range(0, lengths.length)
                                    .mapToObj(at ->
                                            Lines.Point.exact(lengths[at], Math.abs(Double.parseDouble(row[at + 1]))))
                                    .toList());
                })
                .toList();
        compare(
                "error-by-format",
                "The error of a sum of softmax weights, by format and number of keys",
                new Lines(
                        "Sums of weights",
                        new Lines.Axis("keys", Lines.Scale.LOG2),
                        new Lines.Axis("error, percent", Lines.Scale.LOG10),
                        lines));
    }
}

package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page in a real browser: what it loads, how it looks at two widths, in the dark and on paper, and whether a
 * keyboard reaches everything. Skipped only if no Chromium is installed.
 */
class BrowserTest {

    private static final int TAB = 9;
    private static final int ENTER = 13;
    private static final int ESCAPE = 27;
    private static final int RIGHT = 39;

    /** The width of A4 at 96 pixels per inch without margins of 10 mm. */
    private static final int PAPER = 718;

    @TempDir
    private static Path directory;

    private static Path page = Path.of("");
    private static Document document = Document.createShell("");
    private static @Nullable Chromium started;

    @BeforeAll
    static void openBrowser() throws Exception {
        Optional<Path> binary = Chromium.onPath();
        assumeTrue(binary.isPresent(), "no chromium or google-chrome on PATH: the page was not looked at in a browser");
        page = Report.write(directory.resolve("report"), DemoInput.everything());
        document = Jsoup.parse(Files.readString(page));
        started = Chromium.start(binary.get(), Files.createDirectory(directory.resolve("profile")));
    }

    @AfterAll
    static void closeBrowser() throws Exception {
        if (started != null) {
            takePictures();
            started.close();
        }
    }

    /** Takes screenshots of the page if {@code -Dlemmata.page.pictures=DIR} is set. */
    private static void takePictures() throws Exception {
        String directory = System.getProperty("lemmata.page.pictures", "");
        if (directory.isEmpty()) {
            return;
        }
        browser().scripts(true);
        for (String scheme : List.of("light", "dark")) {
            for (int width : new int[] {1280, 400}) {
                browser().media("screen", scheme);
                browser().size(width, 900);
                browser().open(page);
                keep(
                        Path.of(directory, scheme + "-" + width + ".png"),
                        browser().send("Page.captureScreenshot", "captureBeyondViewport", true));
            }
        }
        browser().size(PAPER, 1000);
        keep(Path.of(directory, "paper.pdf"), browser().send("Page.printToPDF"));
        browser().media("print", "light");
        keep(Path.of(directory, "paper.png"), browser().send("Page.captureScreenshot", "captureBeyondViewport", true));
    }

    private static void keep(Path file, JsonNode answer) throws Exception {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
    }

    private static Chromium browser() {
        return Objects.requireNonNull(started);
    }

    private static String text(String expression) {
        return browser().evaluate(expression).asText();
    }

    private static int number(String expression) {
        return browser().evaluate(expression).asInt();
    }

    private static boolean truth(String expression) {
        return browser().evaluate(expression).asBoolean();
    }

    /** The number of elements that match a selector. */
    private static int count(String selector) {
        return number("document.querySelectorAll(\"" + selector + "\").length");
    }

    @BeforeEach
    void openPage() throws Exception {
        browser().scripts(true);
        browser().media("screen", "light");
        browser().size(1280, 900);
        load();
    }

    private static void load() throws Exception {
        browser().open(page);
        browser()
                .evaluate(Files.readString(
                                Path.of(Objects.requireNonNull(BrowserTest.class.getResource("browser-checks.js"))
                                        .toURI()),
                                StandardCharsets.UTF_8)
                        .replace("const lemmataChecks", "globalThis.lemmataChecks"));
    }

    @Test
    void asksNobodyForAnythingAndComplainsOfNothing() {
        browser().evaluate("lemmataChecks.openAll()");
        browser().evaluate("new Promise(done => setTimeout(done, 200))");
        List<String> requests = browser().events("Network.requestWillBeSent").stream()
                .map(event -> event.path("request").path("url").asText())
                .filter(url -> !url.equals("data:,"))
                .toList();
        assertThat(requests)
                .as("the page alone is read")
                .containsExactly(page.toUri().toString());
        assertThat(browser().events("Network.loadingFailed")).isEmpty();
        assertThat(browser().events("Runtime.exceptionThrown")).isEmpty();
        assertThat(browser().events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(browser().events("Log.entryAdded")).isEmpty();
    }

    @Test
    void thePolicyStopsScriptsAndPicturesThatAreNotThePages() {
        browser().evaluate("""
            const script = document.createElement('script');
            script.textContent = 'globalThis.strange = true';
            document.head.append(script);
            const picture = document.createElement('img');
            picture.src = 'http://127.0.0.1:9/picture.png';
            document.body.append(picture);
            """);
        Chromium.await(
                "two complaints of the browser",
                () -> browser().events("Log.entryAdded").size() >= 2);
        assertThat(text("globalThis.strange ?? 'blocked'")).isEqualTo("blocked");
        assertThat(browser().events("Network.responseReceived"))
                .noneMatch(event -> event.path("response").path("url").asText().contains("picture"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1280, 400})
    void everyPlotLiesInsideItsPanel(int width) {
        browser().size(width, 900);
        assertThat(browser().texts("lemmataChecks.misplacedPlots()")).isEmpty();
        assertThat(count(".plot svg")).isGreaterThan(20);
    }

    @Test
    void darkIsDarkAndTextIsReadableInBoth() {
        String ground = "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color";
        String light = text(ground);
        assertThat(browser().texts("lemmataChecks.lowContrast()")).as("light").isEmpty();
        browser().media("screen", "dark");
        assertThat(text(ground)).isNotEqualTo(light);
        assertThat(browser().texts("lemmataChecks.lowContrast()")).as("dark").isEmpty();
    }

    @Tag("long")
    @Test
    void tabReachesEverythingInOrderAndShowsWhereItIs() {
        browser().evaluate("document.getElementById('kernels').open = true");
        browser().evaluate("globalThis.focusable = lemmataChecks.focusable()");
        int count = number("focusable.length");
        assertThat(count).isGreaterThan(40);
        var reached = new ArrayList<Integer>();
        var unseen = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            browser().press("Tab", TAB, "");
            JsonNode at = browser().evaluate("""
                (() => {
                  const element = document.activeElement;
                  const style = getComputedStyle(element);
                  const box = element.getBoundingClientRect();
                  const seen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && box.width > 0
                      && box.right > 0 && box.bottom > 0 && box.top < innerHeight && box.left < innerWidth;
                  return { index: focusable.indexOf(element), seen, name: lemmataChecks.name(element) };
                })()
                """);
            reached.add(at.path("index").asInt());
            if (!at.path("seen").asBoolean()) {
                unseen.add(at.path("name").asText());
            }
        }
        assertThat(browser()
                        .texts("focusable.filter((each, i) => !%s.includes(i)).map(lemmataChecks.name)"
                                .formatted(reached)))
                .as("not reached")
                .isEmpty();
        assertThat(unseen).as("without visible focus").isEmpty();
        assertThat(reached)
                .as("in the order of the page")
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(count);
        assertThat(browser()
                        .texts("['a[href]', 'summary', 'th button', '.scroll', '.plot', 'input']"
                                + ".filter(kind => !focusable.some(element => element.matches(kind)))"))
                .isEmpty();
    }

    @Test
    void arrowKeysGoThroughTheValuesOfAPlot() {
        browser().evaluate("document.querySelector('.plot').focus()");
        browser().press("ArrowRight", RIGHT, "");
        String first = text("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent");
        browser().press("ArrowRight", RIGHT, "");
        String second = text("document.querySelector('.tip').textContent");
        List<String> expected = document.expectFirst(".plot").select(".targets title").stream()
                .limit(2)
                .map(title -> title.wholeText())
                .toList();
        assertThat(List.of(first, second)).isEqualTo(expected);
        assertThat(truth("""
            (() => { const box = document.querySelector('.tip').getBoundingClientRect();
              return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.height > 0; })()
            """)).as("within the window").isTrue();
        browser().press("Escape", ESCAPE, "");
        assertThat(truth("document.querySelector('.tip').hidden")).isTrue();
    }

    @Test
    void arrowKeysGoThroughTheVerdictsAndEnterOpensTheClaim() {
        browser().evaluate("document.querySelector('.matrix').focus()");
        browser().press("ArrowRight", RIGHT, "");
        browser().press("ArrowRight", RIGHT, "");
        Element cell = document.select(".matrix .cell").get(1);
        assertThat(text("document.querySelector('.tip').textContent"))
                .startsWith(cell.expectFirst(".hidden").text());
        browser().press("Enter", ENTER, "\r");
        assertThat(text("location.hash")).isEqualTo(cell.attr("href"));
        Chromium.await(
                "the claim that the cell names, in a part that was folded",
                () -> truth("document.getElementById(location.hash.slice(1)).checkVisibility()"));
    }

    @Test
    void theKernelTableIsSortedAndSaysSo() {
        browser().evaluate("lemmataChecks.openAll()");
        assertThat(count("#kernel-table th button"))
                .isEqualTo(document.select("#kernel-table thead th").size());
        browser().evaluate("document.querySelectorAll('#kernel-table th button')[3].focus()");
        browser().press("Enter", ENTER, "\r");
        List<String> descending = ratios();
        assertThat(browser()
                        .texts("[...document.querySelectorAll('#kernel-table th')].map(head => head.ariaSort ?? '')"))
                .filteredOn(sort -> !sort.isEmpty())
                .containsExactly("descending");
        assertThat(text("document.querySelector('[data-count=kernel-table]').textContent"))
                .isEqualTo("Sorted by Against scalar, descending.");
        List<Double> figures = descending.stream()
                .filter(text -> !text.isEmpty())
                .map(Double::valueOf)
                .toList();
        assertThat(figures).hasSizeGreaterThan(3).isSortedAccordingTo(Collections.reverseOrder());
        assertThat(descending.subList(0, figures.size()))
                .as("rows without a figure are last")
                .doesNotContain("");
        browser().press("Enter", ENTER, "\r");
        assertThat(ratios().subList(0, figures.size()).stream()
                        .map(Double::valueOf)
                        .toList())
                .isSorted();
        assertThat(ratios())
                .as("no row is lost")
                .hasSize(document.select("#kernel-table tbody tr").size());
        browser().evaluate("document.querySelectorAll('#kernel-table th button')[0].click()");
        assertThat(browser()
                        .texts("[...document.querySelectorAll('#kernel-table tbody th')].map(head =>"
                                + " head.textContent)"))
                .isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER);
        assertThat(browser()
                        .texts("[...document.querySelectorAll('#kernel-table th')].map(head => head.ariaSort ?? '')"))
                .filteredOn(sort -> !sort.isEmpty())
                .containsExactly("ascending");
    }

    private static List<String> ratios() {
        return browser()
                .texts("[...document.querySelectorAll('#kernel-table tbody tr')].map(row =>"
                        + " row.cells[3].dataset.value)");
    }

    @Test
    void theKernelTableIsFilteredAndSaysSo() {
        browser().evaluate("lemmataChecks.openAll()");
        browser().evaluate("document.querySelector('[data-filter=kernel-table]').focus()");
        browser().send("Input.insertText", "text", "MATMUL 256x");
        List<String> shown = browser()
                .texts("[...document.querySelectorAll('#kernel-table tbody tr')].filter(row =>"
                        + " row.checkVisibility()).map(row => row.textContent)");
        assertThat(shown).isNotEmpty().allMatch(text -> text.contains("MatMul") && text.contains("256x"));
        int rows = document.select("#kernel-table tbody tr").size();
        assertThat(shown).hasSizeLessThan(rows);
        assertThat(text("document.querySelector('[data-count=kernel-table]').textContent"))
                .isEqualTo(shown.size() + " of " + rows + " rows");
        assertThat(text("document.querySelector('[data-count=kernel-table]').ariaLive"))
                .isEqualTo("polite");
    }

    @Test
    void withoutScriptsEverythingIsThere() throws Exception {
        browser().scripts(false);
        load();
        assertThat(count("button, .tip")).isZero();
        assertThat(truth("document.querySelector('.tools, .tip, th button')?.checkVisibility() ?? false"))
                .isFalse();
        browser().evaluate("document.querySelector('#kernels > summary').click()");
        assertThat(number("[...document.querySelectorAll('#kernel-table tbody tr')].filter(row =>"
                        + " row.checkVisibility()).length"))
                .isEqualTo(document.select("#kernel-table tbody tr").size());
        assertThat(count(".targets title"))
                .isEqualTo(document.select(".targets title").size())
                .isGreaterThan(100);
        browser()
                .evaluate("document.querySelector('details:has(> details.benchmark, > * details.benchmark) > summary')"
                        + ".click()");
        browser().evaluate("document.querySelector('details.benchmark > summary').click()");
        assertThat(truth("document.querySelector('details.benchmark table').checkVisibility()"))
                .as("what is folded opens")
                .isTrue();
        browser().evaluate("lemmataChecks.openAll()");
        assertThat(words(text("document.querySelector('main').innerText")))
                .as("all words of the page can be read")
                .containsAll(words(readable()));
    }

    /**
     * The text of the page without elements that a browser does not show as text: plots, the script's tools, and one of
     * two widths of a plot.
     */
    private static String readable() {
        Document copy = document.clone();
        copy.select("svg, .tools, script").remove();
        // A browser separates the words of boxes side by side, a parser does not.
        copy.select(".cell > *").before(" ");
        return copy.expectFirst("main").text();
    }

    private static List<String> words(String text) {
        return List.of(text.split("[\\s\\u00a0\\u202f]+", -1));
    }

    @Tag("long")
    @Test
    void paperShowsWhatIsFoldedAndCutsNothing() {
        browser().media("print", "light");
        browser().size(PAPER, 1000);
        assertThat(browser().texts("lemmataChecks.clippedInPrint()")).isEmpty();
        String pdf = browser()
                .send("Page.printToPDF", "paperWidth", 8.27, "paperHeight", 11.69, "printBackground", true)
                .path("data")
                .asText();
        String text = new String(Base64.getDecoder().decode(pdf), StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("%PDF-");
        assertThat(text.split("/Type\\s*/Page\\b", -1).length - 1).as("pages").isGreaterThan(5);
        assertThat(count("details:not([open])"))
                .as("after printing, folded as before")
                .isGreaterThan(5);
    }
}

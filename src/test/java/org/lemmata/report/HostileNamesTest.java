package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonOptions;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.JmhResults;

/** Results of JMH whose names, parameters and units are markup, control characters, long, or from right to left. */
class HostileNamesTest {

    private static final List<String> NAMES = List.of(
            "</td></table></main></style></script><script>document.title='ran'</script>",
            "\"'><img src=x onerror=\"document.title='ran'\">",
            "<svg/onload=document.title='ran'><style>main{display:none}</style>",
            "<a href=\"javascript:document.title='ran'\" autofocus onfocus=document.title='ran'>a</a>",
            "<!--<plaintext><base href=http://127.0.0.1:9/>",
            "{{#sections}}{{{page}}}{{/sections}} ${1+1} &lt;b&gt; &#x3c;script&#x3e;",
            "| a | b |\n|---|---|\n| c | d |\r\n# e\n```\n<details>",
            "[a](javascript:alert(1)) ![b](http://127.0.0.1:9/c.png) @everyone #1 `d` ~~e~~",
            "\0\u0001\u0007\b\t\u000b\f\u001b[2J\u007f\u0085\u009b31m\u2028\u2029",
            "\u202eabc\u200f\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627",
            "\ud83d\ude00e\u0301\u0301\u0301\ufeff\ufffe\ud800",
            "x".repeat(100_000));

    /** Writes unpaired surrogates as escapes. */
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @TempDir
    private Path directory = Path.of("");

    private ReportInput input = DemoInput.of(null, null);

    @BeforeEach
    void readResultsOfJmh() throws Exception {
        List<BenchmarkRow> before = rows("before.json", 1);
        List<BenchmarkRow> now = rows("now.json", 3);
        var comparison = Comparison.of(
                new ComparisonSide("before.json", before, null),
                new ComparisonSide("now.json", now, null),
                ComparisonOptions.DEFAULT);
        assertThat(comparison.rows()).hasSize(NAMES.size());
        input = new ReportInput(
                null, new ReportInput.Benchmarks("now.json", now, null), List.of(), DemoInput.tracking(comparison));
    }

    private List<BenchmarkRow> rows(String name, int score) throws Exception {
        ArrayNode rows = JSON.createArrayNode();
        for (String each : NAMES) {
            // Jackson rejects longer names of fields, and unpaired surrogates in them.
            String key = each.replace("\ud800", "").substring(0, Math.min(each.length() - 1, 49_000));
            ObjectNode row = rows.addObject();
            row.put("benchmark", "org.example." + each.replace('.', ' ') + ".run" + each.replace('.', ' '));
            row.put("mode", "avgt").put("forks", 2).put("jmhVersion", each).put("vmName", each);
            row.putArray("jvmArgs").add(each);
            row.putObject("params").put(key, each).put("n", each);
            ObjectNode metric = row.putObject("primaryMetric");
            metric.put("score", score).put("scoreError", 0.1).put("scoreUnit", "ns/op");
            metric.putArray("rawData").add(samples(score)).add(samples(score));
            row.putObject("secondaryMetrics")
                    .putObject(key)
                    .put("score", 1)
                    .put("scoreError", "NaN")
                    .put("scoreUnit", each)
                    .putArray("rawData");
        }
        Path file = Files.writeString(directory.resolve(name), JSON.writeValueAsString(rows));
        return JmhResults.read(file);
    }

    private static ArrayNode samples(int score) {
        return JSON.createArrayNode().add(score).add(score * 1.01);
    }

    @Test
    void thePageRunsNothingAndKeepsItsLayout() throws Exception {
        Optional<Path> binary = Chromium.onPath();
        assumeTrue(binary.isPresent(), "no chromium or google-chrome on PATH: the page was not looked at in a browser");
        Path page = Report.write(directory.resolve("report"), input);
        Document parsed = Jsoup.parse(Files.readString(page));
        Document harmless =
                Jsoup.parse(Files.readString(Report.write(directory.resolve("harmless"), DemoInput.of(List.of()))));
        assertThat(Files.size(page)).isLessThan(30L * NAMES.getLast().length());
        try (Chromium browser = Chromium.start(binary.get(), Files.createDirectory(directory.resolve("profile")))) {
            for (int width : new int[] {1280, 400}) {
                browser.size(width, 900);
                browser.open(page);
                String title = browser.evaluate("document.title").asText();
                browser.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })");
                browser.evaluate("new Promise(done => setTimeout(done, 200))");
                assertThat(browser.evaluate("document.title").asText())
                        .isEqualTo(title)
                        .isNotEqualTo("ran");
                assertThat(browser.evaluate("document.scripts.length").asInt())
                        .isEqualTo(harmless.select("script").size());
                assertThat(browser.evaluate(
                                        "document.querySelectorAll('img, base, iframe, plaintext, [onload], [onerror],"
                                                + " [onfocus], a[href^=javascript]').length")
                                .asInt())
                        .isZero();
                assertThat(browser.events("Network.requestWillBeSent").stream()
                                .map(event -> event.path("request").path("url").asText())
                                .filter(url -> !url.equals("data:,")))
                        .containsExactly(page.toUri().toString());
                assertThat(browser.events("Log.entryAdded")).isEmpty();
                assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
                assertThat(browser.texts("""
                    [...document.querySelectorAll('.changed li')].filter(line => {
                      const boxes = [...line.children].map(child => child.getClientRects()[0]);
                      return boxes.some((box, i) => i > 0 && box.top < boxes[i - 1].bottom - 4 && box.left < boxes[i - 1].left);
                    }).map(line => line.textContent)
                    """))
                        .as("lines that run from right to left")
                        .isEmpty();
                assertThat(browser.evaluate("document.scrollingElement.scrollWidth")
                                .asInt())
                        .as("the page does not scroll sideways")
                        .isLessThanOrEqualTo(width);
                assertThat(browser.evaluate("document.querySelectorAll('table tbody tr').length")
                                .asInt())
                        .isEqualTo(parsed.select("table tbody tr").size());
                assertThat(browser.evaluate("getComputedStyle(document.querySelector('main')).display")
                                .asText())
                        .isNotEqualTo("none");
            }
        }
        assertThat(parsed.body().wholeText()).contains(NAMES.get(0).replace('.', ' '));
    }

    @Test
    void aRowOfMarkdownStaysOneRow() {
        String markdown = MarkdownSummary.of(input);
        assertThat(markdown).hasSizeLessThan(65_536);
        Parser parser =
                Parser.builder().extensions(List.of(TablesExtension.create())).build();
        Document page = Jsoup.parse(HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create()))
                .build()
                .render(parser.parse(markdown)));
        assertThat(page.select("table")).hasSize(1);
        int columns = page.select("thead th").size();
        assertThat(page.select("tbody tr"))
                .hasSize(NAMES.size())
                .allSatisfy(row -> assertThat(row.select("td")).hasSize(columns));
        assertThat(page.select("script, img, style, svg, a, code, del, details, base, td *"))
                .isEmpty();
        assertThat(page.select("h1")).isEmpty();
        assertThat(page.body().text()).doesNotContain("@everyone");
    }
}

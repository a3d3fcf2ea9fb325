package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Outcome;
import org.lemmata.report.GeneralizationSection.Generalization;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.report.plot.Table;

class GeneralizationSectionTest {

    private static final List<ClaimResult> CLAIMS = List.of(
            DemoInput.comparison(
                    "length.comparison.a",
                    "Task A",
                    Outcome.SUPPORTED,
                    List.of("closed form", "1 layer", "2 layers"),
                    0.1),
            DemoInput.comparison("length.figure-9.left", "No task", Outcome.SUPPORTED, List.of("something else"), 0.1),
            DemoInput.comparison(
                    "parity.comparison.b", "Task B", Outcome.REFUTED, List.of("2 layers", "1 layer"), 0.2));

    @Test
    void aPanelATaskOverTheSameAxesWithTheSameLines() {
        Generalization tasks = Objects.requireNonNull(GeneralizationSection.of(CLAIMS));
        assertThat(tasks.group().plots()).extracting(Plot::title).containsExactly("Task A", "Task B");
        assertThat(tasks.group().legend())
                .extracting(Plot.Key::name)
                .containsExactly("closed form", "1 layer", "2 layers");
        // The first task has points to 3, the second to 4; shares of both are above 0.3.
        for (Plot plot : tasks.group().plots()) {
            assertThat(Jsoup.parse(plot.wideSvg()).select("text").eachText())
                    .as(plot.title())
                    .contains("log2 of T / N", "share of right answers", "4", "0.0", "1.0");
        }
        // A line keeps its colour where it is another one of its task.
        String closedForm = SeriesStyle.of(0).colour();
        String twoLayers = SeriesStyle.of(2).colour();
        assertThat(tasks.group().plots().get(0).wideSvg()).contains(closedForm, twoLayers);
        assertThat(tasks.group().plots().get(1).wideSvg()).contains(twoLayers).doesNotContain(closedForm);
    }

    @Test
    void theNumbersOfAllTasksAreOneTable() {
        Table table =
                Objects.requireNonNull(GeneralizationSection.of(CLAIMS)).group().data();
        assertThat(table.columns())
                .containsExactly(
                        "task: model",
                        "log2 of T / N = 0",
                        "log2 of T / N = 1",
                        "log2 of T / N = 2",
                        "log2 of T / N = 3",
                        "log2 of T / N = 4");
        assertThat(table.rows()).hasSize(5);
        assertThat(table.rows().get(1).cells())
                .containsExactly(
                        "Task A: 1 layer", "1 [0.95, 1]", "0.9 [0.85, 0.9]", "0.8 [0.75, 0.8]", "0.7 [0.65, 0.7]", "");
        assertThat(table.rows().get(3).cells()).containsExactly("Task B: 2 layers", "1", "1", "1", "1", "1");
    }

    @Test
    void thePageLeadsFromEachTaskToItsClaim() throws Exception {
        Document page = Jsoup.parse(Report.html(DemoInput.of(new ReportInput.Claims("claims.json", CLAIMS), null)));
        Element section = Objects.requireNonNull(page.getElementById("generalization"));
        assertThat(section.select(".panel")).hasSize(2);
        assertThat(section.select(".verdicts li").eachText())
                .containsExactly("✓ Supported length.comparison.a", "✕ Refuted parity.comparison.b");
        for (Element link : section.select(".verdicts a")) {
            assertThat(page.getElementById(link.attr("href").substring(1)))
                    .as(link.attr("href"))
                    .isNotNull();
        }
        assertThat(page.select("nav a[href=#generalization]")).hasSize(1);
    }

    @Test
    void withoutSuchClaimsThereIsNoSuchSection() throws Exception {
        List<ClaimResult> others = List.of(CLAIMS.get(1));
        assertThat(GeneralizationSection.of(others)).isNull();
        Document page = Jsoup.parse(Report.html(DemoInput.of(new ReportInput.Claims("claims.json", others), null)));
        assertThat(page.getElementById("generalization")).isNull();
        assertThat(page.select("nav a[href=#generalization]")).isEmpty();
    }
}

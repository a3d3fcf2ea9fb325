package org.lemmata.claim.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.claim.Budget;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.ProbeFigure;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.Evidence;

/** Campaigns over figures of probes, of six cells at the paper's size. */
class CampaignTest {

    @TempDir
    private Path directory;

    private Evidence evidence;

    @BeforeEach
    void open() {
        evidence = new Evidence(directory.resolve("evidence"));
    }

    private Campaign campaign(FigureClaim... claims) {
        return new Campaign(Budget.FULL, List.of(claims), evidence, directory.resolve("work"));
    }

    /** A claim on a separate figure. */
    private static FigureClaim on(String figure) {
        return ProbeFigure.on(new FigureGrid("depth." + figure, ProbeFigure.class, "probe-figure.yaml"));
    }

    private List<String> lines() throws IOException {
        return Files.exists(evidence.file("depth")) ? Files.readAllLines(evidence.file("depth")) : List.of();
    }

    /** Runs the first remaining figure, and stops once {@code cells} cells have ended. */
    private SweepRun.Progress sit(Campaign campaign, int cells) throws IOException {
        var stop = new AtomicBoolean(cells == 0);
        int before = lines().size();
        return campaign.run(campaign.left().getFirst(), stop::get, (progress, ended) -> {
            if (ended.isPresent()) {
                try {
                    stop.compareAndSet(false, lines().size() >= before + cells);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    @Test
    void whatTheFewestCellsDecideComesFirst() throws IOException {
        FigureClaim one = on("one");
        FigureClaim two = on("two");
        assertThat(campaign(one, two, two).left())
                .extracting(part -> part.grid().id(), Campaign.Part::claims)
                .containsExactly(tuple("depth.two", 2L), tuple("depth.one", 1L));
    }

    @Test
    void eachCellIsAddedAsItEndsAndSittingsGoOn() throws IOException {
        Campaign campaign = campaign(ProbeFigure.CLAIM);
        assertThat(campaign.left()).singleElement().satisfies(part -> {
            assertThat(part.left().cells()).hasSize(6);
            assertThat(part.seconds()).isNaN();
        });
        sit(campaign, 1);
        List<String> first = lines();
        assertThat(first).hasSizeBetween(1, 5);
        assertThat(campaign.left()).singleElement().satisfies(part -> {
            assertThat(part.left().cells()).hasSize(6 - first.size());
            assertThat(part.all()).isEqualTo(6);
            assertThat(part.seconds()).isPositive();
        });
        while (!campaign.left().isEmpty()) {
            sit(campaign, 1);
        }
        // Earlier lines are unchanged.
        assertThat(lines()).hasSize(6).containsAll(first);
        try (Stream<Path> left = Files.list(directory.resolve("work"))) {
            assertThat(left).isEmpty();
        }
    }

    /** Work is stored by lane width. Cells that a kill kept out of the evidence are added without recomputation. */
    @Test
    void aKillBetweenACellAndTheEvidenceLosesNothing() throws IOException {
        Campaign campaign = campaign(ProbeFigure.CLAIM);
        sit(campaign, 1);
        List<String> first = lines();
        Path work = directory.resolve("work/depth.probe-full-none");
        assertThat(work).isDirectory();
        Files.delete(evidence.file("depth"));
        sit(campaign, 0);
        assertThat(lines()).containsExactlyElementsOf(first);
        Files.delete(evidence.file("depth"));
        Files.delete(work.resolve("results.jsonl"));
        sit(campaign, 6);
        assertThat(lines()).hasSize(6).containsAll(first);
    }
}

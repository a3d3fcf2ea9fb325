package org.lemmata.claim.symbol.figure;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.symbol.figure.TemplateRuns.Answer;
import org.lemmata.track.CellRecord;

/**
 * Boix-Adsera et al. (2024), figures 14 to 18: what makes a template task hard. Figures 17 and 18 have one caption; B.2
 * says that the number of templates is varied, too, so that figure 18 is tested with four templates. Random templates
 * are disjoint here, or some would have no right answer.
 */
final class DifficultyFigures {

    private static final int SAMPLES = 512;

    private static final TemplateAxis LENGTH = new TemplateAxis("task.settings.length", "length", false);
    private static final TemplateAxis WILDCARDS = new TemplateAxis("task.settings.wildcards", "wildcards", false);
    private static final TemplateAxis TOKENS = new TemplateAxis("task.settings.tokens", "regular tokens", false);
    private static final TemplateAxis TEMPLATES = new TemplateAxis("task.settings.templates", "templates", false);

    private static final FigureSentences<TemplateRuns> FIGURE_14 = figure(
            14,
            14,
            "aba against abb, aabb against abab, majorities",
            "majorities of length 2, 4, 6 and 8, n = 16 to 8,192",
            "without the majority of length 6, n = 512");

    private static final FigureSentences<TemplateRuns> FIGURE_15 =
            figure(15, 15, "two random templates", "lengths 2 to 8, n = 16 to 8,192", "lengths 2, 4 and 8, n = 512");

    private static final FigureSentences<TemplateRuns> FIGURE_16 = figure(
            16,
            16,
            "two random templates of length 5",
            "2 to 5 wildcards, n = 16 to 8,192",
            "2 and 5 wildcards, n = 512");

    private static final String PAPER_17 = "0 to 2 regular tokens, 2 and 4 templates, n = 16 to 8,192";

    private static final String OURS_17 = "0 and 2 regular tokens, 2 and 4 templates, n = 256";

    private static final String CONTROL = "aba-abb";

    /** "quickly" is no number in the paper. */
    private static final double HALF = 0.5;

    /** Every sentence, in the order of the figures. */
    static final List<FigureClaim> CLAIMS = List.of(
            FIGURE_14.claim(
                    "universal",
                    "generalizes on symbols unseen in train data regardless of which and how many templates are used"
                            + " (section 1.1.2)",
                    "At n = 512 the test loss of each task is significantly below 1, that of always 0; aba against abb"
                            + " is the control. More samples may do where these do not: nothing is refuted.",
                    DifficultyFigures::universal),
            new TemplateTrend(15, "Random templates", LENGTH, SAMPLES)
                    .rises(FIGURE_15, "Performance degrades as the template length increases"),
            new TemplateTrend(16, "Random templates", WILDCARDS, SAMPLES)
                    .rises(FIGURE_16, "Performance generally degrades as the wildcard alphabet size increases"),
            tokens(17, 2),
            tokens(18, 4));

    private DifficultyFigures() {}

    private static FigureSentences<TemplateRuns> figure(int number, int grid, String task, String paper, String ours) {
        return SymbolFigures.sentences(
                number,
                grid,
                "appendix B.2",
                Answer.LABEL,
                task,
                SymbolFigures.TRANSFORMER + paper,
                SymbolFigures.FEWER_CELLS + ours);
    }

    private static String task(CellRecord run) {
        String name = run.settings().getOrDefault("task.name", "");
        String length = run.settings().get("task.settings.length");
        return length == null ? name : name + " of length " + length;
    }

    private static void universal(TemplateRuns runs, Judgement judgement) {
        var tasks = new TreeMap<String, TemplateRuns>();
        runs.records()
                .forEach(run -> tasks.computeIfAbsent(
                        task(run), name -> runs.with(each -> task(each).equals(name))));
        TemplateRuns control = runs.with(run -> task(run).equals(CONTROL));
        control.learned(CONTROL, judgement);
        tasks.forEach((name, some) -> TemplateAxis.ask(
                some.loss(),
                "test loss, " + name,
                (loss, text, to) -> to.add(text + " < 1", loss.interval().high() < 1, false),
                judgement));
    }

    private static FigureClaim tokens(int figure, int templates) {
        return figure(figure, 17, templates + " random templates of length 5", PAPER_17, OURS_17)
                .claim(
                        "regular-tokens",
                        "Performance quickly improves as the regular token alphabet size increases",
                        "At n = 256 the test loss with the most regular tokens is significantly below half (ours) of"
                                + " that with none.",
                        (all, judgement) -> {
                            TemplateRuns runs = all.with(TEMPLATES, templates);
                            TOKENS.learned(runs, ", " + TEMPLATES.at(templates), judgement);
                            NavigableMap<Double, TemplateRuns> by = runs.by(TOKENS);
                            TemplateAxis.ask(
                                    SeedMean.ratio(
                                            by.lastEntry().getValue().losses(),
                                            by.firstEntry().getValue().losses()),
                                    "test loss, " + TOKENS.at(by.lastKey()) + ", over that of "
                                            + TOKENS.at(by.firstKey()),
                                    (ratio, text, to) -> to.add(
                                            text + " < " + HALF,
                                            ratio.interval().high() < HALF,
                                            ratio.interval().low() > HALF),
                                    judgement);
                            judgement.show(TOKENS.picture(
                                    templates + " random templates by regular tokens",
                                    "figure " + figure,
                                    runs.lines(TEMPLATES)));
                        });
    }
}

package org.lemmata.figure.hierarchy;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.Sizes;
import org.lemmata.figure.hierarchy.BracketRates.Language;
import org.lemmata.figure.hierarchy.BracketRates.Model;
import org.lemmata.figure.hierarchy.BracketRates.Quantity;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;

/**
 * Hayakawa and Sato (2024), figures 3 and 8 to 11: the sentences of section 6.1 about figure 3, tested on each of these
 * figures. The sentences compare the models with the most layers. "Significantly" refers to 95% intervals.
 *
 * <p>At the reduced size, n_max is 64, and longer test sequences have up to 76 tokens. At all sizes, positions beyond
 * n_max in a table of positions are untrained.
 */
final class BracketFigure {

    /** Our reading of "noticeable": the paper gives no number. */
    private static final double NOTICEABLE = 0.05;

    private static final String WHAT = "next-token models of width 30 with one head, norms within the feed-forward"
            + " part and no biases, with and without positions and <bos>, 5 seeds; words up to n_max and to 1.2 times"
            + " that; ";

    private static final String DYCK = "1, 2, 4, 8 and 16";

    private static final String SHUFFLE_DYCK = "2, 4, 8 and 16";

    private static final String OURS = "2, 8 and 16";

    private static final String WITH_AND_WITHOUT = ", with and without <bos>.";

    static final List<FigureClaim> CLAIMS = Stream.of(
                    claims("3", Quantity.CLOSING, "3", "Dyck_8 and Shuffle-Dyck_8", "8", "8"),
                    claims("8", Quantity.CLOSING, "8", "Dyck_k", DYCK, OURS),
                    claims("9", Quantity.CLOSING, "9", "Shuffle-Dyck_k", SHUFFLE_DYCK, OURS),
                    claims("10", Quantity.VARIATION, "8", "Dyck_k", DYCK, OURS),
                    claims("11", Quantity.VARIATION, "9", "Shuffle-Dyck_k", SHUFFLE_DYCK, OURS))
            .flatMap(List::stream)
            .toList();

    /**
     * @param paper the paper's k
     * @param full the k of the full budget
     */
    private static List<FigureClaim> claims(
            String figure, Quantity quantity, String grid, String languages, String paper, String full) {
        String reduced = paper.equals(full) ? "" : ", only k = 8";
        String measured =
                quantity.title + (quantity.high ? " (the mean probability of a right type, if a bracket closes)" : "");
        String always = " This holds for " + languages + (languages.contains("_k") ? " with each tested k" : "")
                + ", for the models with the most layers";
        String source = figure.equals("3") ? "" : " (section 6.1, of figure 3)";
        var sentences = new FigureSentences<>(
                "hierarchy.figure-" + figure,
                new Source(Paper.HIERARCHY, "figure " + figure + ", section 6.1 and appendix R.1"),
                new FigureGrid("hierarchy.figure-" + grid, BracketFigure.class, "figure-" + grid + ".yaml")
                        .withMedium(),
                new Sizes(
                        WHAT + languages,
                        "n_max = 700, 1 to 10 layers, k = " + paper + ", the better of two learning rates, 3,000 steps"
                                + " of 2 batches of 16 words; the full budget has 2 and 10 layers, k = " + full
                                + ", one rate",
                        "fewer cells of the paper's size: 2 layers" + reduced,
                        "n_max = 64, 3 layers, 1,000 steps of 32 words" + reduced),
                cells -> BracketRates.of(cells, quantity));

        return List.of(
                sentences.claim(
                        "within",
                        "PE lets models achieve higher accuracy on ID data compared to NoPE" + source,
                        "On tokens of test words up to n_max, the maximum training length, next-token models with"
                                + " positions have a significantly " + (quantity.high ? "higher " : "lower ") + measured
                                + " than models without positions." + always + WITH_AND_WITHOUT,
                        (rates, judgement) -> {
                            compare(rates, judgement, (language, start) -> {
                                Model with = rates.deepest(language, true, start);
                                Model without = rates.deepest(language, false, start);
                                better(rates, judgement, with, rates.within(), without, rates.within());
                            });
                            rates.languages()
                                    .forEach(language -> judgement.show(rates.picture(language, "figure " + figure)));
                        }),
                sentences.claim(
                        "beyond",
                        "the performance with PE on OOD data drops significantly" + source,
                        "Next-token models with positions have a significantly "
                                + (quantity.high ? "lower " : "higher ") + measured
                                + " on tokens of test words after n_max, the maximum training length, than on tokens up"
                                + " to n_max." + always + WITH_AND_WITHOUT,
                        (rates, judgement) -> compare(rates, judgement, (language, start) -> {
                            Model with = rates.deepest(language, true, start);
                            better(rates, judgement, with, rates.within(), with, rates.beyond());
                        })),
                sentences.claim(
                        "slightly",
                        "for NoPE, the performance on OOD data drops slightly compared to that on ID data" + source,
                        "From tokens of test words up to n_max, the maximum training length, to later tokens, the "
                                + measured + (quantity.high ? " falls" : " rises")
                                + " significantly less for next-token models"
                                + " without positions than for models with them." + always + WITH_AND_WITHOUT,
                        (rates, judgement) -> compare(rates, judgement, (language, start) -> {
                            Model without = rates.deepest(language, false, start);
                            Model with = rates.deepest(language, true, start);
                            Interval less = loss(rates, without);
                            Interval more = loss(rates, with);
                            judgement.below(text("loss, " + without, less), less, text("with positions", more), more);
                        })),
                sentences.claim(
                        "start",
                        "we did not observe a noticeable difference between BOS and NoBOS" + source,
                        "Next-token models with <bos> and without it differ in the " + measured
                                + " by significantly less than 0.05 (our threshold)." + always
                                + ", with and without positions, and separately for tokens of test words up to n_max,"
                                + " the maximum training length, and for later tokens.",
                        (rates, judgement) -> compare(
                                rates,
                                judgement,
                                (language, positions) -> rates.lengths().forEach(length -> {
                                    Model with = rates.deepest(language, positions, true);
                                    SeedRate a = rates.rate(with, length);
                                    SeedRate b = rates.rate(rates.deepest(language, positions, false), length);
                                    Interval difference = a.minus(b);
                                    judgement.within(
                                            text(rates.name(with, length) + ", less NoBOS", difference),
                                            difference,
                                            -NOTICEABLE,
                                            NOTICEABLE);
                                }))));
    }

    /**
     * Requires that models have learned, and measures all models. Makes the comparison for each language twice: with
     * and without the feature (positions or &lt;bos&gt;) that the compared models share.
     */
    private static void compare(BracketRates rates, Judgement judgement, BiConsumer<Language, Boolean> comparison) {
        rates.learned(judgement);
        for (Model model : rates.runs().keySet()) {
            rates.lengths().forEach(length -> judgement.measure(rates.name(model, length), rates.rate(model, length)));
        }
        for (Language language : rates.languages()) {
            comparison.accept(language, true);
            comparison.accept(language, false);
        }
    }

    private static void better(
            BracketRates rates, Judgement judgement, Model one, int oneLength, Model other, int otherLength) {
        String name = rates.name(one, oneLength);
        String otherName = rates.name(other, otherLength);
        SeedRate rate = rates.rate(one, oneLength);
        SeedRate otherRate = rates.rate(other, otherLength);
        if (rates.quantity().high) {
            judgement.below(otherName, otherRate, name, rate);
        } else {
            judgement.below(name, rate, otherName, otherRate);
        }
    }

    private static Interval loss(BracketRates rates, Model model) {
        SeedRate within = rates.rate(model, rates.within());
        SeedRate beyond = rates.rate(model, rates.beyond());
        return rates.quantity().high ? within.minus(beyond) : beyond.minus(within);
    }

    private static String text(String name, Interval difference) {
        return Judgement.text(name, "%.3f", difference.middle(), difference);
    }
}

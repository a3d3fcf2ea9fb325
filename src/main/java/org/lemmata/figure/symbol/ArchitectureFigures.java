package org.lemmata.figure.symbol;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.SeedRate;
import org.lemmata.figure.symbol.TemplateRuns.TemplateModel;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * Boix-Adsera et al. (2024), figures 1 to 3, 19 and 21: sentences that compare architectures on template tasks. Figures
 * 19 and 21 have the task aba against abb. The paper does not give the learning rate of a and b, so two are tested: the
 * model's learning rate and a separate one.
 */
final class ArchitectureFigures {

    private static final String TASK = "aba against abb";

    /** The beginning of statements about {@link #TASK}. */
    static final String TELL_APART = "Task: to tell the templates aba and abb apart. ";

    /**
     * Our reading of "dramatically improves data-efficiency": a test loss below this bound at an n at which the plain
     * transformer has not learned.
     */
    static final double LEARNED = 0.1;

    static final double NOT_LEARNED = 0.5;

    /** The end of statements that hold if one n satisfies them: the condition of the verdict Refuted. */
    static final String WHEN_REFUTED =
            " The verdict is Refuted only if the plain transformer's loss is below 0.5 at the largest n. If it is not,"
                    + " a larger n may satisfy the claim, so the verdict is Inconclusive.";

    private static final String MODEL_RATE =
            " Here a and b have the model's learning rate; in the authors' model, a I and b I are multiplied by 10.";

    private static final String OWN_RATE =
            " Here a and b have their own learning rate of 0.1; in the authors' model, a I and b I are multiplied by"
                    + " 100 instead.";

    private static final String BETTER =
            "Add a I to W_K W_Q^T and b I to W_V W_O in every head, with trainable a and b. At the largest number n of"
                + " samples at which both were trained, this transformer has a significantly lower test loss than the"
                + " plain transformer.";

    private static final TemplateModel KEY_QUERY = new TemplateModel(false, false, true, false, false);

    private static final FigureSentences<TemplateRuns> FIGURE_19 = SymbolFigures.figure(19);

    private static final FigureSentences<TemplateRuns> FIGURE_21 = SymbolFigures.figure(21);

    static final List<FigureClaim> CLAIMS = List.of(
            FIGURE_19.claim("transformer", """
                Transformer outperforms
                | Task: to tell the templates aba and abb apart. At the largest number n of samples at which both were
                trained, the plain transformer has a significantly lower test loss on unseen symbols than the
                multilayer perceptron.
                """, shown(19, (runs, judgement) -> {
                TemplateRuns most = atMost(runs, TemplateModel.PERCEPTRON);
                TemplateRuns transformer = TemplateModel.TRANSFORMER.of(most);
                transformer.learned("transformer", judgement);
                transformer.below("transformer", TemplateModel.PERCEPTRON.of(most), "MLP", judgement);
            })),
            eachBetter("identities", MODEL_RATE, false),
            eachBetter("identities.own-rate", OWN_RATE, true),
            new FigureSentences<>(
                            "symbol",
                            new Source(Paper.SYMBOL, "observation 1.2 and section 4.3"),
                            FIGURE_19.grid(),
                            FIGURE_19.sizes(),
                            FIGURE_19.read())
                    .claim(
                            "observation-1.2",
                            "Adding one trainable parameter a to each attention head ... dramatically improves"
                                    + " transformers' data-efficiency on template tasks",
                            TELL_APART
                                    + "Add a I to W_K W_Q^T in every head, with a trainable a. At some number n of"
                                    + " samples, this transformer's test loss is below 0.1 and the plain transformer's"
                                    + " above 0.5 (our thresholds). Here a has its own learning rate of 0.1; in the"
                                    + " authors' model, a I is multiplied by 100 instead." + WHEN_REFUTED,
                            (runs, judgement) -> data(runs, KEY_QUERY.atOwnRate(), judgement)),
            FIGURE_19.claim("order", """
                empirically lowers the quantity of data needed by an order of magnitude (section 1.1.2)
                | Task: to tell the templates aba and abb apart. Add a I to W_K W_Q^T and b I to W_V W_O in every head,
                with trainable a and b that have their own learning rate of 0.1 (in the authors' model, a I and b I are
                multiplied by 100 instead). With the smallest number n of samples, this transformer has a significantly
                lower test loss than the plain transformer with the largest n. At the reduced size the largest n is 8
                times the smallest.
                """, ArchitectureFigures::order),
            FIGURE_21.claim("incidence", """
                a data augmentation that improves performance
                | Task: to tell the templates aba and abb apart. At the largest number n of samples, the multilayer
                perceptron that also reads X X^T (which positions have equal tokens) has a significantly lower test
                loss on unseen symbols than the multilayer perceptron that does not read it.
                """, shown(21, (runs, judgement) -> {
                TemplateRuns most = atMost(runs, TemplateModel.WITH_INCIDENCE);
                TemplateRuns with = TemplateModel.WITH_INCIDENCE.of(most);
                with.learned("MLP with X X^T", judgement);
                TemplateModel.TRANSFORMER.of(most).measure("transformer", judgement);
                with.below("with X X^T", TemplateModel.PERCEPTRON.of(most), "without", judgement);
            })));

    /** {@code judge}, followed by the figure's plot; for only one sentence of each figure. */
    private static BiConsumer<TemplateRuns, Judgement> shown(int figure, BiConsumer<TemplateRuns, Judgement> judge) {
        return judge.andThen((runs, judgement) ->
                TemplateAxis.SAMPLES.show(judgement, TASK + " by architecture", figure, TemplateModel.lines(runs)));
    }

    /** The runs of all models at the largest n at which {@code model} ran. */
    static TemplateRuns atMost(TemplateRuns runs, TemplateModel model) {
        return runs.with(
                TemplateAxis.SAMPLES, model.of(runs).by(TemplateAxis.SAMPLES).lastKey());
    }

    private static FigureClaim eachBetter(String part, String rate, boolean ownRate) {
        return FIGURE_19.claim(
                part,
                "especially with the reparametrization that prioritizes identities in heads",
                TELL_APART + "Add a I to W_K W_Q^T in every head, alone or together with b I added to W_V W_O, with"
                        + " trainable a and b. At the largest number n of samples at which both were trained, each of"
                        + " these two transformers has a significantly lower test loss than the plain transformer."
                        + rate,
                (runs, judgement) -> List.of(KEY_QUERY, TemplateModel.WITH_BOTH)
                        .forEach(model -> better(runs, ownRate ? model.atOwnRate() : model, judgement)));
    }

    static void better(TemplateRuns runs, TemplateModel model, Judgement judgement) {
        TemplateRuns most = atMost(runs, model);
        TemplateRuns with = model.of(most).atBestRate();
        TemplateRuns plain = TemplateModel.TRANSFORMER.of(most).atBestRate();
        plain.measure("transformer", judgement);
        with.learned(model.toString(), judgement);
        with.below(model.toString(), plain, "plain", judgement);
    }

    /**
     * Requires an n at which the loss of {@code model} is below {@link #LEARNED} and the plain transformer's loss is
     * above {@link #NOT_LEARNED}. If the plain transformer's loss is above its bound even at the largest n, a larger n
     * may suffice, and nothing is refuted.
     */
    static void data(TemplateRuns runs, TemplateModel model, Judgement judgement) {
        TemplateRuns with = model.of(runs);
        TemplateAxis.SAMPLES.learned(with, ", " + model, judgement);
        var texts = new ArrayList<String>();
        boolean holds = false;
        boolean fails = true;
        boolean plainLearned = false;
        for (var at : TemplateAxis.SAMPLES.points(with).entrySet()) {
            SeedMean better = at.getValue().loss();
            SeedMean plain = TemplateModel.TRANSFORMER
                    .of(runs)
                    .with(TemplateAxis.SAMPLES, at.getKey())
                    .atBestRate()
                    .loss();
            String n = ", " + TemplateAxis.SAMPLES.at(at.getKey());
            texts.add(better.text("test loss, " + model + n) + " < " + LEARNED + " and " + plain.text("plain" + n)
                    + " > " + NOT_LEARNED);
            holds |= better.interval().high() < LEARNED && plain.interval().low() > NOT_LEARNED;
            plainLearned = plain.interval().high() < NOT_LEARNED;
            fails &= better.interval().low() > LEARNED || plainLearned;
        }
        String larger = fails && !plainLearned ? "; a larger n may do" : "";
        judgement.add(String.join(" or ", texts) + larger, holds, fails && plainLearned);
    }

    private static void order(TemplateRuns runs, Judgement judgement) {
        TemplateRuns with = TemplateModel.WITH_BOTH.atOwnRate().of(runs);
        TemplateRuns plain = TemplateModel.TRANSFORMER.of(runs);
        double fewest = with.by(TemplateAxis.SAMPLES).firstKey();
        double most = plain.by(TemplateAxis.SAMPLES).lastKey();
        String name = "with a I and b I, " + TemplateAxis.SAMPLES.at(fewest);
        with.with(TemplateAxis.SAMPLES, fewest).learned(name, judgement);
        with.with(TemplateAxis.SAMPLES, fewest)
                .below(
                        name,
                        plain.with(TemplateAxis.SAMPLES, most),
                        "plain, " + TemplateAxis.SAMPLES.at(most),
                        judgement);
    }

    private static final String PROGRAMS =
            "Task: given a program that sets two variables and prints one of them, answer the printed ";

    private static final String NUMBERS =
            PROGRAMS + "number, 1 or -1. Test programs have variable names that do not occur in training. ";

    private static final String SYMBOLS =
            PROGRAMS + "symbol. Test programs have variable names and symbols that do not occur in training. ";

    /** Figure 1: programs of two variables, one of which is printed. The label is the printed number, 1 or -1. */
    private static final FigureSentences<TemplateRuns> FIGURE_1 = SymbolFigures.figure(1);

    /** Figure 2: the same programs; the label is the symbol that the printed variable holds. */
    private static final FigureSentences<TemplateRuns> FIGURE_2 = SymbolFigures.figure(2);

    static final List<FigureClaim> BINDING = List.of(
            FIGURE_1.claim("samples", """
                as the training set size increases, the LLM's ability to reason outside of its training data
                improves
                | %sA doubling of the number n of samples multiplies the test loss of the plain transformer by
                significantly less than 1.
                """.formatted(NUMBERS), (runs, judgement) -> {
                TemplateRuns plain = TemplateModel.TRANSFORMER.of(runs);
                TemplateAxis.SAMPLES.learned(plain, "", judgement);
                TemplateAxis.SAMPLES.ask(plain, "", TemplateAxis::isBelowOne, judgement);
                TemplateAxis.SAMPLES.show(judgement, "Programs with real labels", 1, TemplateModel.lines(runs));
            }),
            FIGURE_1.claim(
                    "identities",
                    "a slightly modified transformer architecture ..., which solves the reasoning task with less"
                            + " training data",
                    NUMBERS + BETTER + MODEL_RATE,
                    (runs, judgement) -> better(runs, TemplateModel.WITH_BOTH, judgement)),
            FIGURE_1.claim(
                    "identities.own-rate",
                    "solves the reasoning task with less training data",
                    NUMBERS + BETTER + OWN_RATE,
                    (runs, judgement) -> better(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)),
            FIGURE_1.claim(
                    "data",
                    "empirically lowers the quantity of data needed (section 1.1.2)",
                    "Take the task and the transformer of symbol.figure-1.identities.own-rate. At some number n of"
                            + " samples, its test loss is below 0.1 and the plain transformer's above 0.5 (our"
                            + " thresholds)." + WHEN_REFUTED,
                    (runs, judgement) -> data(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)),
            FIGURE_2.claim(
                    "identities",
                    "Our modified transformer learns the reasoning task with less data",
                    SYMBOLS + BETTER + MODEL_RATE,
                    (runs, judgement) -> {
                        better(runs, TemplateModel.WITH_BOTH, judgement);
                        TemplateAxis.SAMPLES.show(
                                judgement, "Programs with symbolic labels", 2, TemplateModel.lines(runs));
                    }),
            FIGURE_2.claim(
                    "identities.own-rate",
                    "Our modified transformer learns the reasoning task with less data",
                    SYMBOLS + BETTER + OWN_RATE,
                    (runs, judgement) -> better(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)));

    private static final TemplateAxis WIDTH = new TemplateAxis("model.width", "width", true);

    private static final TemplateModel WITH = TemplateModel.WITH_BOTH.atOwnRate();

    private static final int APART = 64;

    /** Our reading of "success", for which the paper gives no number: at least nine tenths of the answers are right. */
    private static final double SUCCESS = 0.9;

    /**
     * Boix-Adsera et al. (2024), figure 3: copying a symbol with tied embeddings, with and without b I, by embedding
     * dimension. The models with b I are the positive control for the models without.
     */
    private static final FigureSentences<TemplateRuns> FIGURE_3 = SymbolFigures.figure(3);

    static final List<FigureClaim> COPYING = List.of(
            FIGURE_3.claim("width", """
                Inverse scaling law: Transformers fail on copy task as embedding dimension grows
                | At the epoch with the best validation loss, a doubling of the width multiplies the test loss of the
                plain transformer on copying an unseen symbol by significantly more than 1. Here n = 64 samples, or 512
                in our earlier model (docs/errata.md). As a control, transformers with a I added to W_K W_Q^T and b I
                to W_V W_O must learn the task if b has its own learning rate (in the authors' model, if a I and b I
                are multiplied by 100).
                """, (all, judgement) -> {
                TemplateRuns runs = apart(all);
                WIDTH.learned(WITH.of(runs), ", with b I", judgement);
                WIDTH.ask(TemplateModel.TRANSFORMER.of(runs), "", TemplateAxis::isAboveOne, judgement);
                // The authors' points are at n = 64.
                SortedMap<String, NavigableMap<Double, AuthorsCurves.Point>> authors =
                        runs.by(TemplateAxis.SAMPLES).firstKey() == APART
                                ? AuthorsCurves.of(3, WIDTH)
                                : new TreeMap<>();
                WIDTH.show(judgement, "Copying by width", 3, authors, TemplateModel.lines(runs));
            }),
            FIGURE_3.claim("width.last", """
                Inverse scaling law: Transformers fail on copy task as embedding dimension grows
                | On copying of an unseen symbol, the plain transformer has a significantly higher test loss after the
                last epoch at the largest width than at the smallest.
                """, (all, judgement) -> {
                TemplateRuns runs = apart(all);
                WIDTH.learned(WITH.of(runs), ", with b I", judgement);
                TemplateRuns plain = TemplateModel.TRANSFORMER.of(runs);
                double least = plain.by(WIDTH).firstKey();
                double largest = plain.by(WIDTH).lastKey();
                SeedMean narrow = plain.with(WIDTH, least).atBestRate().lastLoss();
                SeedMean wide = plain.with(WIDTH, largest).atBestRate().lastLoss();
                judgement.measure(narrow.measured("last test loss, " + WIDTH.at(least), "nats"));
                judgement.measure(wide.measured("last test loss, " + WIDTH.at(largest), "nats"));
                judgement.below("last test loss, " + WIDTH.at(least), narrow, WIDTH.at(largest), wide);
            }),
            FIGURE_3.claim("identity", """
                Success when reparametrizing
                | Add a I to W_K W_Q^T and b I to W_V W_O in every head, with a separate learning rate for b (in the
                authors' model, a I and b I are multiplied by 100 instead). At the largest width, at least 0.9 (our
                threshold) of this transformer's copies of unseen symbols are right.
                """, (runs, judgement) -> success(runs, WITH, judgement)),
            FIGURE_3.claim(
                    "identity.model-rate",
                    """
                    Success when reparametrizing
                    | Add a I to W_K W_Q^T and b I to W_V W_O in every head, with the model's learning rate for a and b (in
                    the authors' model, a I and b I are multiplied by 10). At the largest width, at least 0.9 (our threshold)
                    of this transformer's copies of unseen symbols are right. As a control, transformers whose b has its own
                    learning rate must learn the task.
                    """,
                    (runs, judgement) -> success(runs, TemplateModel.WITH_BOTH, judgement)));

    private static void success(TemplateRuns all, TemplateModel model, Judgement judgement) {
        TemplateRuns runs = apart(all);
        WIDTH.learned(WITH.of(runs), ", with b I", judgement);
        double largest = runs.by(WIDTH).lastKey();
        for (TemplateModel each : List.of(TemplateModel.TRANSFORMER, TemplateModel.WITH_BOTH, WITH)) {
            judgement.measure("right, " + each, right(runs, each, largest));
        }
        judgement.atLeast("right, " + model + ", " + WIDTH.at(largest), right(runs, model, largest), SUCCESS);
    }

    private static SeedRate right(TemplateRuns runs, TemplateModel model, double width) {
        return model.of(runs).with(WIDTH, width).atBestRate().accuracy();
    }

    /**
     * The runs at n = 64, at which the authors' curves of different widths are separate. For our earlier model, all
     * runs; they have n = 512.
     */
    private static TemplateRuns apart(TemplateRuns runs) {
        TemplateRuns apart = runs.with(TemplateAxis.SAMPLES, APART);
        return apart.records().isEmpty() ? runs : apart;
    }
}

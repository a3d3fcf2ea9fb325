package org.lemmata.figure.symbol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Verdict;
import org.lemmata.figure.symbol.TemplateRuns.Answer;
import org.lemmata.measure.HeadDiagonals;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Gpt2Weights;
import org.lemmata.setting.Setting;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/** The claims about the figures of Boix-Adsera et al. (2024). */
public final class SymbolFigures implements ClaimProvider {

    private static final String TRANSFORMER =
            "two layers of 16 heads of 64 columns, width 128, 1,000 epochs in batches of at most 1,024, 5 seeds; ";

    private static final String AUTHORS_MODEL = "cells of the authors' model: ";

    /**
     * The prefix of sizes, until cells of the authors' model are recorded. Our earlier model has no [CLS], and its
     * initial weights differ.
     */
    private static final String EARLIER_MODEL = "our earlier model: ";

    /**
     * A row per figure: its number, the figure whose grid has its cells, the section with its settings, the kind of
     * answer, the task, and three sizes. The sizes are the paper's size (after {@link #TRANSFORMER} if the answer is a
     * label), the size of the cells of the authors' model, and the size of the cells of our earlier model.
     */
    private static final Map<Integer, FigureSentences<TemplateRuns>> FIGURES = Stream.of("""
        1 | 1 | appendix A | LABEL | a=1;b=-1;print(a) against print(b) | 4 rates, n = 4 to 8,192
          | the rate 1e-3, n = 64, 256 and 512; a multiplier of 100 at n = 64 only
          | the rate 1e-3, n = 64, 256 and 512
        2 | 2 | appendix A | VALUE | a="x";b="y";print(a) against print(b)
          | four layers of 16 heads of 64 columns, width 512, 1,000 epochs in batches of 1,024, 5 seeds; 4 rates, n = 4
            to 262,144
          | width 64 with 4 heads, the rate 1e-3, n = 64, 512, 4,096 and 8,192; a multiplier of 100 at n = 64 only
          | width 64 with 4 heads; the rate 1e-3, n = 64 and 512
        3 | 3 | appendix A | COPY | copying of one symbol
          | two layers of 16 heads of 64 columns, widths 64 to 4,096, n = 4 to 2,048, 1,000 epochs in batches of at most
            1,024, 4 rates, 5 seeds
          | the rate 1e-3, widths 64 to 512, n = 16 to 512; a multiplier of 100 at n = 64 only
          | section 5's attention layer, the rate 1e-3, widths 16, 64 and 256, n = 512
        6 | 6 | appendix B.1 | LABEL | aba against abb | 8 rates, n = 16 to 8,192
          | 3 rates, n = 128 and 512; the rate 1e-3, n = 128 to 1,024 | 3 rates, n = 128 and 512
        7 | 7 | appendix B.1 | LABEL | aba against abb | 6 rates, depths 1 to 16, n = 512 and 1,024
          | the rate 1e-3, depths 1, 2, 4 and 8; 3 rates at depth 2, n = 512
          | the rate 1e-3, depths 1, 2 and 4; 3 rates at depth 2, n = 512
        8 | 7 | appendix B.1 | LABEL | aba against abb | 6 rates, depths 1 to 16, n = 512 and 1,024
          | the rate 1e-3, depths 1, 2, 4 and 8; 3 rates at depth 2, n = 512
          | the rate 1e-3, depths 1, 2 and 4; 3 rates at depth 2, n = 512
        9 | 9 | appendix B.1 | LABEL | aba against abb | 6 rates, 1, 4, 16 and 64 heads, n = 512 and 1,024
          | the rate 1e-3, 1, 4, 16 and 64 heads | the rate 1e-3, 1 to 16 heads
        10 | 9 | appendix B.1 | LABEL | aba against abb | 6 rates, 1, 4, 16 and 64 heads, n = 512 and 1,024
          | the rate 1e-3, 1, 4, 16 and 64 heads | the rate 1e-3, 1 to 16 heads
        11 | 11 | appendix B.1 | LABEL | aba against abb | 5 rates, widths 32, 128 and 512
          | the rate 1e-3, widths 32, 128 and 512 | the rate 1e-3, widths 32, 128 and 256
        12 | 12 | appendix B.1 | LABEL | aba against abb | 6 rates, batches of 32, 128 and 512
          | the rate 1e-3, batches of 32, 128 and 512 | the rate 1e-3, batches of 32 to 512
        13 | 13 | appendix B.1 | LABEL | aba against abb | the rate 1e-3, batches of 8 to 1,024, n = 16 to 1,024
          | batches of 32, 128 and 512, n = 128, 512 and 1,024 | batches of 32, 128 and 512, n = 128 and 512
        14 | 14 | appendix B.2 | LABEL | aba against abb, aabb against abab, majorities
          | majorities of length 2, 4, 6 and 8, n = 8 to 8,192 | n = 512
          | without the majority of length 6, n = 512
        15 | 15 | appendix B.2 | LABEL | two random templates | lengths 2 to 20, n = 8 to 8,192
          | lengths 2, 4 and 8, n = 512 | lengths 2, 4 and 8, n = 512
        16 | 16 | appendix B.2 | LABEL | two random templates of length 5 | 2 to 7 wildcards, n = 8 to 8,192
          | 2, 3, 5 and 7 wildcards, n = 512 | 2 and 5 wildcards, n = 512
        17 | 17 | appendix B.2 | LABEL | 2 random templates of length 5
          | 0 to 2 regular tokens, 2 and 4 templates, more with none, n = 8 to 8,192
          | 0 to 2 regular tokens, 2 and 4 templates, n = 256 | 0 and 2 regular tokens, 2 and 4 templates, n = 256
        18 | 17 | appendix B.2 | LABEL | 4 random templates of length 5
          | 0 to 2 regular tokens, 2 and 4 templates, more with none, n = 8 to 8,192
          | 0 to 2 regular tokens, 2 and 4 templates, n = 256 | 0 and 2 regular tokens, 2 and 4 templates, n = 256
        19 | 19 | appendix B.3 | LABEL | aba against abb
          | a I, b I, both or neither, a multilayer perceptron; n = 4 to 8,192
          | n = 128, 512 and, without a and b, 1,024; a multiplier of 100 at n = 128 only
          | n = 128, and of the plain transformer and the perceptron 1,024
        21 | 21 | appendix B.3 | LABEL | aba against abb | a multilayer perceptron with X X^T and without; n = 4 to 8,192
          | n = 64, 256 and 1,024 | n = 128 and 1,024
        """.split("\n(?=\\d)"))
            .map(row -> row.strip().replaceAll("\\s*\n\\s*", " ").split(" [|] "))
            .collect(Collectors.toMap(row -> Integer.valueOf(row[0]), SymbolFigures::sentences));

    static final List<FigureClaim> CLAIMS = Stream.of(
                    ArchitectureFigures.BINDING,
                    ArchitectureFigures.COPYING,
                    HyperparameterFigures.CLAIMS,
                    HyperparameterFigures.DIFFICULTY,
                    ArchitectureFigures.CLAIMS)
            .flatMap(List::stream)
            .toList();

    @Override
    public List<Claim> claims() {
        return Stream.<Claim>concat(CLAIMS.stream(), Stream.of(TextFigure.CLAIM, FIGURE_5, FIGURE_20))
                .toList();
    }

    static FigureSentences<TemplateRuns> figure(int number) {
        return Objects.requireNonNull(FIGURES.get(number));
    }

    private static FigureSentences<TemplateRuns> sentences(String... row) {
        Answer answer = Answer.valueOf(row[3]);
        return new FigureSentences<>(
                "symbol.figure-" + row[0],
                new Source(Paper.SYMBOL, "figure " + row[0] + " and " + row[2]),
                new FigureGrid("symbol.figure-" + row[1], SymbolFigures.class, "figure-" + row[1] + ".yaml")
                        .withMedium(),
                new Sizes(
                        row[4] + ", tested on symbols never seen",
                        (answer == Answer.LABEL ? TRANSFORMER : "") + row[5],
                        AUTHORS_MODEL + row[6],
                        EARLIER_MODEL + row[7]),
                cells -> TemplateRuns.of(cells, answer));
    }

    /** Our reading of "several" heads for each product, for which the paper gives no number. */
    private static final int SEVERAL = 3;

    /** Our reading of "stronger than other weights": a ratio above this. */
    private static final double STRONG = 1;

    private static final String FILE = "file";

    private static final String FINE_TUNING = "fine-tuning: its prompts take GPT-2's tokens, which no task here has";

    /**
     * Figure 5: pretrained GPT-2. The user must provide its weights, from which the diagonals of W_K W_Q^T and W_V W_O
     * of each head are computed.
     */
    static final ComputedClaim FIGURE_5 = claim("symbol.figure-5", "figure 5, section 6", """
        Several heads of pretrained GPT-2 have stronger diagonals of W_K W_Q^T, and of W_V W_O, than other weights. Read
        as: for each of the two products there are at least 3 heads (our threshold) in which the absolute value of the
        mean of the diagonal is above the root mean square of the other entries.
        """, true);

    /** Figure 20: fine-tuned GPT-2. Not tested: its prompts need GPT-2's tokens, which our template tasks lack. */
    static final ComputedClaim FIGURE_20 = claim("symbol.figure-20", "figure 20, appendix B.3", """
        Small, medium and large pretrained GPT-2, fine-tuned on the task of telling the templates aba and abb apart,
        generalize to unseen symbols.
        """, false);

    /** @param decides whether the diagonals decide the statement */
    private static ComputedClaim claim(String id, String place, String text, boolean decides) {
        return ComputedClaim.asStated(id, new Source(Paper.SYMBOL, place), text)
                .settings(Setting.table("""
                    file | | weights of GPT-2 in safetensors, under the names of Hugging Face's transformers; none by
                      default
                    """))
                .budgets(Budget.QUICK)
                .range(scope -> scope.settings()
                        .text(FILE)
                        .map(file -> "the diagonals of every head of " + file)
                        .orElse("nothing yet: no file of weights was given"))
                .test((scope, computation) -> scope.settings()
                        .text(FILE)
                        .map(file -> read(file, decides))
                        .orElseGet(() -> new Finding(
                                NotTested.RUN.because(
                                        "bin/lemmata verify " + id + " -p file=model.safetensors reads the weights of"
                                                + " huggingface.co/openai-community/gpt2"
                                                + (decides ? "" : " or its larger ones")
                                                + "; not tested with them: " + FINE_TUNING),
                                List.of(),
                                List.of())));
    }

    private static Finding read(String file, boolean decides) {
        try {
            return of(Gpt2Weights.read(Path.of(file)), decides);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Finding of(Parameters parameters, boolean decides) {
        double[] keyQuery = strengths(parameters, HeadDiagonals::keyQuery);
        double[] valueOutput = strengths(parameters, HeadDiagonals::valueOutput);
        int heads = keyQuery.length;
        long ofKeys = strong(keyQuery);
        long ofValues = strong(valueOutput);
        List<Measurement> measured = List.of(
                Measurement.exact("heads with a strong diagonal of W_K W_Q^T", (double) ofKeys, "heads", heads),
                Measurement.exact("strongest diagonal of W_K W_Q^T", keyQuery[heads - 1], "", heads),
                Measurement.exact("heads with a strong diagonal of W_V W_O", (double) ofValues, "heads", heads),
                Measurement.exact("strongest diagonal of W_V W_O", valueOutput[heads - 1], "", heads));
        String reason = "strong diagonals of W_K W_Q^T: " + ofKeys + ", and of W_V W_O: " + ofValues + ", of " + heads
                + " heads; not tested: " + FINE_TUNING;
        Outcome outcome = Math.min(ofKeys, ofValues) >= SEVERAL ? Outcome.SUPPORTED : Outcome.REFUTED;
        return new Finding(decides ? new Verdict(outcome, reason) : NotTested.RUN.because(reason), measured, List.of());
    }

    /** For each head, the absolute value of the ratio that {@code product} computes; in ascending order. */
    private static double[] strengths(Parameters parameters, ToDoubleFunction<HeadDiagonals> product) {
        return HeadDiagonals.of(parameters).stream()
                .mapToDouble(product)
                .map(Math::abs)
                .sorted()
                .toArray();
    }

    private static long strong(double[] strengths) {
        return Arrays.stream(strengths).filter(strength -> strength > STRONG).count();
    }
}

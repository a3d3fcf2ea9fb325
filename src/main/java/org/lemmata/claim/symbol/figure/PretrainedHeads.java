package org.lemmata.claim.symbol.figure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Verdict;
import org.lemmata.measure.HeadDiagonals;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Gpt2Weights;
import org.lemmata.setting.Setting;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Boix-Adsera et al. (2024), figures 5 and 20: pretrained GPT-2, whose weights a user has to give. What is computed
 * from them are the diagonals of W_K W_Q^T and W_V W_O of each head; prompts of fine-tuning take GPT-2's tokens, which
 * no task here has, so that nothing is said of it.
 */
final class PretrainedHeads {

    /**
     * "several" and "stronger from other weights" are no numbers in the paper: 3 heads of each product, and 1, are
     * ours.
     */
    private static final int SEVERAL = 3;

    private static final double STRONG = 1;

    private static final String FILE = "file";

    private static final String FINE_TUNING = "fine-tuning: its prompts take GPT-2's tokens, which no task here has";

    static final ComputedClaim FIGURE_5 = claim("symbol.figure-5", "figure 5, section 6", """
        Several heads of pretrained GPT-2 have diagonals of W_K W_Q^T, and of W_V W_O, that are stronger than other
        weights: in absolute value, the mean of the diagonal is above the root mean square of the other entries, of
        at least 3 heads each (ours).
        """, true);

    static final ComputedClaim FIGURE_20 = claim("symbol.figure-20", "figure 20, appendix B.3", """
        Small, medium and large pretrained GPT-2, fine-tuned on aba against abb, generalize to unseen symbols.
        """, false);

    private PretrainedHeads() {}

    /** @param decides whether the diagonals are what the statement is of */
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

    /** What the weights of a model say. */
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

    /** Without their signs, ascending. */
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

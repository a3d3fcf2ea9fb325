package org.lemmata.claim.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

class CompletionLawTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 16})
    void coveringWordsReachEveryState(int pairs) {
        Set<List<Integer>> reached = new HashSet<>();
        for (int[] word : CompletionLaw.covering(pairs)) {
            assertThat(DyckWords.isBalanced(word)).isTrue();
            assertThat(word).hasSize(2 * pairs);
            for (int r = 1; r <= word.length; r++) {
                reached.add(List.of(r, DyckSizes.stack(word, r)));
            }
        }
        for (int r = 1; r <= 2 * pairs; r++) {
            for (int stack = r % 2; stack <= Math.min(r, 2 * pairs - r); stack += 2) {
                assertThat(reached).as("N = %d", pairs).contains(List.of(r, stack));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void failureIsThatOfAllContinuationsTogether(int pairs) {
        for (int[] word : DyckSizes.all(pairs)) {
            for (double gamma : new double[] {-0.5, 0.5, -1.3}) {
                // A small v, so that probabilities are not all 0 or 1.
                double v = (pairs * pairs + 0.1) / gamma;
                var model = new ReferenceTransformer(
                        new DyckCompleterByPositionSums(DyckWords.BRACKETS, word, gamma, v).build());
                CompletionLaw law = CompletionLaw.of(model, pairs, CompletionLaw.covering(pairs));
                double maximum = 0;
                for (int[] prefix : DyckSizes.prefixes(pairs)) {
                    double failure = failure(model, prefix, 2 * pairs);
                    maximum = Math.max(maximum, failure);
                    int stack = DyckSizes.stack(prefix, prefix.length);
                    String what = Theorem41.text(word, gamma) + ", prefix " + DyckWords.text(prefix);
                    assertThat(law.failure()[prefix.length][stack])
                            .as(what)
                            .isCloseTo(failure, within(1e-10 * failure));
                    assertThat(law.success()[prefix.length][stack]).as(what).isCloseTo(1 - failure, within(1e-10));
                }
                assertThat(law.maxFailure()).isCloseTo(maximum, within(1e-10 * maximum));
            }
        }
    }

    /** The total probability of all continuations that are not words. */
    private static double failure(LanguageModel model, int[] prefix, int length) {
        if (prefix.length == length) {
            return DyckWords.isBalanced(prefix) ? 0 : 1;
        }
        double[] logits = model.logits(Batch.of(List.of(prefix)));
        double margin = logits[2 * prefix.length - 2] - logits[2 * prefix.length - 1];
        int[] longer = Arrays.copyOf(prefix, prefix.length + 1);
        longer[prefix.length] = DyckWords.OPEN;
        double open = failure(model, longer, length) / (1 + Math.exp(-margin));
        longer[prefix.length] = DyckWords.CLOSE;
        return open + failure(model, longer, length) / (1 + Math.exp(margin));
    }

    @Test
    void wordsThatLeaveAStateOutAreRefused() {
        LanguageModel model = Theorem41.on(SCALAR).of(DyckWords.ids("()()"), -0.5);
        assertRefused(
                () -> CompletionLaw.of(model, 2, List.of(DyckWords.ids("()()"))),
                "words: expected a word with stack 2 after 2 tokens, got none");
    }
}

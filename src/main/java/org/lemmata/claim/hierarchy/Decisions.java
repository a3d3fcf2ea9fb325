package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.BracketInputs;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.token.Batch;

/**
 * Whether the signs of scores after all prefixes say what a machine with a stack or counters says.
 *
 * @param transformer a recognizer
 * @param language of its words
 * @param model of the transformer
 */
record Decisions(BracketTransformer transformer, BracketLanguage language, LanguageModel model) {

    /** Tokens that are read at a time. */
    private static final int BATCH = 1 << 12;

    /** How many decisions there were, and how many were wrong. */
    record Count(long decisions, long wrong) {

        Count plus(Count other) {
            return new Count(decisions + other.decisions, wrong + other.wrong);
        }
    }

    /** Looks at all prefixes of strings; those that the construction promises nothing for are left out. */
    Count count(List<int[]> strings, Tally tally) {
        var count = new Count(0, 0);
        List<int[]> batch = new ArrayList<>();
        int size = 0;
        for (int[] string : strings) {
            if (transformer.hasStart() || BracketStrings.firstTwoDiffer(string)) {
                batch.add(string);
                size += string.length + 1;
            }
            if (size >= BATCH) {
                count = count.plus(countBatch(batch, tally));
                batch.clear();
                size = 0;
            }
        }
        return batch.isEmpty() ? count : count.plus(countBatch(batch, tally));
    }

    private Count countBatch(List<int[]> strings, Tally tally) {
        BracketTokens tokens = transformer.tokens();
        double[] scores = model.logits(Batch.of(strings.stream()
                .map(string -> BracketInputs.of(transformer, string))
                .toList()));
        int at = 0;
        long wrong = 0;
        for (int[] string : strings) {
            BitSet members = language.members(tokens, string);
            for (int length = transformer.hasStart() ? 0 : 1; length <= string.length; length++) {
                double score = scores[at++];
                boolean member = members.get(length);
                // A score that is no number decides nothing.
                if (!(member ? score > 0 : score < 0)) {
                    wrong++;
                    String prefix = tokens.text(Arrays.copyOf(string, length));
                    tally.refute("k = " + tokens.types() + ": '" + prefix + "' has score " + score + ", and is "
                            + (member ? "a" : "no") + " word");
                }
            }
        }
        return new Count(at, wrong);
    }
}

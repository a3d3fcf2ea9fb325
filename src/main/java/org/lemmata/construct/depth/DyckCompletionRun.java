package org.lemmata.construct.depth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.DyckWords;

/**
 * Completes prefixes of Dyck words: X and the probability of '(' at each generated step, with logits = X Eᵀ.
 *
 * <p>Before the first token there is nothing to attend to: an empty prefix becomes "(", the only legal start, which is
 * reported as {@code forced} and has no score.
 *
 * @param construction of a model of brackets
 * @param decoding how the next bracket is taken
 */
record DyckCompletionRun(Construction construction, Decoding decoding) implements ModelRun {

    @Override
    public Map<String, Object> answer(LanguageModel model, String line) {
        int length = model.architecture().maxLength();
        int[] prefix = DyckWords.ids(line);
        check(prefix, length);
        int[] start = prefix.length == 0 ? new int[] {DyckWords.OPEN} : prefix;
        Generation generation =
                Generation.complete(model, List.of(start), length, decoding).getFirst();
        List<Double> scores = new ArrayList<>();
        List<Double> openProbabilities = new ArrayList<>();
        for (double[] logits : generation.logits()) {
            double open = logits[DyckWords.OPEN];
            double close = logits[DyckWords.CLOSE];
            scores.add(-close + 0.0); // E is -1 for ')'; adding 0 turns -0 into 0
            openProbabilities.add(1 / (1 + Math.exp(close - open)));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        if (prefix.length == 0) {
            answer.put("forced", "(");
        }
        answer.put("completion", DyckWords.text(generation.tokens()));
        answer.put("balanced", DyckWords.isBalanced(generation.tokens()));
        answer.put("scores", scores);
        answer.put("openProbabilities", openProbabilities);
        return answer;
    }

    private static void check(int[] prefix, int length) {
        Refuse.when(prefix.length > length, "prefix", "at most " + length + " brackets", prefix.length);
        int stack = 0;
        for (int i = 0; i < prefix.length; i++) {
            stack += prefix[i] == DyckWords.OPEN ? 1 : -1;
            if (stack < 0) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected '(', got ')' with nothing open");
            }
            if (stack > length - (i + 1)) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected at most " + (length - (i + 1))
                        + " brackets open, got " + stack + ", which " + length + " brackets cannot balance");
            }
        }
    }
}

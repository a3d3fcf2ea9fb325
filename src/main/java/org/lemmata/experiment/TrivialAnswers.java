package org.lemmata.experiment;

import it.unimi.dsi.fastutil.ints.Int2IntMap;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.List;
import org.lemmata.token.Example;

/**
 * Answers that need no training. The majority answer is the most frequent answer in the counted examples. The position
 * answer is the most frequent answer at the same position, or the majority answer if this position had none. The copy
 * gives the j-th input token as the j-th answer, or the token at the answer's position if that comes earlier.
 *
 * <p>If answers are numbers, their signs are counted and compared, and there is no copy. If several answers are equally
 * frequent, the smallest id is chosen.
 */
final class TrivialAnswers {

    static final List<String> NAMES = List.of("majority", "position", "copy");

    static final List<String> NAMES_FOR_NUMBERS = NAMES.subList(0, 2);

    /** Stands for the sign of the number 0, which no trivial answer matches. */
    private static final int NEITHER = -1;

    private final int majority;
    private final Int2IntMap byPosition = new Int2IntOpenHashMap();

    private final int before;

    /**
     * @param examples the examples from which the most frequent answers are counted
     * @param before the number of start tokens in each input; they are not copied
     */
    TrivialAnswers(List<Example> examples, int before) {
        this.before = before;
        var all = new Int2IntOpenHashMap();
        var at = new Int2ObjectOpenHashMap<Int2IntOpenHashMap>();
        for (Example example : examples) {
            int[] positions = example.scoredPositions();
            int[] answers = answers(example);
            for (int j = 0; j < answers.length; j++) {
                if (answers[j] == NEITHER) {
                    continue;
                }
                all.addTo(answers[j], 1);
                at.computeIfAbsent(positions[j], any -> new Int2IntOpenHashMap())
                        .addTo(answers[j], 1);
            }
        }
        majority = mostFrequent(all);
        for (Int2ObjectMap.Entry<Int2IntOpenHashMap> counts : at.int2ObjectEntrySet()) {
            byPosition.put(counts.getIntKey(), mostFrequent(counts.getValue()));
        }
    }

    private static int mostFrequent(Int2IntMap counts) {
        int best = NEITHER;
        for (Int2IntMap.Entry count : counts.int2IntEntrySet()) {
            int more = Integer.compare(count.getIntValue(), counts.get(best));
            best = best == NEITHER || more > 0 || (more == 0 && count.getIntKey() < best) ? count.getIntKey() : best;
        }
        return best;
    }

    private static int[] answers(Example example) {
        float[] values = example.values();
        if (values.length == 0) {
            return example.targets();
        }
        int[] signs = new int[values.length];
        for (int j = 0; j < signs.length; j++) {
            signs[j] = values[j] > 0 ? 1 : values[j] < 0 ? 0 : NEITHER;
        }
        return signs;
    }

    int[] right(Example example) {
        int[] right = new int[NAMES.size()];
        int[] inputs = example.inputs();
        int[] positions = example.scoredPositions();
        int[] answers = answers(example);
        for (int j = 0; j < answers.length; j++) {
            // Tokens after the position of the answer are not copied, because they could be the answer itself.
            int copied = Math.min(j + before, positions[j]);
            right[0] += answers[j] == majority && majority != NEITHER ? 1 : 0;
            right[1] += answers[j] == byPosition.getOrDefault(positions[j], majority) && answers[j] != NEITHER ? 1 : 0;
            right[2] += answers[j] == inputs[copied] ? 1 : 0;
        }
        return right;
    }
}

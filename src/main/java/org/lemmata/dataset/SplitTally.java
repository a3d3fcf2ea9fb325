package org.lemmata.dataset;

import it.unimi.dsi.fastutil.ints.Int2IntRBTreeMap;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.task.Task;

/**
 * What the manifest counts of splits that are written one after the other: examples, the distinct ones among them and
 * those that stand in an earlier split, lengths and depths; and where examples have questions with answers, how many of
 * these there are, are distinct, and stand in an earlier split.
 */
final class SplitTally {

    private final Seen examples;
    private final Seen questions = new Seen(false);
    private final Seen answers = new Seen(false);
    private final Int2IntRBTreeMap lengths = new Int2IntRBTreeMap();
    private final Int2IntRBTreeMap depths = new Int2IntRBTreeMap();

    /**
     * @param distinct whether examples were drawn so that none stands anywhere twice: then they are counted alone, and
     *     none is kept
     */
    SplitTally(boolean distinct) {
        examples = new Seen(distinct);
    }

    /** Counts the input of an example of {@code source}. */
    void add(Task source, int[] input) {
        lengths.addTo(input.length, 1);
        source.nestingDepth(input).ifPresent(depth -> depths.addTo(depth, 1));
        examples.add(input);
        source.questions().stream()
                .flatMap(task -> task.exercises(input).stream())
                .forEach(exercise -> {
                    questions.add(exercise.question());
                    answers.add(exercise.answer());
                });
    }

    /** What was counted of a split; what is added from now on is of the next one. */
    Map<String, Object> endSplit() {
        Map<String, Object> described = new LinkedHashMap<>(examples.describe("examples"));
        described.put("lengths", lengths.clone());
        described.put("depths", depths.clone());
        if (questions.count > 0) {
            described.put("questions", questions.describe("whole"));
            described.put("answers", answers.describe("whole"));
        }
        lengths.clear();
        depths.clear();
        for (Seen seen : List.of(examples, questions, answers)) {
            seen.nextSplit();
        }
        return described;
    }

    /** What there was of one kind: in earlier splits, and in this one. */
    private static final class Seen {

        private final boolean distinct;
        private final ObjectOpenCustomHashSet<int[]> earlier = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        private final ObjectOpenCustomHashSet<int[]> now = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        private int count;
        private int repeated;

        Seen(boolean distinct) {
            this.distinct = distinct;
        }

        void add(int[] ids) {
            count++;
            if (!distinct) {
                repeated += earlier.contains(ids) ? 1 : 0;
                now.add(ids);
            }
        }

        Map<String, Object> describe(String kind) {
            Map<String, Object> described = new LinkedHashMap<>();
            described.put(kind, count);
            described.put("distinct", distinct ? count : now.size());
            described.put("inEarlierSplits", repeated);
            return described;
        }

        void nextSplit() {
            earlier.addAll(now);
            now.clear();
            count = 0;
            repeated = 0;
        }
    }
}

package org.lemmata.dataset;

import java.math.BigInteger;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.task.Task;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.task.depth.PrefixSample;
import org.lemmata.train.Split;

/**
 * The numbers and kinds of examples to draw from a task.
 *
 * @param sizes number of examples of each split
 * @param prefixes number of prefixes of bracket words, 0 for none
 * @param prefixDepth the minimum depth of prefixes
 * @param distinct whether the inputs of all splits must be distinct, and also the prefixes
 * @param seed the seed of all random draws
 */
public record DataSetPlan(Map<Split, Integer> sizes, int prefixes, int prefixDepth, boolean distinct, long seed) {

    public DataSetPlan {
        sizes = Collections.unmodifiableMap(new EnumMap<>(sizes));
    }

    int size(Split split) {
        return sizes.getOrDefault(split, 0);
    }

    /**
     * Rejects a plan that the task does not support.
     *
     * @throws IllegalArgumentException naming the option
     */
    void require(Task task) {
        int heldOut = size(Split.OUT_OF_SAMPLE);
        boolean isNone = heldOut > 0 && task.outOfSample().isEmpty();
        Refuse.when(isNone, "--out-of-sample", "0 for a task that holds nothing out", heldOut);
        if (prefixes > 0) {
            DyckWords words = task.words()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--prefixes: expected a task of bracket words, or 0, got the task " + task.name()));
            Refuse.when(
                    prefixDepth > words.maxDepth(), "--prefix-depth", "at most N = " + words.maxDepth(), prefixDepth);
        }
        if (distinct && task.words().isPresent()) {
            BigInteger count = task.words().get().count();
            long examples =
                    sizes.values().stream().mapToLong(Integer::longValue).sum();
            Refuse.when(
                    BigInteger.valueOf(examples).compareTo(count) > 0,
                    "--distinct",
                    "at most " + count + " words in all splits, which is all there are",
                    examples);
        }
    }

    /**
     * Draws the prefixes that {@code train} completes if its seed, {@code evaluation.deeper} and
     * {@code evaluation.distinct} agree with this plan.
     *
     * @throws IllegalArgumentException if there seem to be too few distinct prefixes
     */
    List<int[]> drawPrefixes(Task task) {
        if (prefixes == 0) {
            return List.of();
        }
        DyckWords deep = task.words().orElseThrow().ofDepth(prefixDepth);
        return distinct
                ? PrefixSample.drawDistinct(deep::sampleIds, prefixDepth, prefixes, this::prefixDraw)
                : PrefixSample.draw(deep::sampleIds, prefixDepth, prefixes, this::prefixDraw);
    }

    private PhiloxGenerator prefixDraw(long draw) {
        return new PhiloxGenerator(seed, Streams.DEEPER, draw);
    }

    String prefixesAre(Task task) {
        return "proper prefixes at least " + prefixDepth + " deep of words of " + task.defaultLength() / 2
                + " pairs, uniform among those that are so deep, cut uniformly among the places that are deep enough";
    }
}

package org.lemmata.task;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.lemmata.task.depth.DistinctWords;

/** A task of words of one length, whose prefixes a model completes. */
public interface WordTask extends Task {

    /** How many words there are. */
    BigInteger count();

    /** Draws the ids of a word. */
    int[] sampleIds(RandomGenerator random);

    /** The depth of the deepest word that is as long, whether the task draws it or not. */
    int maxDepth();

    /** All words that are as long and at least so deep, whether this task draws them or not. */
    WordTask ofDepth(int minDepth);

    /** Draws words no two of which are equal, none of them among {@code others}: see {@link DistinctWords}. */
    DistinctWords distinct(int count, LongFunction<? extends RandomGenerator> draws, List<DistinctWords> others);

    /** Whether ids of the vocabulary are a word, of any length and depth. */
    boolean isWord(int... ids);

    /** The ids of a text that begins a word of the task's length and is shorter; empty if it does not. */
    Optional<int[]> prefix(String text);
}

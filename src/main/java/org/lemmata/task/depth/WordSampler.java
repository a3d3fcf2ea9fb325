package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.random.RandomGenerator;

/** Draws bracket words of one length uniformly and exactly: every word has probability 1 / count(). */
sealed interface WordSampler permits PackedSampler, CountingSampler, BallotSampler {

    /** How many words there are. */
    BigInteger count();

    /** Draws the ids of one word. */
    int[] sample(RandomGenerator random);
}

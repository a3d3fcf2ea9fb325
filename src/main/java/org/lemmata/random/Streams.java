package org.lemmata.random;

/**
 * The stream numbers of {@link PhiloxGenerator}s in experiments. Examples of splits use -1 to -8 ({@code Split});
 * dropout and rounding use nonnegative numbers. Recorded results depend on every number, so no number may change.
 */
public final class Streams {

    /** Prefixes of words in the training sample. */
    public static final int IN_SAMPLE = -101;

    /** Prefixes of a minimum depth. All uses with the same seed draw the same prefixes. */
    public static final int DEEPER = -102;

    /** Initial parameters of a training run. */
    public static final int INITIALIZATION = -103;

    /** Examples for estimating the cost of a training run. */
    public static final int COST = -104;

    /** Prefixes of words outside the training sample. */
    public static final int UNSEEN = -105;

    /** Sampled completions of prefixes. */
    public static final int COMPLETION = -106;

    /** Sampled completions of contexts. */
    public static final int CONTEXT = -107;

    /** Initial centers of k-means over curves of positions. */
    public static final int CLUSTERS = -108;

    /** Test sequences; sequence i of length n has index n 2^31 + i. */
    public static final int TEST_SEQUENCES = -109;

    /** Sampled answers to questions. */
    public static final int ANSWER = -110;

    /** Sequences drawn from a distribution, and trees and inputs of parity chains; indices are below 2^31. */
    public static final int LAW = -111;

    /**
     * Prefixes by the length of their words; prefix i of a word of T brackets has index T 2^31 + i. The number equals
     * {@link #LAW} because recorded results depend on it. The indices differ, so the random numbers differ too.
     */
    public static final int COMPLETION_LENGTHS = -111;

    /** Initial parameters of an untrained model. */
    public static final int UNTRAINED = -112;

    /** Sampled completions of the command {@code lemmata complete}. */
    public static final int PROMPT = -113;

    /** Questions. Kind i of question uses stream {@code QUESTIONS - i}, so this must remain the lowest number. */
    public static final int QUESTIONS = -120;

    private Streams() {}
}

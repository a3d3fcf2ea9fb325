package org.lemmata.random;

/**
 * The streams of {@link PhiloxGenerator}s that experiments draw from, apart from those of model and examples, which are
 * not negative. Recorded results depend on every number: none may change.
 */
public final class Streams {

    /** Prefixes of words that were trained on. */
    public static final int IN_SAMPLE = -101;

    /** Prefixes of a minimum depth: who draws them of one seed, draws the same. */
    public static final int DEEPER = -102;

    /** Initial parameters of a law of their own. */
    public static final int INITIALIZATION = -103;

    /** Examples that are drawn to estimate the cost of a training. */
    public static final int COST = -104;

    /** Prefixes of words that were not trained on. */
    public static final int UNSEEN = -105;

    /** Sampled completions of prefixes. */
    public static final int COMPLETION = -106;

    /** Sampled completions of contexts. */
    public static final int CONTEXT = -107;

    /** Starts of k-means over curves of positions. */
    public static final int CLUSTERS = -108;

    /** Test sequences, in which sequence i of length n has index n 2^31 + i. */
    public static final int TEST_SEQUENCES = -109;

    /** Sampled answers to questions. */
    public static final int ANSWER = -110;

    /** Sequences of a law, with indices below 2^31. */
    public static final int LAW = -111;

    /**
     * Prefixes by the length of their words, in which prefix i of a word of T brackets has index T 2^31 + i. The number
     * is that of {@link #LAW}, in which recorded results exist; the indices differ, and so do the random numbers.
     */
    public static final int COMPLETION_LENGTHS = -111;

    /** Initial parameters of a model that is not trained. */
    public static final int UNTRAINED = -112;

    /** Sampled completions of {@code lemmata complete}. */
    public static final int PROMPT = -113;

    /** Questions of kind i, in stream {@code QUESTIONS - i}: the last of these numbers. */
    public static final int QUESTIONS = -120;

    private Streams() {}
}

package org.lemmata.task.hierarchy;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;

/**
 * Next-token prediction of {@code <bos> word <eos>}. A {@link GenerationProcess} draws the word, which is cut off after
 * n_max tokens, or after the tokens that {@link #sample} asks for, which may be more.
 *
 * <p>Words of Dyck_k can be drawn under the condition that they end within n_max tokens ({@link EndingInTime}); they
 * are never cut off.
 *
 * <p>Without {@code <bos>}, the word's first token is the first input, and the empty word is excluded.
 */
public final class GenerationTask extends Task {

    static final String DYCK = "dyck-generation";
    static final String SHUFFLE_DYCK = "shuffle-dyck-generation";

    /** The number of tokens of the shortest nonempty word: a pair of brackets and the end. */
    private static final int SHORTEST_BRACKETS = 3;

    static final int MAX_LENGTH = 1 << 16;

    /** The maximum number of draws for a nonempty word; afterwards, we assume that none exists. */
    private static final int MAX_DRAWS = 1 << 22;

    private final GenerationProcess process;
    private final int maxLength;
    private final boolean start;
    private final @Nullable EndingInTime inTime;

    /**
     * @param process draws the words
     * @param maxLength n_max, at least 2
     * @param start whether sequences begin with {@code <bos>}
     * @param whole whether words are drawn under the condition that they end within n_max tokens
     */
    GenerationTask(GenerationProcess process, int maxLength, boolean start, boolean whole) {
        super(
                process.language() == BracketLanguage.DYCK ? DYCK : SHUFFLE_DYCK,
                source(process.language()),
                process.tokens().vocabulary());
        Refuse.outside("maxLength", maxLength, 2, MAX_LENGTH);
        this.process = process;
        this.maxLength = maxLength;
        this.start = start;
        this.inTime = whole ? new EndingInTime(process, maxLength, start ? 1 : SHORTEST_BRACKETS) : null;
    }

    static Source source(BracketLanguage language) {
        return new Source(Paper.HIERARCHY, language == BracketLanguage.DYCK ? "definition 8" : "definition 10");
    }

    public GenerationProcess process() {
        return process;
    }

    /** n_max, plus 1 with {@code <bos>}. */
    @Override
    public int defaultLength() {
        return maxLength + given();
    }

    /** The number of fixed tokens at the beginning of a sequence: 1 with {@code <bos>}, otherwise 0. */
    public int given() {
        return start ? 1 : 0;
    }

    /**
     * p(token | tokens before it). Row i is for the token after position i and has one column per symbol of the
     * vocabulary.
     *
     * @param sequence a sequence with its fixed tokens
     * @return one row for each token of the sequence after the first one
     */
    public double[] law(int... sequence) {
        return process.along(inTime, 1 - given(), Arrays.copyOfRange(sequence, given(), sequence.length));
    }

    /** The ids of the closing brackets. To predict one that has probability 0 is a mistake. */
    public int[] closing() {
        BracketTokens tokens = process.tokens();
        return IntStream.range(0, tokens.types()).map(tokens::close).toArray();
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        Refuse.below("length", length, inTime == null ? 2 : defaultLength());
        int most = inTime == null ? length - given() : maxLength;
        int[] word = process.sample(inTime, random, most);
        for (int draw = 1; !start && word.length < 2; draw++) {
            Refuse.when(draw == MAX_DRAWS, "r", "one with a nonempty word in " + MAX_DRAWS + " draws", process.r());
            word = process.sample(inTime, random, most);
        }
        int[] sequence = new int[word.length + given()];
        sequence[0] = process.tokens().start();
        System.arraycopy(word, 0, sequence, given(), word.length);
        return Example.nextToken(sequence);
    }

    /**
     * Accepts a word with its end token, and the beginning of a word if words may be cut off. Words that are not cut
     * off have at most n_max tokens.
     */
    @Override
    public boolean accepts(int... ids) {
        BracketTokens tokens = process.tokens();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= tokens.count()) {
                throw new IllegalArgumentException(
                        "position " + (i + 1) + ": expected id 0 to " + (tokens.count() - 1) + ", got " + ids[i]);
            }
        }
        if (ids.length < 2 || (start && ids[0] != tokens.start())) {
            return false;
        }
        boolean ended = ids[ids.length - 1] == tokens.end();
        int[] brackets = Arrays.copyOfRange(ids, given(), ids.length - (ended ? 1 : 0));
        if (Arrays.stream(brackets).anyMatch(id -> id >= tokens.brackets())) {
            return false;
        }
        return ended
                ? (inTime == null || ids.length <= defaultLength())
                        && process.language().contains(tokens, brackets)
                : inTime == null && process.language().isPrefix(tokens, brackets);
    }

    @Override
    public OptionalInt nestingDepth(int... ids) {
        BracketTokens tokens = process.tokens();
        return OptionalInt.of(tokens.depth(
                Arrays.stream(ids).filter(id -> id < tokens.brackets()).toArray()));
    }
}

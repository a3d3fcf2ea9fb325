package org.lemmata.task.depth;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * D_2N, the balanced words of N pairs of one bracket type, drawn uniformly among those with a depth in a given range.
 *
 * <p>The depth of a word is its maximum stack size. Draws are exactly uniform for every N, because they use only
 * integer arithmetic. Source: Richard (2024), section 4. Positions in messages count from 1.
 */
public final class DyckWords extends Task {

    public static final String NAME = "dyck-words";

    public static final Source SOURCE = new Source(Paper.DEPTH, "section 4");

    /** The id of '('. */
    public static final int OPEN = 0;

    /** The id of ')'. */
    public static final int CLOSE = 1;

    /** '(' and ')', in the order of their ids. */
    public static final Vocabulary BRACKETS = new Vocabulary(List.of("(", ")"));

    /** The maximum N. At this N, the number of words has almost 2N bits, and its computation takes seconds. */
    public static final int MAX_PAIRS = 1 << 16;

    private final int pairs;
    private final int minDepth;
    private final int maxDepth;
    private final WordSampler sampler;

    /** All balanced words of {@code pairs} pairs. */
    public DyckWords(int pairs) {
        this(pairs, 1, pairs);
    }

    /**
     * The balanced words of {@code pairs} pairs with a depth in [{@code minDepth}, {@code maxDepth}].
     *
     * @throws IllegalArgumentException unless 1 &lt;= minDepth &lt;= maxDepth &lt;= N &lt;= {@value #MAX_PAIRS}
     */
    public DyckWords(int pairs, int minDepth, int maxDepth) {
        super(NAME, SOURCE, BRACKETS);
        require("N", pairs, 1, MAX_PAIRS);
        require("minDepth", minDepth, 1, pairs);
        require("maxDepth", maxDepth, minDepth, pairs);
        this.pairs = pairs;
        this.minDepth = minDepth;
        this.maxDepth = maxDepth;
        if (pairs <= WordSampler.Packed.MAX_PAIRS) {
            this.sampler = new WordSampler.Packed(pairs, minDepth, maxDepth);
        } else if (minDepth == 1 && maxDepth == pairs) {
            this.sampler = new WordSampler.Ballot(pairs);
        } else {
            this.sampler = new WordSampler.Counting(pairs, minDepth, maxDepth);
        }
    }

    private static void require(String argument, int value, int minimum, int maximum) {
        Refuse.below(argument, value, minimum);
        Refuse.when(value > maximum, argument, "at most " + maximum, value);
    }

    /** 2N, the only length. */
    @Override
    public int defaultLength() {
        return 2 * pairs;
    }

    public BigInteger count() {
        return sampler.count();
    }

    /** N, the maximum depth of all words of this length, whether or not the task draws them. */
    public int maxDepth() {
        return pairs;
    }

    /** The task of all words of this length with at least this depth, whether or not this task draws them. */
    public DyckWords ofDepth(int minDepth) {
        return new DyckWords(pairs, minDepth, pairs);
    }

    /** The ids of {@code text} if it is a nonempty proper prefix of a balanced word of 2N brackets; otherwise empty. */
    public Optional<int[]> prefix(String text) {
        return Optional.of(text)
                .filter(brackets -> brackets.matches("[()]+") && brackets.length() < 2 * pairs)
                .map(DyckWords::ids)
                .filter(ids -> isPrefix(ids, pairs));
    }

    @Override
    public Optional<Task> ofLength(int length) {
        int otherPairs = length / 2;
        if (length % 2 != 0 || otherPairs < minDepth || otherPairs > MAX_PAIRS) {
            return Optional.empty();
        }
        int deepest = maxDepth == pairs ? otherPairs : Math.min(maxDepth, otherPairs);
        return Optional.of(new DyckWords(otherPairs, minDepth, deepest));
    }

    /** A word as an example of next-token prediction: the inputs are its 2N ids. */
    @Override
    public Example sample(RandomGenerator random, int length) {
        if (length != 2 * pairs) {
            throw new IllegalArgumentException("length: expected 2N = " + 2 * pairs + ", got " + length);
        }
        return Example.nextToken(sampleIds(random));
    }

    public int[] sampleIds(RandomGenerator random) {
        return sampler.sample(random);
    }

    /**
     * Draws a word as bits: bit i is set if bracket i is '('.
     *
     * @throws IllegalArgumentException if N is above 32
     */
    public long sampleBits(RandomGenerator random) {
        return packed().sampleBits(random);
    }

    /**
     * The word with a rank in [0, count()), as bits, in lexicographic order with '(' before ')'.
     *
     * @throws IllegalArgumentException if N is above 32, or the rank is out of range
     */
    public long wordBits(long rank) {
        if (rank < 0 || rank >= packed().count().longValueExact()) {
            throw new IllegalArgumentException("rank: expected 0 to " + count() + " - 1, got " + rank);
        }
        return packed().word(rank);
    }

    private WordSampler.Packed packed() {
        if (sampler instanceof WordSampler.Packed packed) {
            return packed;
        }
        throw new IllegalArgumentException(
                "N: expected at most " + WordSampler.Packed.MAX_PAIRS + " for words as bits, got " + pairs);
    }

    @Override
    public boolean accepts(int... ids) {
        return ids.length == 2 * pairs && isBalanced(ids) && depth(ids) >= minDepth && depth(ids) <= maxDepth;
    }

    @Override
    public OptionalInt nestingDepth(int... ids) {
        return OptionalInt.of(depth(ids));
    }

    /** The ids of a word of {@code length} brackets given as bits. */
    public static int[] ids(long bits, int length) {
        int[] ids = new int[length];
        for (int i = 0; i < length; i++) {
            ids[i] = (bits >>> i & 1) == 1 ? OPEN : CLOSE;
        }
        return ids;
    }

    /**
     * The ids of a word of '(' and ')'.
     *
     * @throws IllegalArgumentException if the word has another character; the message names its position
     */
    public static int[] ids(String word) {
        int[] ids = new int[word.length()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = switch (word.charAt(i)) {
                case '(' -> OPEN;
                case ')' -> CLOSE;
                default ->
                    throw new IllegalArgumentException("position " + (i + 1) + ": expected '(' or ')', got "
                            + Refuse.quoted(Character.toString(word.codePointAt(i))));
            };
        }
        return ids;
    }

    /** The text of a word, as '(' and ')'. */
    public static String text(int... ids) {
        var text = new StringBuilder(ids.length);
        for (int i = 0; i < ids.length; i++) {
            text.append(rise(ids, i) == 1 ? '(' : ')');
        }
        return text.toString();
    }

    /**
     * Whether each closing bracket follows its opening bracket and all brackets are closed; the empty word is balanced.
     */
    public static boolean isBalanced(int... ids) {
        Heights heights = Heights.of(ids);
        return heights.minimum >= 0 && heights.last == 0;
    }

    /** Whether some balanced word of {@code pairs} pairs begins with these brackets. */
    public static boolean isPrefix(int[] ids, int pairs) {
        Heights heights = Heights.of(ids);
        return heights.minimum >= 0 && heights.last <= 2 * pairs - ids.length;
    }

    /**
     * The maximum stack size: the maximum, over prefixes including the empty one, of the number of '(' minus the number
     * of ')'.
     */
    public static int depth(int... ids) {
        return Heights.of(ids).maximum;
    }

    /**
     * Draws uniformly among the proper prefixes of {@code word} that have at least the given depth.
     *
     * @param depth the minimum depth of the prefix, from 1 to the depth of {@code word}
     */
    public static int[] cut(int[] word, int depth, RandomGenerator random) {
        Refuse.outside("depth", depth, 1, depth(word));
        int first = 0;
        for (int height = 0; height < depth; first++) {
            height += rise(word, first);
        }
        return Arrays.copyOf(word, random.nextInt(first, word.length));
    }

    /** The least, last and greatest stack size of all prefixes of a word, including the empty one. */
    private record Heights(int minimum, int last, int maximum) {

        static Heights of(int[] ids) {
            int minimum = 0;
            int height = 0;
            int maximum = 0;
            for (int i = 0; i < ids.length; i++) {
                height += rise(ids, i);
                minimum = Math.min(minimum, height);
                maximum = Math.max(maximum, height);
            }
            return new Heights(minimum, height, maximum);
        }
    }

    private static int rise(int[] ids, int position) {
        return switch (ids[position]) {
            case OPEN -> 1;
            case CLOSE -> -1;
            default ->
                throw new IllegalArgumentException("position " + (position + 1) + ": expected id " + OPEN + " or "
                        + CLOSE + ", got " + ids[position]);
        };
    }
}

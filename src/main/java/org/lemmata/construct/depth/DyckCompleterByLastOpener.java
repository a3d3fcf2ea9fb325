package org.lemmata.construct.depth;

import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.PositionOptions;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * Two-layer completer of words of k bracket types, built from a training word s. After r brackets of z, the logit of
 * "(c" is X + N [s opens type c next], and the logit of ")c" is -X + N [the last open bracket of z has type c]. As in
 * theorem 4.1, X = (v / r) (Delta_r(z) - Delta_r(s) + gamma E_{s_{r+1}}), with gamma = -1/2 and v = -(2N² + 1).
 *
 * <p>This extends theorem 4.1 to k bracket types. X chooses between opening and closing as in the theorem, so the sums
 * of positions and the training word s are used unchanged. The type to close is not a function of counts; it requires
 * attention by content. The model has two layers with residual, hard attention of one head, and width 8 + N + 3k.
 *
 * <ul>
 *   <li>Layer 1 has equal scores, so its attention is uniform: it computes X / v, Delta_i / i and, from an input that
 *       is 1 only at the first position, 1 / i. From these, its feed-forward part computes the levels [Delta_i &gt;=
 *       j], j = 1 ... N, as differences of two ramps of slope 4N in a = (Delta_i - j + 1/2) / i, where |a| is at least
 *       1/(4N).
 *   <li>Layer 2 has scores 2A min(Delta_i, Delta_r) - A Delta_i + A [i opens] + i with A = 2N, where min is the product
 *       of levels. They equal A (Delta_r - |Delta_i - Delta_r| + [i opens]) + i, so the maximum, by at least 1, is at
 *       the last bracket that opens to depth Delta_r. This bracket is the last open bracket, because all later brackets
 *       open to greater depths. The value is its type.
 * </ul>
 *
 * <p>Each prefix of each word is completed to a word, and each prefix of s is completed to s, with probability at least
 * 1 - 2N (2k - 1) exp(-N): 2 |X| &gt;= N, so in each step the k tokens of the wrong direction and the k - 1 wrong
 * tokens of the right direction have at most exp(-N) times the probability of the correct token. At positions where s
 * closes a bracket next, the type to open is 1.
 */
public final class DyckCompleterByLastOpener extends Construction {

    public static final Source SOURCE = new Source(Paper.DEPTH, "theorem 4.1, here for several bracket types");

    private static final double GAMMA = -0.5;

    /** The first columns of x; the columns of types, next types, levels and the found type follow. */
    private static final int STEP = 0;

    private static final int PATH = 1;
    private static final int FIRST = 2;
    private static final int INDEX = 3;
    private static final int ONE = 4;
    private static final int MEAN_STEP = 5;
    private static final int MEAN_PATH = 6;
    private static final int INVERSE = 7;
    private static final int TYPES = 8;

    private final int[] word;
    private final int types;
    private final int pairs;

    private final DyckCompleterByPositionSums shape;

    /**
     * @param vocabulary 2k tokens: the bracket "(c" has id 2(c - 1), and ")c" has id 2c - 1
     * @param word the training word s: balanced by type, of 2N tokens, N at least 1
     */
    public DyckCompleterByLastOpener(Vocabulary vocabulary, int[] word) {
        super(SOURCE, vocabulary);
        if (vocabulary.size() == 0 || vocabulary.size() % 2 != 0) {
            throw new IllegalArgumentException(
                    "vocabulary: expected pairs of brackets, got " + vocabulary.size() + " tokens");
        }
        checkTypes(vocabulary, word);
        this.word = word.clone();
        this.types = vocabulary.size() / 2;
        this.pairs = word.length / 2;
        this.shape = new DyckCompleterByPositionSums(
                new Vocabulary(List.of("(", ")")),
                Arrays.stream(word).map(token -> token % 2).toArray(),
                GAMMA);
    }

    /**
     * Checks that each closing bracket has the type of the last open bracket. Theorem 4.1's model checks the balance.
     */
    private static void checkTypes(Vocabulary vocabulary, int[] word) {
        int[] open = new int[word.length];
        int height = 0;
        for (int i = 0; i < word.length; i++) {
            if (word[i] < 0 || word[i] >= vocabulary.size()) {
                throw new IllegalArgumentException("word: expected tokens from 0 to " + (vocabulary.size() - 1)
                        + ", got " + word[i] + " at position " + (i + 1));
            }
            if (word[i] % 2 == 0) {
                open[height++] = word[i];
            } else if (height > 0 && open[--height] + 1 != word[i]) {
                throw new IllegalArgumentException(
                        "word: expected " + Refuse.quoted(vocabulary.symbol(open[height] + 1))
                                + " or an opening bracket at position " + (i + 1) + ", got "
                                + Refuse.quoted(vocabulary.symbol(word[i])));
            }
        }
    }

    /** 2N (2k - 1) exp(-N), a bound of the probability that a prefix is not completed to a word. */
    public double failureBound() {
        return 2.0 * pairs * (2 * types - 1) * Math.exp(-pairs);
    }

    @Override
    public ExactParameters build() {
        int next = TYPES + types;
        int levels = next + types;
        int found = levels + pairs;
        int width = found + types;
        int headWidth = Math.max(pairs + 1, Math.max(3, types));
        var parameters = new ExactParameters(new Architecture(
                new Architecture.Size(2 * types, word.length, width, 2),
                PositionOptions.table(),
                AttentionOptions.softmax(1, headWidth)
                        .withWeighting(Weighting.HARDMAX, 0)
                        .withScores(1, LogLength.NONE, 0),
                new FeedForwardOptions(2 * pairs, Activation.Kind.RELU, true, false),
                NormalizationOptions.none(),
                true,
                OutputOptions.nextToken(false),
                0));
        embed(parameters, next);
        average(parameters, levels);
        findLastOpener(parameters, levels, found);
        for (int type = 0; type < types; type++) {
            int open = 2 * type;
            parameters.set(ParameterRole.UNEMBEDDING, open, MEAN_PATH, shape.v());
            parameters.set(ParameterRole.UNEMBEDDING, open, next + type, pairs);
            parameters.set(ParameterRole.UNEMBEDDING, open + 1, MEAN_PATH, -shape.v());
            parameters.set(ParameterRole.UNEMBEDDING, open + 1, found + type, pairs);
        }
        return parameters;
    }

    private void embed(ExactParameters parameters, int next) {
        for (int token = 0; token < 2 * types; token++) {
            double step = token % 2 == 0 ? 1 : -1;
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, STEP, step);
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, PATH, step);
            if (token % 2 == 0) {
                parameters.set(ParameterRole.TOKEN_EMBEDDING, token, TYPES + token / 2, 1);
            }
        }
        for (int i = 0; i < word.length; i++) {
            parameters.set(ParameterRole.POSITION_EMBEDDING, i, PATH, shape.position(i)[0]);
            parameters.set(ParameterRole.POSITION_EMBEDDING, i, FIRST, i == 0 ? 1 : 0);
            parameters.set(ParameterRole.POSITION_EMBEDDING, i, INDEX, i + 1);
            parameters.set(ParameterRole.POSITION_EMBEDDING, i, ONE, 1);
            boolean opens = i + 1 < word.length && word[i + 1] % 2 == 0;
            parameters.set(ParameterRole.POSITION_EMBEDDING, i, next + (opens ? word[i + 1] / 2 : 0), 1);
        }
    }

    /** Writes layer 1: means by equal scores, then levels by ramps. */
    private void average(ExactParameters parameters, int levels) {
        int[] sources = {STEP, PATH, FIRST};
        int[] targets = {MEAN_STEP, MEAN_PATH, INVERSE};
        for (int column = 0; column < sources.length; column++) {
            parameters.set(ParameterRole.VALUE, 0, sources[column], column, 1);
            parameters.set(ParameterRole.OUTPUT, 0, column, targets[column], 1);
        }
        double slope = 4.0 * pairs;
        for (int level = 1; level <= pairs; level++) {
            for (int side = 0; side < 2; side++) {
                int unit = 2 * (level - 1) + side;
                parameters.set(ParameterRole.FIRST, 0, MEAN_STEP, unit, slope);
                parameters.set(ParameterRole.FIRST, 0, INVERSE, unit, -slope * (level - 0.5));
                parameters.set(ParameterRole.FIRST_BIAS, 0, 0, unit, side == 0 ? 0.5 : -0.5);
                parameters.set(ParameterRole.SECOND, 0, unit, levels + level - 1, side == 0 ? 1 : -1);
            }
        }
    }

    private void findLastOpener(ExactParameters parameters, int levels, int found) {
        double weight = 2.0 * pairs;
        for (int level = 0; level < pairs; level++) {
            parameters.set(ParameterRole.QUERY, 1, levels + level, level, 1);
            parameters.set(ParameterRole.KEY, 1, levels + level, level, 2 * weight);
            parameters.set(ParameterRole.KEY, 1, levels + level, pairs, -weight);
        }
        parameters.set(ParameterRole.QUERY, 1, ONE, pairs, 1);
        parameters.set(ParameterRole.KEY, 1, INDEX, pairs, 1);
        for (int type = 0; type < types; type++) {
            parameters.set(ParameterRole.KEY, 1, TYPES + type, pairs, weight);
            parameters.set(ParameterRole.VALUE, 1, TYPES + type, type, 1);
            parameters.set(ParameterRole.OUTPUT, 1, type, found + type, 1);
        }
    }

    /**
     * Enough bits to keep the order of scores. With unit roundoff u, a ramp of at most 4N + 1 has an error of 8 (4N +
     * 1) u, and a level has twice this error. A score is a sum of N products with a factor 4N, and its partial sums are
     * at most 4N², so its error is below 1024 N³ u. The errors of two scores together must be less than 1.
     */
    @Override
    public Demand demand() {
        int deciding = Math.getExponent(2048.0 * pairs * pairs * pairs) + 1;
        Demand ofShape = shape.demand();
        double maximum = 8.0 * pairs * pairs * pairs;
        return new Demand(
                Math.max(deciding, ofShape.tensorBits()),
                Math.max(deciding, ofShape.sumBits()),
                Math.min(-GAMMA / (2.0 * pairs), ofShape.minimum()),
                Math.max(maximum, ofShape.maximum()),
                "scores of levels, N = " + pairs);
    }
}

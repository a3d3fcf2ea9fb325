package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Batch;

/**
 * Beyond the paper: theorem 4.1 does not carry over to several bracket types with any attention by position either.
 *
 * <p><b>The class.</b> One layer of attention whose weights depend only on positions, with any number of heads, any
 * width and a residual. Logits are linear in the result, as in the paper. The logits after r tokens are therefore sums
 * over i of functions of r, i and z_i.
 *
 * <p><b>The counterexample.</b> Six prefixes of D_14, of 11 tokens each, leave three brackets open, the last of them
 * "(1", so ")1" must follow. At each position, equally many of the six have "(1" and "(2", and equally many have ")1"
 * and ")2". If the types are exchanged, ")2" must follow, but each position still has the same six tokens. Consider the
 * sum over the six prefixes of the logit of ")1" minus the logit of ")2". The exchange does not change this sum, but
 * correct greedy decoding requires a positive sum for the first six prefixes and a negative sum for the exchanged six.
 * Therefore, after one of the twelve prefixes, the right bracket has probability at most 1/2. For N &gt; 7, all twelve
 * continue with "(1 )1" N - 7 times. Integer programming gave six as the smallest number of prefixes of 11 tokens. For
 * N &lt;= 6, linear programming finds, for each single length, sums that close every prefix correctly.
 */
final class SeveralTypesByPosition {

    private static final long SEED = 4_203;

    private static final int PAIRS = 7;

    private static final List<String> PREFIXES = List.of(
            "(2 (1 (1 (1 (1 (1 )1 (1 )1 )1 )1",
            "(2 (2 (1 (2 (1 (2 )2 (2 )2 )1 )2",
            "(1 (2 (2 )2 )2 )1 (2 (1 (1 (2 )2",
            "(1 (1 (1 )1 )1 )1 (2 (2 (1 (1 )1",
            "(2 )2 (2 (1 (2 )2 (1 (2 (2 )2 )2",
            "(1 )1 (2 (2 (2 )2 (1 (1 (2 )2 )1");

    /** Tolerance relative to the maximum margin: allows for thousands of rounding errors in binary64. */
    private static final double TOLERANCE = 1e-12;

    static final ComputedClaim CLAIM = ComputedClaim.asStated(
                    "depth.several-types.by-position", SeveralTypes.PLACE, """
                    Beyond the paper: no layer of attention whose weights depend only on positions, with logits that are
                    linear in its output, completes every prefix of words of N >= 7 bracket pairs of two types
                    correctly. The reason is two groups of six prefixes. At each position, both groups have the same six
                    tokens, but after one group )1 must follow, and after the other )2.
                    """)
            .settings("""
                N | 7..64 | 7 | half the length of the words
                """)
            .byBudget("models | 1..100000 | how many are drawn", "50", "5000", "5000")
            .range(scope -> "the twelve prefixes, N = {N}; {models} models of drawn weights in binary64, with 2 heads"
                    + " of softmax attention by position and a residual")
            .test((scope, computation) -> {
                RandomGenerator random = Tally.random(SEED);
                int pairs = scope.integer("N");
                Stream<LanguageModel> models = Stream.generate(() -> draw(pairs, random));
                return check(pairs, models.limit(scope.integer("models")).toList());
            });

    static Finding check(int pairs, List<LanguageModel> models) {
        var tally = new Tally();
        Tally.Extreme differences =
                tally.atMost("maximum difference of the two sums of margins, over the maximum margin", "", TOLERANCE);
        Tally.Extreme failures = tally.atLeast(
                "smallest over models of the maximum probability of a wrong closing bracket, N = " + pairs,
                "probability",
                0.5);
        for (LanguageModel model : models) {
            double[] first = margins(model, prefixes(pairs));
            double[] second = margins(model, exchanged(pairs));
            double scale = DoubleStream.concat(Arrays.stream(first), Arrays.stream(second))
                    .map(Math::abs)
                    .max()
                    .orElseThrow();
            double difference =
                    Math.abs(Arrays.stream(first).sum() - Arrays.stream(second).sum()) / scale;

            // The smallest margin of the right closing bracket over the wrong one. The opening brackets can only make
            // failure more likely.
            double margin = Math.min(
                    Arrays.stream(first).min().orElseThrow(),
                    -Arrays.stream(second).max().orElseThrow());
            double failure = 1 / (1 + Math.exp(margin));
            differences.add(
                    difference,
                    () -> "the margins of ')1' sum to " + Arrays.stream(first).sum() + " and "
                            + Arrays.stream(second).sum());
            failures.add(failure, () -> "a wrong closing bracket has probability " + failure + " at most");
        }
        return tally.finding(
                "every model closes one of the twelve prefixes wrongly, because both sums are equal", SEED);
    }

    /** The six prefixes of D_2N that ")1" must close. */
    static List<int[]> prefixes(int pairs) {
        return PREFIXES.stream()
                .map(text -> TypedBrackets.ids(text + " (1 )1".repeat(pairs - PAIRS), 2))
                .toList();
    }

    /** The six prefixes with the types of their first 11 brackets exchanged; ")2" must close them. */
    static List<int[]> exchanged(int pairs) {
        return prefixes(pairs).stream()
                .map(prefix -> IntStream.range(0, prefix.length)
                        .map(i -> i < 2 * PAIRS - 3 ? (prefix[i] + 2) % 4 : prefix[i])
                        .toArray())
                .toList();
    }

    /** The logit of ")1" minus the logit of ")2" after each prefix. */
    private static double[] margins(LanguageModel model, List<int[]> prefixes) {
        Batch batch = Batch.of(prefixes);
        double[] logits = model.logits(batch);
        return IntStream.range(0, prefixes.size())
                .map(sequence -> 4 * (batch.sequences().end(sequence) - 1))
                .mapToDouble(row -> logits[row + 1] - logits[row + 3])
                .toArray();
    }

    /** A random model. Scores depend only on the last columns, which are 0 in token embeddings. */
    private static LanguageModel draw(int pairs, RandomGenerator random) {
        int width = 8;
        int ofTokens = 4;
        var parameters = new ExactParameters(new Architecture(
                new Architecture.Size(4, 2 * pairs, width, 1),
                PositionOptions.table(),
                AttentionOptions.softmax(2, 4),
                null,
                NormalizationOptions.none(),
                true,
                OutputOptions.nextToken(false),
                0));
        for (ParameterView view : parameters.architecture().layout()) {
            boolean ofScores = view.role() == ParameterRole.QUERY || view.role() == ParameterRole.KEY;
            boolean ofEmbedding = view.role() == ParameterRole.TOKEN_EMBEDDING;
            for (int i = 0; i < view.size(); i++) {
                int row = i / view.columns();
                int column = i % view.columns();
                boolean zero = (ofScores && row < ofTokens) || (ofEmbedding && column >= ofTokens);
                parameters.values()[view.offset() + i] = zero ? 0 : random.nextGaussian();
            }
        }
        return new ReferenceTransformer(parameters);
    }
}

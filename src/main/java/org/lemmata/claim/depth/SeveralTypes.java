package org.lemmata.claim.depth;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.task.depth.TypedBrackets;
import org.lemmata.token.Batch;

/**
 * Beyond the paper: theorem 4.1's construction does not carry over to several bracket types.
 *
 * <p><b>The class.</b> One layer of attention with any number of heads and any width. Attention weights do not depend
 * on tokens, and are equal for all positions of a class; there are c classes (uniform attention: c = 1; positions
 * modulo p: c = p). Embedding, positions, value and output matrices are arbitrary, and so is the map from the result to
 * logits, such as a product with E or a feed-forward part. A head's output after r tokens is sum_C a_{r,C} sum_{i in C}
 * (E_{z_i} + B_i) W, so the logits are a function of r and of how often each token occurs in each class.
 *
 * <p><b>The counterexample.</b> If c &lt; N, two positions i &lt; j &lt;= N have the same class. Let a word of D_2N
 * with two types begin with j opening brackets: "(2" at i and "(1" elsewhere. Let a second word have "(2" at j instead.
 * Both continue with "(1 )1" N - j times. After these 2N - j tokens, all brackets have been opened, so the top of the
 * stack must be closed next: by ")1" in the first word, by ")2" in the second. Both words have equal counts and
 * therefore equal logits. Greedy decoding therefore completes one of the two prefixes wrongly, and sampling completes
 * one of them wrongly with probability at least 1/2. For uniform attention, "(1 (2" and "(2 (1" are a counterexample
 * from N = 2 on.
 *
 * <p><b>With the last tokens.</b> A residual, or heads that see each of the last w tokens separately, help little. Both
 * prefixes end with the same 2(N - j) tokens, and some j &lt;= c + 1 works. The counterexample therefore still works
 * from N = c + 1 + w/2 on, rounded up. Attention by content helps:
 * {@link org.lemmata.construct.depth.DyckCompleterByLastOpener}. The argument does not cover c &gt;= N classes;
 * {@link SeveralTypesByPosition} covers them for linear logits.
 *
 * <p>Theorem 4.1 itself needs only counts, because one bracket type has only one closing token.
 */
final class SeveralTypes {

    static final String PLACE = "theorem 4.1, here against several bracket types";

    private static final long SEED = 4_201;

    private static final int TYPES = 2;

    static final ComputedClaim CLAIM = ComputedClaim.asStated("depth.several-types", PLACE, """
        Beyond the paper: no head with uniform attention completes every prefix of words of N >= 2 bracket pairs of two
        types correctly. Its logits depend only on the length and the token counts of a prefix. The prefixes (1 (2 and
        (2 (1, each followed by N - 2 pairs (1 )1, agree in both, but need different closing brackets.
        """)
            .byBudget(
                    "N | 2..5 | | half the length of the words; by default each from 2 to that of the budget",
                    "2..3",
                    "2..4",
                    "2..5")
            .settings("""
                gamma | [-64, 64] but 0 | -1/2 | weight of the next training token in the positions; a multiple of 1/64, so that sums are exact
                """)
            .range(scope -> "N in " + scope.integers("N") + """
                , two types; the construction of lemma 5.1, and that of theorem 3.1 with a drawn embedding of width
                3, each on every training word, gamma = {gamma}; every pair of prefixes with the same counts of
                which a bracket has to be closed next
                """)
            .test((scope, computation) -> {
                RandomGenerator random = Tally.random(SEED);
                double gamma = scope.number("gamma");
                boolean isInexact = 64 * gamma != Math.rint(64 * gamma);
                Refuse.when(isInexact, "gamma", "a multiple of 1/64, so that sums are exact", gamma);
                return check(scope.integers("N"), word -> models(word, gamma, computation, random));
            });

    /**
     * A model with one-hot tokens, and a model with random integer embeddings. With integers and a gamma that is a
     * multiple of 1/64, every sum is exact in any order.
     */
    private static List<LanguageModel> models(
            int[] word, double gamma, Computation computation, RandomGenerator random) {
        var vocabulary = TypedBrackets.vocabulary(TYPES);
        double[][] embedding = new double[vocabulary.size()][3];
        for (double[] row : embedding) {
            Arrays.setAll(row, column -> random.nextInt(-4, 5));
        }
        return List.of(
                computation.model(new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma)),
                computation.model(new SequenceMemorizerByProjection(
                        vocabulary, embedding, word, gamma, -64 * Math.signum(-gamma))));
    }

    static Finding check(List<Integer> sizes, Function<int[], List<LanguageModel>> models) {
        var tally = new Tally();
        for (int pairs : sizes) {
            List<int[]> colliding = colliding(pairs, TYPES, position -> 0, 0).stream()
                    .flatMap(List::stream)
                    .toList();
            Tally.Extreme smallest = tally.atLeast(
                    "smallest over models of the maximum probability of a wrong closing bracket, N = " + pairs,
                    "probability",
                    0.5);
            for (int[] word : TypedBrackets.words(pairs, TYPES)) {
                for (LanguageModel model : models.apply(word)) {
                    double maximum = maxFailure(model, colliding, word, tally);
                    smallest.add(
                            maximum,
                            () -> "training word " + TypedBrackets.text(word)
                                    + ": the closing bracket fails with probability " + maximum + " at most");
                }
            }
        }
        return tally.finding(
                "every model has equal logits after two prefixes that need different closing brackets", SEED);
    }

    /**
     * The maximum over prefixes of the probability of a token other than the required closing bracket. Elements 2i and
     * 2i + 1 of {@code colliding} form a pair; requires equal logits for both.
     */
    private static double maxFailure(LanguageModel model, List<int[]> colliding, int[] word, Tally tally) {
        Batch batch = Batch.of(colliding);
        double[] logits = model.logits(batch);
        int columns = 2 * TYPES;
        double maximum = 0;
        double[] first = new double[columns];
        for (int sequence = 0; sequence < colliding.size(); sequence++) {
            int end = batch.sequences().end(sequence) * columns;
            double[] row = Arrays.copyOfRange(logits, end - columns, end);
            int required = closing(colliding.get(sequence));
            double others = 0;
            for (int token = 0; token < columns; token++) {
                others += token == required ? 0 : Math.exp(row[token] - row[required]);
            }
            maximum = Math.max(maximum, others == Double.POSITIVE_INFINITY ? 1 : others / (1 + others));
            if (sequence % 2 == 0) {
                first = row;
            } else if (!Arrays.equals(first, row)) {
                tally.refute("training word " + TypedBrackets.text(word) + ": different logits after "
                        + TypedBrackets.text(colliding.get(sequence - 1)) + " and "
                        + TypedBrackets.text(colliding.get(sequence)));
            }
        }
        return maximum;
    }

    private static int closing(int[] prefix) {
        int[] open = TypedBrackets.open(prefix);
        return 2 * open[open.length - 1] + 1;
    }

    /**
     * Pairs of prefixes of words with {@code pairs} pairs of brackets. Both prefixes have equal token counts in each
     * class of positions and equal last {@code window} tokens, but require different closing brackets next.
     *
     * @param classes the class of a position, counted from 0
     */
    static List<List<int[]>> colliding(int pairs, int types, IntUnaryOperator classes, int window) {
        List<List<int[]>> colliding = new ArrayList<>();
        for (int r = pairs; r < 2 * pairs; r++) {
            Map<int[], int[]> seen = new Object2ObjectOpenCustomHashMap<>(IntArrays.HASH_STRATEGY);
            for (int[] prefix : TypedBrackets.prefixes(r, pairs, types)) {
                if (TypedBrackets.open(prefix).length != 2 * pairs - r) {
                    continue;
                }
                int[] other = seen.putIfAbsent(key(prefix, types, classes, window), prefix);
                if (other != null && closing(other) != closing(prefix)) {
                    colliding.add(List.of(other, prefix));
                }
            }
        }
        return colliding;
    }

    /** The sorted pairs (class, token), then the last tokens. */
    private static int[] key(int[] prefix, int types, IntUnaryOperator classes, int window) {
        IntStream counted = IntStream.range(0, prefix.length).map(i -> classes.applyAsInt(i) * 2 * types + prefix[i]);
        IntStream last = Arrays.stream(prefix).skip(Math.max(0, prefix.length - window));
        return IntStream.concat(counted.sorted(), last).toArray();
    }
}

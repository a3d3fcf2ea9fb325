package org.lemmata.claim.depth;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ReferenceTransformer;

/**
 * Richard (2024), section 3, Multiple sequences: m sequences of n tokens with orthogonal x_ij = E_{s_i^(j)} + B_i.
 *
 * <p>One V interpolates all of them: with x_rj V = w (r u_{s_{r+1}} - (r - 1) u_{s_r}), where u is the dual basis of E,
 * the sums telescope to logits w for the next token and 0 for all others. But the m - 1 differences x_ij - x_i1 at each
 * position are differences of token embeddings, so they span at most t - 1 dimensions. If all x_ij are orthogonal and
 * not 0, all n (m - 1) differences are independent. Therefore t &gt; n (m - 1) is necessary; this bound is sharp.
 */
final class SeveralSequences {

    private static final long SEED = 3_300;

    private static final double SCALE = 16;

    private static final int LONGEST_HALF = 5;

    static final ComputedClaim CLAIM = ComputedClaim.corrected(
                    "depth.several-sequences", "section 3, Multiple sequences", """
                    Let s^(1) to s^(m) be m >= 2 sequences of length n over t tokens with linearly independent
                    embeddings E. If the nm vectors E_{s_i^(j)} + B_i (token plus position) are orthogonal and not 0, a
                    head with uniform attention and some value matrix V completes every prefix of each sequence to that
                    sequence. If V gives the next token the logit w and all others 0, the probability is at least 1 -
                    nt exp(-w). Such position vectors B exist only if t > n (m - 1), and for some sequences with t = n
                    (m - 1) + 1. For two different words of D_2N they never exist. Read as: completions, probabilities and
                    the sequences with t = n (m - 1) + 1 are tested; that fewer tokens are too few is proved.
                    """)
            .settings("seeds | 1..10000 | 40 | draws of sequences")
            .range("{seeds} draws of 2 to 4 sequences of 2 to 6 tokens with t = n (m - 1) + 1, w = " + SCALE
                    + "; all pairs of words of D_2N, N <= " + LONGEST_HALF + ", which differ at two positions or more")
            .test((scope, computation) -> check(scope.integer("seeds"), ReferenceTransformer::new));

    /**
     * Sequences with the smallest possible number of tokens, and an embedding for which x_ij is the unit vector of
     * column im + j.
     *
     * <p>At each position, one sequence has token 0 or a token of an earlier position (the parent), and each other
     * sequence has a new token. E of a new token is E of the parent plus the unit vector of its own sequence minus the
     * unit vector of the parent's sequence.
     */
    // Only this class uses the arrays.
    @SuppressWarnings("ArrayRecordComponent")
    private record Interpolation(int[][] sequences, ExactParameters parameters) {

        static Interpolation draw(int m, int n, RandomGenerator random) {
            int tokens = n * (m - 1) + 1;
            int width = n * m + 1;
            var sequences = new int[m][n];
            var embedding = new double[tokens][width];
            var dual = new double[tokens][width];
            embedding[0][width - 1] = 1;
            dual[0][width - 1] = 1;
            var parameters = new ExactParameters(Architecture.uniformHead(tokens, n, width, true));
            int token = 1;
            for (int i = 0; i < n; i++) {
                int parent = random.nextInt(token);
                int old = random.nextInt(m);
                var position = new double[width];
                Arrays.setAll(position, column -> -embedding[parent][column]);
                position[i * m + old]++;
                parameters.setRow(ParameterRole.POSITION_EMBEDDING, i, position);
                for (int j = 0; j < m; j++) {
                    sequences[j][i] = j == old ? parent : token;
                    if (j != old) {
                        embedding[token] = embedding[parent].clone();
                        embedding[token][i * m + j]++;
                        embedding[token][i * m + old]--;
                        dual[token][i * m + j]++;
                        dual[parent][i * m + j]--;
                        token++;
                    }
                }
            }
            for (int each = 0; each < tokens; each++) {
                parameters.setRow(ParameterRole.TOKEN_EMBEDDING, each, embedding[each]);
            }
            for (int j = 0; j < m; j++) {
                for (int i = 0; i + 1 < n; i++) {
                    for (int column = 0; column < width; column++) {
                        double image = (i + 1) * dual[sequences[j][i + 1]][column] - i * dual[sequences[j][i]][column];
                        parameters.set(ParameterRole.VALUE, 0, i * m + j, column, SCALE * image);
                    }
                }
            }
            return new Interpolation(sequences, parameters);
        }
    }

    static Finding check(int draws, Function<ExactParameters, LanguageModel> models) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        Tally.Extreme failures = tally.atMost("maximum probability of another sequence, over the bound", "", 1);
        for (int draw = 0; draw < draws; draw++) {
            int m = random.nextInt(2, 5);
            int n = random.nextInt(2, 7);
            Interpolation drawn = Interpolation.draw(m, n, random);
            LanguageModel model = models.apply(drawn.parameters);
            double bound = n * (n * (m - 1) + 1) * Math.exp(-SCALE);
            failures.count(1);
            for (int[] sequence : drawn.sequences) {
                var memorization = Memorization.of(model, sequence);
                tally.require(
                        memorization.departures().isEmpty() && memorization.failure() <= bound,
                        () -> Memorization.text(sequence) + ", one of " + m + ": fails with probability "
                                + memorization.failure());
                failures.add(memorization.failure() / bound);
            }
        }

        long pairs = 0;
        for (int half = 2; half <= LONGEST_HALF; half++) {
            List<int[]> words = DyckSizes.all(half);
            for (int a = 0; a < words.size(); a++) {
                for (int b = 0; b < a; b++) {
                    int[] one = words.get(a);
                    int[] other = words.get(b);
                    tally.require(
                            differences(one, other) > 1,
                            () -> Memorization.text(one) + " and " + Memorization.text(other)
                                    + " differ at only one position");
                    pairs++;
                }
            }
        }
        tally.count("pairs of words that differ at more than t - 1 = 1 position", (int) pairs, pairs);
        return tally.finding("orthogonal vectors interpolate all sequences, and need that many tokens", SEED);
    }

    /**
     * The number of positions at which two sequences differ. This many independent differences of tokens are required,
     * but only t - 1 exist.
     */
    private static long differences(int[] one, int[] other) {
        return IntStream.range(0, one.length).filter(i -> one[i] != other[i]).count();
    }
}

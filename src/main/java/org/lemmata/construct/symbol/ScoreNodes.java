package org.lemmata.construct.symbol;

import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import org.lemmata.argument.Refuse;

/**
 * Quadrature nodes for the attention scores of strings: beta (zeta_{x_a} + gamma p_a) minus the score of the last
 * position. Subtracting that score does not change a softmax. zeta of tokens and p of positions are independent
 * standard normal variables. The variables that all strings share (positions, common tokens) and those of each string's
 * own tokens have separate nodes.
 *
 * @param length k
 * @param common nodes of the n k scores of n strings
 * @param own for each string, the nodes of its k scores
 */
record ScoreNodes(int length, GaussianNodes common, List<GaussianNodes> own) {

    /**
     * The nodes for strings.
     *
     * @param strings strings of one length
     * @param shared the tokens that the strings share; all other tokens count as different in different strings
     * @param rule as in {@link GaussianNodes#of}
     */
    static ScoreNodes of(
            List<int[]> strings, IntList shared, double beta, double gamma, DoubleFunction<GaussianRule> rule) {
        int k = strings.getFirst().length;
        Refuse.below("length of a string", k, 1);
        strings.forEach(
                string -> Refuse.when(string.length != k, "length of a string", k + " as of others", string.length));
        GaussianNodes common = GaussianNodes.of(loadings(strings, shared, beta, beta * gamma), k, rule);
        List<GaussianNodes> own = strings.stream()
                .map(string -> GaussianNodes.of(loadings(List.of(string), alone(string, shared), beta, 0), k, rule))
                .toList();
        return new ScoreNodes(k, common, own);
    }

    private static IntList alone(int[] string, IntList shared) {
        return IntList.of(Arrays.stream(string)
                .distinct()
                .filter(token -> !shared.contains(token))
                .toArray());
    }

    static IntList inBoth(int[] x, int[] y) {
        var ofY = new IntOpenHashSet(y);
        return IntList.of(Arrays.stream(x).distinct().filter(ofY::contains).toArray());
    }

    /** The loadings: one row per score, with columns for positions, then for tokens. */
    private static double[][] loadings(List<int[]> strings, IntList tokens, double ofToken, double ofPosition) {
        int k = strings.getFirst().length;
        double[][] loadings = new double[strings.size() * k][k + tokens.size()];
        for (int row = 0; row < loadings.length; row++) {
            int[] string = strings.get(row / k);
            add(loadings[row], string, row % k, tokens, ofToken, ofPosition);
            add(loadings[row], string, k - 1, tokens, -ofToken, -ofPosition);
        }
        return loadings;
    }

    private static void add(
            double[] row, int[] string, int position, IntList tokens, double ofToken, double ofPosition) {
        row[position] += ofPosition;
        int token = tokens.indexOf(string[position]);
        if (token >= 0) {
            row[string.length + token] += ofToken;
        }
    }
}

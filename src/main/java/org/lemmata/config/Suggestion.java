package org.lemmata.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The word that a mistyped one was probably meant to be. */
final class Suggestion {

    private Suggestion() {}

    /** The nearest of {@code known}, if no more than a third of the letters differ; of several, the first. */
    static Optional<String> of(String word, List<String> known) {
        String plain = kebabCase(word);
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(plain, candidate)))
                .filter(candidate -> 3 * distance(plain, candidate) <= Math.max(plain.length(), candidate.length()));
    }

    /** {@code learning_rate} and {@code learningRate} are {@code learning-rate}. */
    private static String kebabCase(String word) {
        return word.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").replace('_', '-').toLowerCase(Locale.ROOT);
    }

    /** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                boolean swap =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swap) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}

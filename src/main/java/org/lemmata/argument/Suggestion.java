package org.lemmata.argument;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known word that a mistyped one probably stands for. */
public final class Suggestion {

    private Suggestion() {}

    /** An unknown word in quotes, followed by a suggestion if there is one; for error messages. */
    public static String quoted(String word, Collection<String> known) {
        return Refuse.quoted(word) + hint(word, known);
    }

    /** The suggestion as the end of an error message; empty if there is none. */
    public static String hint(String word, Collection<String> known) {
        return of(word, known)
                .map(name -> " (did you mean " + Refuse.shown(name) + "?)")
                .orElse("");
    }

    /**
     * The first of {@code known} whose last part is the word, such as {@code ocp_e4m3} for {@code e4m3}. Otherwise the
     * nearest known word, if at most a third of the letters differ.
     */
    public static Optional<String> of(String word, Collection<String> known) {
        String plain = kebabCase(word);
        Optional<String> whole = known.stream()
                .filter(candidate -> plain.length() < candidate.length() && isLastPart(plain, kebabCase(candidate)))
                .findFirst();
        if (whole.isPresent()) {
            return whole;
        }
        return known.stream()
                .filter(candidate -> plain.length() <= 2 * candidate.length())
                .min(Comparator.comparingInt(candidate -> distance(plain, kebabCase(candidate))))
                .filter(candidate ->
                        3 * distance(plain, kebabCase(candidate)) <= Math.max(plain.length(), candidate.length()));
    }

    private static boolean isLastPart(String word, String candidate) {
        return !word.isEmpty() && (candidate.endsWith("-" + word) || candidate.endsWith("." + word));
    }

    private static String kebabCase(String word) {
        return word.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").replace('_', '-').toLowerCase(Locale.ROOT);
    }

    /** The optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
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

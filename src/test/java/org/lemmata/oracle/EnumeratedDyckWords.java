package org.lemmata.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All balanced words of N pairs: the strings of '(' and ')' that become empty if "()" is deleted repeatedly. */
public final class EnumeratedDyckWords {

    private static final Map<Integer, List<Word>> WORDS = new ConcurrentHashMap<>();

    private EnumeratedDyckWords() {}

    /** All strings of '(' and ')' of a length. */
    public static List<String> strings(int length) {
        List<String> strings = List.of("");
        for (int i = 0; i < length; i++) {
            List<String> longer = new ArrayList<>();
            for (String string : strings) {
                longer.add(string + "(");
                longer.add(string + ")");
            }
            strings = longer;
        }
        return strings;
    }

    /** A word is balanced if it becomes empty by deleting "()" repeatedly. */
    public static boolean isBalanced(String word) {
        String before;
        String after = word;
        do {
            before = after;
            after = before.replace("()", "");
        } while (after.length() < before.length());
        return after.isEmpty();
    }

    /** The depth of a balanced word: the number of times that all "()" must be deleted until it is empty. */
    public static int depth(String word) {
        int rounds = 0;
        for (String rest = word; !rest.isEmpty(); rest = rest.replace("()", "")) {
            rounds++;
        }
        return rounds;
    }

    /** All balanced words of N pairs with a depth in a window, in the order with '(' before ')'. */
    public static List<String> words(int pairs, int minDepth, int maxDepth) {
        return WORDS.computeIfAbsent(pairs, EnumeratedDyckWords::enumerate).stream()
                .filter(word -> minDepth <= word.depth && word.depth <= maxDepth)
                .map(Word::text)
                .toList();
    }

    private static List<Word> enumerate(int pairs) {
        return strings(2 * pairs).stream()
                .filter(EnumeratedDyckWords::isBalanced)
                .map(word -> new Word(word, depth(word)))
                .toList();
    }

    private record Word(String text, int depth) {}
}

package org.lemmata.task.depth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.token.Vocabulary;

/**
 * Words of k bracket types, "(1 )1" to "(k )k". A closing bracket closes the last open bracket, which must have the
 * same type.
 *
 * <p>The id of "(c" is 2(c - 1), and the id of ")c" is 2c - 1. Positions in messages count from 1.
 */
public final class TypedBrackets {

    private TypedBrackets() {}

    /** "(1", ")1", "(2", ")2" and so on. */
    public static Vocabulary vocabulary(int types) {
        return new Vocabulary(IntStream.rangeClosed(1, types)
                .mapToObj(type -> List.of("(" + type, ")" + type))
                .flatMap(List::stream)
                .toList());
    }

    public static boolean isOpen(int id) {
        return id % 2 == 0;
    }

    /** The type of a bracket, counted from 0. */
    public static int type(int id) {
        return id / 2;
    }

    /** The ids of brackets separated by blanks; none for a blank text. */
    public static int[] ids(String text, int types) {
        Vocabulary vocabulary = vocabulary(types);
        String stripped = text.strip();
        return stripped.isEmpty()
                ? new int[0]
                : Arrays.stream(stripped.split("\\s+")).mapToInt(vocabulary::id).toArray();
    }

    /** The brackets with these ids, separated by blanks. */
    public static String text(int[] ids) {
        return Arrays.stream(ids)
                .mapToObj(id -> (isOpen(id) ? "(" : ")") + (type(id) + 1))
                .collect(Collectors.joining(" "));
    }

    /**
     * The types of the open brackets, in the order in which they were opened.
     *
     * @throws IllegalArgumentException if a closing bracket follows no open bracket, or an open bracket of another type
     */
    public static int[] open(int... ids) {
        int[] stack = new int[ids.length];
        int height = 0;
        for (int i = 0; i < ids.length; i++) {
            if (isOpen(ids[i])) {
                stack[height++] = type(ids[i]);
            } else if (height == 0) {
                throw new IllegalArgumentException(
                        "position " + (i + 1) + ": expected an opening bracket, got )" + (type(ids[i]) + 1));
            } else if (stack[--height] != type(ids[i])) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected )" + (stack[height] + 1)
                        + " or an opening bracket, got )" + (type(ids[i]) + 1));
            }
        }
        return Arrays.copyOf(stack, height);
    }

    /** Whether all brackets are closed by brackets of the same type in reverse order; the empty word is balanced. */
    public static boolean isBalanced(int... ids) {
        try {
            return open(ids).length == 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Every balanced word of {@code pairs} pairs. */
    public static List<int[]> words(int pairs, int types) {
        return prefixes(2 * pairs, pairs, types);
    }

    /** Every prefix of {@code length} brackets of a balanced word of {@code pairs} pairs. */
    public static List<int[]> prefixes(int length, int pairs, int types) {
        List<int[]> prefixes = List.of(new int[0]);
        for (int r = 1; r <= length; r++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] prefix : prefixes) {
                for (int id : next(prefix, pairs, types)) {
                    int[] one = Arrays.copyOf(prefix, r);
                    one[r - 1] = id;
                    longer.add(one);
                }
            }
            prefixes = longer;
        }
        return prefixes;
    }

    /** The brackets that may follow a prefix of a balanced word of {@code pairs} pairs. */
    public static int[] next(int[] prefix, int pairs, int types) {
        int[] open = open(prefix);
        int opening = open.length < 2 * pairs - prefix.length ? types : 0;
        int[] next = new int[opening + Math.min(1, open.length)];
        Arrays.setAll(next, i -> i < opening ? 2 * i : 2 * open[open.length - 1] + 1);
        return next;
    }

    /** Draws a word uniformly: a uniform shape with uniform types. */
    public static int[] sample(int pairs, int types, RandomGenerator random) {
        int[] ids = new DyckWords(pairs).sampleIds(random);
        int[] open = new int[pairs];
        int height = 0;
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == DyckWords.OPEN) {
                open[height] = random.nextInt(types);
                ids[i] = 2 * open[height++];
            } else {
                ids[i] = 2 * open[--height] + 1;
            }
        }
        return ids;
    }
}

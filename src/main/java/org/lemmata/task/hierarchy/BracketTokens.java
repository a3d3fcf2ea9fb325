package org.lemmata.task.hierarchy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Vocabulary;

/**
 * The tokens of k bracket types: "(1" to "(k", ")1" to ")k", the start and the end, with ids in this order.
 *
 * <p>Types are counted from 0 here, and from 1 in texts. Source: Hayakawa and Sato (2024), definition 1 and Eq. 154.
 *
 * @param types k, from 1 to {@value #MAX_TYPES}
 */
public record BracketTokens(int types) {

    /** The limit for k; the output matrix of a generator has one row per token, 2k + 2. */
    public static final int MAX_TYPES = 1 << 10;

    public BracketTokens {
        Refuse.outside("k", types, 1, MAX_TYPES);
    }

    public Vocabulary vocabulary() {
        List<String> symbols = new ArrayList<>();
        for (String side : List.of("(", ")")) {
            for (int type = 1; type <= types; type++) {
                symbols.add(side + type);
            }
        }
        symbols.add("<bos>");
        symbols.add("<eos>");
        return new Vocabulary(symbols);
    }

    public int count() {
        return 2 * types + 2;
    }

    /** Number of brackets: 2k. Their ids are 0 to 2k - 1. */
    public int brackets() {
        return 2 * types;
    }

    public int open(int type) {
        return type;
    }

    public int close(int type) {
        return types + type;
    }

    public int start() {
        return 2 * types;
    }

    public int end() {
        return 2 * types + 1;
    }

    public boolean isOpen(int id) {
        return id < types;
    }

    /** The type of a bracket, from 0. */
    public int type(int id) {
        return id % types;
    }

    /** 1 for an opening bracket, -1 for a closing one. */
    public int rise(int id) {
        return isOpen(id) ? 1 : -1;
    }

    /**
     * Rejects ids that are not brackets.
     *
     * @throws IllegalArgumentException if there is one; positions in the message count from 1
     */
    public void requireBrackets(int... ids) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= brackets()) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected a bracket, id 0 to "
                        + (brackets() - 1) + ", got " + ids[i]);
            }
        }
    }

    /**
     * The ids of brackets separated by blanks; for one type, also of a text of ( and ) without blanks.
     *
     * @throws IllegalArgumentException if the text has another symbol; positions in the message count from 1
     */
    public int[] ids(String text) {
        String stripped = text.strip();
        if (stripped.isEmpty()) {
            return new int[0];
        }
        if (types == 1 && stripped.chars().allMatch(c -> c == '(' || c == ')')) {
            return stripped.chars().map(c -> c == '(' ? open(0) : close(0)).toArray();
        }
        List<String> symbols = vocabulary().symbols();
        String[] words = stripped.split("\\s+", -1);
        int[] ids = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            ids[i] = symbols.indexOf(words[i]);
            if (ids[i] < 0 || ids[i] >= brackets()) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected a bracket, (1 to (" + types
                        + " or )1 to )" + types + ", got " + Refuse.quoted(words[i]));
            }
        }
        return ids;
    }

    /** The symbols of ids, separated by blanks. */
    public String text(int... ids) {
        List<String> symbols = vocabulary().symbols();
        return Arrays.stream(ids).mapToObj(symbols::get).collect(Collectors.joining(" "));
    }

    /** The maximum number of open brackets of all types over all prefixes, including the empty prefix. */
    public int depth(int... ids) {
        int height = 0;
        int depth = 0;
        for (int id : ids) {
            height += rise(id);
            depth = Math.max(depth, height);
        }
        return depth;
    }
}

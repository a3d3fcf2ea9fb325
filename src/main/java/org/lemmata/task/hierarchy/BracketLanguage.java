package org.lemmata.task.hierarchy;

import java.util.BitSet;

/** Languages of balanced bracket words. A one-pass machine decides membership; samplers of words do not use it. */
public enum BracketLanguage {
    /** Dyck_k: each closing bracket closes the last open bracket, which must have the same type. Decided by a stack. */
    DYCK("Dyck"),
    /** Shuffle-Dyck_k: each type is balanced separately. Decided by k counters. */
    SHUFFLE_DYCK("Shuffle-Dyck");

    private final String label;

    BracketLanguage(String label) {
        this.label = label;
    }

    /** The name in texts. */
    public String label() {
        return label;
    }

    /**
     * Whether brackets are a word of the language.
     *
     * @throws IllegalArgumentException if an id is not a bracket
     */
    public boolean contains(BracketTokens tokens, int... brackets) {
        return members(tokens, brackets).get(brackets.length);
    }

    /**
     * The lengths, from 0 on, of all prefixes of the brackets that are words.
     *
     * @throws IllegalArgumentException if an id is not a bracket
     */
    public BitSet members(BracketTokens tokens, int... brackets) {
        tokens.requireBrackets(brackets);
        var machine = new Machine(tokens, brackets.length);
        var members = new BitSet(brackets.length + 1);
        members.set(0);
        for (int i = 0; i < brackets.length && machine.read(brackets[i]); i++) {
            members.set(i + 1, machine.isEmpty());
        }
        return members;
    }

    /**
     * The tokens, including the end token, that may follow in a word of the language; none if the brackets are not a
     * prefix of a word.
     *
     * @throws IllegalArgumentException if an id is not a bracket
     */
    public BitSet next(BracketTokens tokens, int... brackets) {
        tokens.requireBrackets(brackets);
        var machine = new Machine(tokens, brackets.length);
        var next = new BitSet(tokens.count());
        for (int bracket : brackets) {
            if (!machine.read(bracket)) {
                return next;
            }
        }
        next.set(0, tokens.types());
        for (int type = 0; type < tokens.types(); type++) {
            next.set(tokens.close(type), machine.mayClose(type));
        }
        next.set(tokens.end(), machine.isEmpty());
        return next;
    }

    /** Whether the brackets are a prefix of a word. */
    public boolean isPrefix(BracketTokens tokens, int... brackets) {
        return !next(tokens, brackets).isEmpty();
    }

    /** The state of a recognizer: the open brackets. */
    private final class Machine {

        private final BracketTokens tokens;
        /** The types of the open brackets, in the order in which they were opened, for Dyck_k. */
        private final int[] stack;

        private final int[] open;
        private int height;

        Machine(BracketTokens tokens, int length) {
            this.tokens = tokens;
            this.stack = new int[length];
            this.open = new int[tokens.types()];
        }

        /** Reads a bracket. Returns false if no word has this prefix; nothing more may then be read. */
        boolean read(int bracket) {
            int type = tokens.type(bracket);
            if (tokens.isOpen(bracket)) {
                stack[height++] = type;
                open[type]++;
                return true;
            }
            if (!mayClose(type)) {
                return false;
            }
            height--;
            open[type]--;
            return true;
        }

        boolean isEmpty() {
            return height == 0;
        }

        boolean mayClose(int type) {
            return BracketLanguage.this == DYCK ? height > 0 && stack[height - 1] == type : open[type] > 0;
        }
    }
}

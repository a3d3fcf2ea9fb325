package org.lemmata.task.hierarchy;

import java.util.BitSet;

/** Which words of brackets are balanced, decided by a machine that reads them once: no sampler uses it. */
public enum BracketLanguage {
    /** Each bracket closes the last one opened, of its type: Dyck_k, by a stack. */
    DYCK("Dyck") {
        @Override
        Machine machine(BracketTokens tokens, int length) {
            return new Stack(tokens, length);
        }
    },
    /** Each type is balanced for itself: Shuffle-Dyck_k, by k counters. */
    SHUFFLE_DYCK("Shuffle-Dyck") {
        @Override
        Machine machine(BracketTokens tokens, int length) {
            return new Counters(tokens);
        }
    };

    private final String label;

    BracketLanguage(String label) {
        this.label = label;
    }

    /** The name in texts. */
    public String label() {
        return label;
    }

    abstract Machine machine(BracketTokens tokens, int length);

    /**
     * Whether brackets are a word of the language.
     *
     * @throws IllegalArgumentException if an id is no bracket
     */
    public boolean contains(BracketTokens tokens, int... brackets) {
        return members(tokens, brackets).get(brackets.length);
    }

    /**
     * Of which lengths from 0 on the first brackets are a word.
     *
     * @throws IllegalArgumentException if an id is no bracket
     */
    public BitSet members(BracketTokens tokens, int... brackets) {
        tokens.requireBrackets(brackets);
        Machine machine = machine(tokens, brackets.length);
        var members = new BitSet(brackets.length + 1);
        members.set(0);
        for (int i = 0; i < brackets.length && machine.read(brackets[i]); i++) {
            members.set(i + 1, machine.isEmpty());
        }
        return members;
    }

    /**
     * The tokens that may follow in a word of the language with its end: none if the brackets begin no word.
     *
     * @throws IllegalArgumentException if an id is no bracket
     */
    public BitSet next(BracketTokens tokens, int... brackets) {
        tokens.requireBrackets(brackets);
        Machine machine = machine(tokens, brackets.length);
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

    /** Whether brackets begin a word. */
    public boolean isPrefix(BracketTokens tokens, int... brackets) {
        return !next(tokens, brackets).isEmpty();
    }

    /** What is open. */
    interface Machine {

        /** Reads a bracket; false if no word begins so, and then nothing more may be read. */
        boolean read(int bracket);

        boolean isEmpty();

        boolean mayClose(int type);
    }

    private static final class Stack implements Machine {

        private final BracketTokens tokens;
        private final int[] types;
        private int height;

        Stack(BracketTokens tokens, int length) {
            this.tokens = tokens;
            this.types = new int[length];
        }

        @Override
        public boolean read(int bracket) {
            int type = tokens.type(bracket);
            if (tokens.isOpen(bracket)) {
                types[height++] = type;
                return true;
            }
            boolean closes = mayClose(type);
            height -= closes ? 1 : 0;
            return closes;
        }

        @Override
        public boolean isEmpty() {
            return height == 0;
        }

        @Override
        public boolean mayClose(int type) {
            return height > 0 && types[height - 1] == type;
        }
    }

    private static final class Counters implements Machine {

        private final BracketTokens tokens;
        private final int[] open;
        private int total;

        Counters(BracketTokens tokens) {
            this.tokens = tokens;
            this.open = new int[tokens.types()];
        }

        @Override
        public boolean read(int bracket) {
            int rise = tokens.rise(bracket);
            total += rise;
            open[tokens.type(bracket)] += rise;
            return open[tokens.type(bracket)] >= 0;
        }

        @Override
        public boolean isEmpty() {
            return total == 0;
        }

        @Override
        public boolean mayClose(int type) {
            return open[type] > 0;
        }
    }
}

package org.lemmata.task.symbol;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import org.lemmata.argument.Refuse;

/**
 * A string z of regular tokens and wildcards. A string matches z if it results from z by an injective map of the
 * wildcards to tokens that are not in z. Equivalently, the string has equal tokens exactly where z has equal symbols,
 * and z's regular tokens are at their positions in the string.
 *
 * <p>Source: Boix-Adsera et al. (2024), definitions 3.1 and 4.1.
 */
public final class Template {

    private static final int NONE = -1;

    private final int[] symbols;

    /** The wildcards, in the order of first occurrence. */
    private final IntList wildcards;

    /** For each position, the index of its wildcard, or -1. */
    private final int[] places;

    /** For each position, the first position with the same symbol. */
    private final int[] first;

    /** @param symbols at least one: regular tokens are numbered from 0, and wildcard w is -1 - w */
    public Template(int... symbols) {
        Refuse.when(symbols.length == 0, "template", "at least one symbol", "none");
        this.symbols = symbols.clone();
        first = firstOfEach(symbols);
        wildcards = new IntArrayList(
                Arrays.stream(symbols).filter(symbol -> symbol < 0).distinct().toArray());
        places = Arrays.stream(symbols).map(wildcards::indexOf).toArray();
    }

    /** The symbols of z: regular tokens are numbered from 0, and wildcard w is -1 - w. */
    public int[] symbols() {
        return symbols.clone();
    }

    public int length() {
        return symbols.length;
    }

    public int wildcards() {
        return wildcards.size();
    }

    /**
     * Replaces the wildcards without checks. The result has {@code room} additional elements at its end.
     *
     * @param tokens one per wildcard, in the order of their first occurrence
     */
    int[] filled(int[] tokens, int room) {
        int[] string = Arrays.copyOf(symbols, symbols.length + room);
        for (int i = 0; i < symbols.length; i++) {
            string[i] = places[i] == NONE ? symbols[i] : tokens[places[i]];
        }
        return string;
    }

    /** The symbol itself if it is a regular token, otherwise the token that replaces it. */
    int filled(int symbol, int... tokens) {
        return symbol >= 0 ? symbol : tokens[wildcards.indexOf(symbol)];
    }

    /** Whether {@code string} matches this template. */
    public boolean matches(int... string) {
        if (string.length != symbols.length || !Arrays.equals(first, firstOfEach(string))) {
            return false;
        }
        for (int i = 0; i < symbols.length; i++) {
            if (symbols[i] >= 0 && symbols[i] != string[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether no string over any alphabet matches both templates. A string that matches both has equal tokens exactly
     * where each template has equal symbols, so both templates must have equal symbols at the same positions. Also, two
     * regular tokens at one position must be equal, and positions with different symbols must not need the same token.
     */
    public boolean isDisjointFrom(Template other) {
        if (!Arrays.equals(first, other.first)) {
            return true;
        }
        var tokens = new IntOpenHashSet();
        for (int i = 0; i < symbols.length; i++) {
            if (first[i] != i) {
                continue;
            }
            int token = Math.max(symbols[i], other.symbols[i]);
            boolean isConflict = symbols[i] >= 0 && other.symbols[i] >= 0 && symbols[i] != other.symbols[i];
            if (isConflict || (token >= 0 && !tokens.add(token))) {
                return true;
            }
        }
        return false;
    }

    private static int[] firstOfEach(int... string) {
        var places = new Int2IntOpenHashMap(string.length);
        places.defaultReturnValue(NONE);
        int[] first = new int[string.length];
        for (int i = 0; i < string.length; i++) {
            int place = places.putIfAbsent(string[i], i);
            first[i] = place == NONE ? i : place;
        }
        return first;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template that && Arrays.equals(symbols, that.symbols);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(symbols);
    }

    @Override
    public String toString() {
        return Arrays.toString(symbols);
    }
}

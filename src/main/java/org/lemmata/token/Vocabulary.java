package org.lemmata.token;

import it.unimi.dsi.fastutil.objects.Object2IntMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.List;
import org.lemmata.argument.Refuse;

/** The symbols of tokens with their ids; id i belongs to the i-th symbol, counted from 0. */
public final class Vocabulary {

    private static final int NONE = -1;

    private final List<String> symbols;
    private final Object2IntMap<String> ids;

    /** @param symbols the symbols in the order of their ids, distinct and not empty */
    public Vocabulary(List<String> symbols) {
        this.symbols = List.copyOf(symbols);
        this.ids = new Object2IntOpenHashMap<>(symbols.size());
        ids.defaultReturnValue(NONE);
        for (String symbol : this.symbols) {
            if (symbol.isEmpty() || ids.putIfAbsent(symbol, ids.size()) != NONE) {
                throw new IllegalArgumentException("symbols: expected distinct symbols that are not empty, got "
                        + Refuse.quoted(symbol) + " in " + Refuse.shown(symbols.toString()));
            }
        }
    }

    public int size() {
        return symbols.size();
    }

    public List<String> symbols() {
        return symbols;
    }

    public String symbol(int id) {
        return symbols.get(id);
    }

    public boolean contains(String symbol) {
        return ids.containsKey(symbol);
    }

    /**
     * The id of a symbol.
     *
     * @throws IllegalArgumentException if the symbol is not in the vocabulary
     */
    public int id(String symbol) {
        int id = ids.getInt(symbol);
        if (id == NONE) {
            throw new IllegalArgumentException(
                    "symbol: expected one of " + String.join(" ", symbols) + ", got " + Refuse.quoted(symbol));
        }
        return id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Vocabulary that && symbols.equals(that.symbols);
    }

    @Override
    public int hashCode() {
        return symbols.hashCode();
    }

    @Override
    public String toString() {
        return "Vocabulary" + symbols;
    }
}

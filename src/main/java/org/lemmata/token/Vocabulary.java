package org.lemmata.token;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Symbols and their ids, both ways; id i is the i-th symbol. */
public final class Vocabulary {

    private final List<String> symbols;
    private final Map<String, Integer> ids;

    /** @param symbols the symbols in the order of their ids, distinct and not empty */
    public Vocabulary(List<String> symbols) {
        this.symbols = List.copyOf(symbols);
        this.ids = HashMap.newHashMap(symbols.size());
        for (String symbol : this.symbols) {
            if (symbol.isEmpty() || ids.putIfAbsent(symbol, ids.size()) != null) {
                throw new IllegalArgumentException(
                        "symbols: expected distinct symbols that are not empty, got '" + symbol + "' in " + symbols);
            }
        }
    }

    public int size() {
        return symbols.size();
    }

    public List<String> symbols() {
        return symbols;
    }

    /** The symbol of an id. */
    public String symbol(int id) {
        return symbols.get(id);
    }

    /**
     * The id of a symbol.
     *
     * @throws IllegalArgumentException if the symbol is not in the vocabulary
     */
    public int id(String symbol) {
        Integer id = ids.get(symbol);
        if (id == null) {
            throw new IllegalArgumentException(
                    "symbol: expected one of " + String.join(" ", symbols) + ", got '" + symbol + "'");
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

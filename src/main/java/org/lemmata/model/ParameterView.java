package org.lemmata.model;

/**
 * A named matrix within the flat array of parameters: element (i, j) at {@code offset + i * columns + j}.
 *
 * @param name the name, as weights are stored under it
 * @param rows number of rows
 * @param columns number of columns
 * @param offset index of element (0, 0)
 */
public record ParameterView(String name, int rows, int columns, int offset) {

    public static final String TOKEN_EMBEDDING = "token_embedding";
    public static final String POSITION_EMBEDDING = "position_embedding";
    public static final String UNEMBEDDING = "unembedding";

    /** W_Q of a layer, counted from 0. */
    public static String query(int layer) {
        return "layer." + layer + ".query";
    }

    /** W_K of a layer, counted from 0. */
    public static String key(int layer) {
        return "layer." + layer + ".key";
    }

    /** W_V of a layer, counted from 0. */
    public static String value(int layer) {
        return "layer." + layer + ".value";
    }

    /** W_O of a layer, counted from 0. */
    public static String output(int layer) {
        return "layer." + layer + ".output";
    }

    public int size() {
        return Math.multiplyExact(rows, columns);
    }
}

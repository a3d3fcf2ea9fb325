package org.lemmata.model.parity;

import static org.lemmata.oracle.ReferenceValues.integers;

import com.fasterxml.jackson.databind.JsonNode;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;

/** Values of an independent implementation in binary64, read from files. */
public final class ParityVectors {

    private ParityVectors() {}

    public static ParityLink link(JsonNode reference) {
        String name = reference.get("link").textValue();
        return switch (name) {
            case "poly" -> new ParityLink.Polynomial();
            case "cos" -> new ParityLink.Cosine();
            default -> new ParityLink.PiecewiseQuadratic(Double.parseDouble(name.substring(2)));
        };
    }

    public static ParityTree tree(JsonNode reference) {
        return new ParityTree(reference.get("d").intValue(), integers(reference.get("leaves")));
    }

    /** Every sequence of {@code columns} signs once: sample i has -1 in the columns of the bits that are set in i. */
    public static SignColumns every(int columns) {
        var signs = new SignColumns(columns, 1 << columns);
        for (int sample = 0; sample < signs.samples(); sample++) {
            for (int column = 0; column < columns; column++) {
                signs.set(column, sample, (sample >> column & 1) != 0);
            }
        }
        return signs;
    }

    /** Rows of signs. */
    public static SignColumns signs(JsonNode rows) {
        var signs = new SignColumns(rows.get(0).size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            for (int j = 0; j < rows.get(i).size(); j++) {
                signs.set(j, i, rows.get(i).get(j).intValue() < 0);
            }
        }
        return signs;
    }

    /** Columns by node, in the layout of weights. */
    public static double[] columns(ChainWeights layout, JsonNode columns) {
        double[] flat = new double[layout.size()];
        ParityTree tree = layout.tree();
        for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
            JsonNode column = columns.get(String.valueOf(node));
            if (column.size() != layout.visible(node)) {
                throw new AssertionError("node " + node + ": " + column.size() + " of " + layout.visible(node));
            }
            for (int j = 0; j < column.size(); j++) {
                flat[layout.offset(node) + j] = column.get(j).doubleValue();
            }
        }
        return flat;
    }

    public static ChainWeights weights(ParityTree tree, ChainMask mask, JsonNode columns) {
        var weights = new ChainWeights(tree, mask);
        double[] flat = columns(weights, columns);
        for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
            for (int j = 1; j <= weights.visible(node); j++) {
                weights.set(j, node, flat[weights.offset(node) + j - 1]);
            }
        }
        return weights;
    }
}

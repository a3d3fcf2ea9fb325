package org.lemmata.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.activation.Activation;

/**
 * The sizes of a {@link MultilayerPerceptron}.
 *
 * @param vocabularySize m, at least 1
 * @param length k: number of tokens of a sequence, at least 1
 * @param width d: columns of each hidden layer, at least 1
 * @param layers L: number of hidden layers, at least 1
 * @param activation f
 * @param incidence whether z_0 ends with vec(X Xᵀ), which marks equal tokens
 */
public record MultilayerPerceptronOptions(
        int vocabularySize, int length, int width, int layers, Activation.Kind activation, boolean incidence) {

    public MultilayerPerceptronOptions {
        Refuse.below("vocabularySize", vocabularySize, 1);
        Refuse.below("length", length, 1);
        Refuse.below("width", width, 1);
        Refuse.below("layers", layers, 1);
        long inputs = (long) vocabularySize * length + (incidence ? (long) length * length : 0);
        long parameters = (inputs + (layers - 1L) * width + 1) * width;
        if (parameters > Integer.MAX_VALUE || inputs > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "parameters: expected at most " + Integer.MAX_VALUE + ", got " + parameters);
        }
    }

    public MultilayerPerceptronOptions(
            int vocabularySize, int length, int width, int layers, Activation.Kind activation) {
        this(vocabularySize, length, width, layers, activation, false);
    }

    /** The number of elements of z_0. */
    private int inputs() {
        return length * vocabularySize + (incidence ? length * length : 0);
    }

    /**
     * Every parameter with its place in the flat array. {@code layer.0.first} is W_1, with one row for each position
     * and token, then with {@code incidence} one row for each pair of positions. {@code layer.N.first} is W_{N + 1},
     * inputs x outputs. {@code unembedding} is w.
     */
    public List<ParameterView> layout() {
        List<ParameterView> views = new ArrayList<>();
        int offset = 0;
        for (int layer = 0; layer < layers; layer++) {
            int rows = layer == 0 ? inputs() : width;
            var view = new ParameterView(ParameterRole.FIRST, layer, false, rows, width, offset);
            views.add(view);
            offset += view.size();
        }
        views.add(new ParameterView(ParameterRole.UNEMBEDDING, ParameterView.NO_LAYER, false, 1, width, offset));
        return List.copyOf(views);
    }

    public int parameterCount() {
        ParameterView last = layout().getLast();
        return last.offset() + last.size();
    }

    /**
     * Draws independent N(0, 1 / n) parameters, where n is the number of nonzero inputs of a map. For W_1, n is k,
     * because its inputs are one-hot; X Xᵀ adds the k ones of its diagonal. For other maps, n is d. The inputs of the
     * activations are then of order 1.
     *
     * <p>Source: Boix-Adsera et al. (2024), definition I.1, for independent Gaussian entries; it leaves the variance
     * open.
     *
     * @param random gives one number, which is the key of all others
     */
    public float[] draw(RandomGenerator random) {
        long key = random.nextLong();
        float[] values = new float[parameterCount()];
        for (ParameterView view : layout()) {
            int read = view.layer() != 0 ? width : incidence ? 2 * length : length;
            view.drawInto(values, 0, 1 / Math.sqrt(read), RandomGenerator::nextGaussian, key);
        }
        return values;
    }
}

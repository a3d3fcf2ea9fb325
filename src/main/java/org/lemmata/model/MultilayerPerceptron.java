package org.lemmata.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.token.Batch;

/**
 * y = w z_L, z_l = f(z_{l-1} W_l), z_0 = [e_{x_1}, ..., e_{x_k}]: a fully connected network on the one-hot vectors of
 * the k tokens of a sequence, with the loss (y - value)^2. Optionally, z_0 ends with vec(X Xᵀ), where entry (i, j) of X
 * Xᵀ is 1 if x_i = x_j, else 0.
 *
 * <p>z_0 W_1 is a sum of rows of W_1: one for each position and its token, and one for each pair of equal tokens. If
 * layers have d columns, a gradient for n sequences takes O(n k d + n (L - 1) d^2) operations, plus O(d) for each pair
 * of equal tokens, for any vocabulary size. In the gradient of W_1, only these rows are changed.
 *
 * <p>Gradients do not depend on the number of threads. An instance keeps scratch space between calls, linear in the
 * sequences of the largest batch, so only one thread at a time may use it. {@link #gradient} allocates nothing if the
 * batch is no larger than an earlier batch and the array is that of the previous call.
 *
 * <p>Source: Boix-Adsera et al. (2024), When can transformers reason with abstract symbols?, appendix I, equation 23,
 * and appendix B.3 for X Xᵀ; W_l here is the transpose of theirs.
 */
public final class MultilayerPerceptron implements Objective {

    private final MultilayerPerceptronOptions options;
    private final List<ParameterView> layout;
    private final float[] values;
    private final Kernels kernels;
    private final int width;

    /** The offsets of the rows of W_1 whose sum is z_0 W_1 for one sequence. */
    private final int[] firstRows;

    /** W_1 to W_L, then w. */
    private final Matrix[] weights;

    /** The gradients of {@link #weights}, as views of {@link #lastGradients}. */
    private Matrix[] dWeights = {};

    private float[] lastGradients = {};

    private final Matrix ofRead = Matrix.empty();
    private final Matrix ofWritten = Matrix.empty();
    private final Matrix ofOutputs = Matrix.empty();
    private final Matrix ofAnswers = Matrix.empty();
    private final Matrix ofDz = Matrix.empty();
    private final Matrix ofDzBefore = Matrix.empty();

    private int rows = -1;

    /** z_{l-1} W_l of each layer l = 1 to L. */
    private final float[][] read;

    /** z_l of each layer. */
    private final float[][] written;

    private float[] outputs = {};

    /** The gradient of z_l, then the gradient of the input of f. */
    private float[] dz = {};

    /** The gradient of z_{l-1}. */
    private float[] dzBefore = {};

    /**
     * @param parameters in the order of {@link MultilayerPerceptronOptions#layout}, not copied, because training writes
     *     into them
     */
    public MultilayerPerceptron(MultilayerPerceptronOptions options, float[] parameters, Kernels kernels) {
        if (parameters.length != options.parameterCount()) {
            throw new IllegalArgumentException(
                    "parameters: expected " + options.parameterCount() + " elements, got " + parameters.length);
        }
        this.options = options;
        this.layout = options.layout();
        this.values = parameters;
        this.weights = matrices(parameters);
        this.kernels = kernels;
        this.width = options.width();
        this.firstRows = new int[options.length() * (1 + (options.incidence() ? options.length() : 0))];
        this.read = new float[options.layers()][0];
        this.written = new float[options.layers()][0];
    }

    private Matrix[] matrices(float[] array) {
        return layout.stream().map(view -> view.in(array)).toArray(Matrix[]::new);
    }

    @Override
    public List<ParameterView> layout() {
        return layout;
    }

    @Override
    public float[] parameters() {
        return values;
    }

    /**
     * Computes y of each sequence of the batch.
     *
     * @throws IllegalArgumentException if a sequence does not have k tokens, or a token is outside the vocabulary
     */
    public float[] outputs(Batch batch) {
        check(batch);
        int n = batch.sequences().count();
        growTo(n);
        for (int i = 0; i < n; i++) {
            gather(batch, i, i);
        }
        forward(n);
        return Arrays.copyOf(outputs, n);
    }

    /** {@inheritDoc} The answer of a sequence belongs to its last position. */
    @Override
    public double loss(Batch batch) {
        int n = forwardAnswered(batch);
        return n == 0 ? Double.NaN : kernels.squaredError().forward(ofOutputs, ofAnswers, 1.0 / n);
    }

    @Override
    public BitSet right(Batch batch) {
        int n = forwardAnswered(batch);
        var right = new BitSet(n);
        for (int i = 0; i < n; i++) {
            right.set(i, (double) outputs[i] * batch.values()[i] > 0);
        }
        return right;
    }

    /** {@inheritDoc} The answer of a sequence belongs to its last position. There is no dropout. */
    @Override
    public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
        if (gradients.length != values.length) {
            throw new IllegalArgumentException(
                    "gradients: expected " + values.length + " elements, got " + gradients.length);
        }
        int n = forwardAnswered(batch);
        if (n == 0) {
            return 0;
        }
        double loss = kernels.squaredError().backward(ofOutputs, ofOutputs, ofAnswers, factor);
        backward(gradients, batch, n);
        return loss;
    }

    /** Computes the outputs of the sequences that have answers. Returns the number of these sequences. */
    private int forwardAnswered(Batch batch) {
        check(batch);
        int k = options.length();
        int[] scored = batch.scoredRows();
        Refuse.when(batch.targets().length > 0, "batch", "values for REGRESSION", "targets");
        for (int row : scored) {
            if (row % k != k - 1) {
                throw new IllegalArgumentException("batch: expected values at the last of " + k
                        + " positions, got one at " + row % k + " of sequence " + row / k);
            }
        }
        growTo(scored.length);
        for (int i = 0; i < scored.length; i++) {
            gather(batch, scored[i] / k, i);
        }
        forward(scored.length);
        ofAnswers.at(batch.values(), scored.length, 1);
        return scored.length;
    }

    private void check(Batch batch) {
        for (int i = 0; i < batch.sequences().count(); i++) {
            if (batch.sequences().length(i) != options.length()) {
                throw new IllegalArgumentException("batch: expected " + options.length() + " tokens per sequence, got "
                        + batch.sequences().length(i) + " in sequence " + i);
            }
        }
        for (int i = 0; i < batch.sequences().total(); i++) {
            if (batch.ids()[i] < 0 || batch.ids()[i] >= options.vocabularySize()) {
                throw new IllegalArgumentException("batch: expected tokens below " + options.vocabularySize() + ", got "
                        + batch.ids()[i] + " at " + i);
            }
        }
    }

    private void growTo(int newRows) {
        if (newRows <= rows) {
            return;
        }
        rows = newRows;
        int size = Math.multiplyExact(rows, width);
        for (int layer = 0; layer < read.length; layer++) {
            read[layer] = new float[size];
            written[layer] = new float[size];
        }
        outputs = new float[rows];
        dz = new float[size];
        dzBefore = new float[size];
    }

    /** Writes {@link #firstRows} for a sequence; returns the number of rows. */
    private int findRows(Batch batch, int sequence) {
        int[] ids = batch.ids();
        int k = options.length();
        int start = batch.sequences().start(sequence);
        int count = 0;
        for (int t = 0; t < k; t++) {
            firstRows[count++] = (t * options.vocabularySize() + ids[start + t]) * width;
        }
        for (int pair = 0; options.incidence() && pair < k * k; pair++) {
            if (ids[start + pair / k] == ids[start + pair % k]) {
                firstRows[count++] = (k * options.vocabularySize() + pair) * width;
            }
        }
        return count;
    }

    /** Computes row {@code i} of z_0 W_1, for sequence {@code sequence}. */
    private void gather(Batch batch, int sequence, int i) {
        Arrays.fill(read[0], i * width, (i + 1) * width, 0);
        int rowsRead = findRows(batch, sequence);
        for (int row = 0; row < rowsRead; row++) {
            kernels.arithmetic().addInto(read[0], i * width, values, firstRows[row], width);
        }
    }

    private void forward(int n) {
        MatMul matMul = kernels.matMul();
        int last = read.length - 1;
        for (int layer = 0; layer <= last; layer++) {
            if (layer > 0) {
                ofRead.at(read[layer], n, width);
                ofWritten.at(written[layer - 1], n, width);
                matMul.multiply(MatMul.Form.NN, false, ofRead, ofWritten, weights[layer]);
            }
            ofWritten.at(written[layer], n, width);
            kernels.activation().forwardInto(options.activation(), ofWritten, ofRead.at(read[layer], n, width));
        }
        ofOutputs.at(outputs, n, 1);
        ofWritten.at(written[last], n, width);
        matMul.multiply(MatMul.Form.NT, false, ofOutputs, ofWritten, weights[last + 1]);
    }

    /** Adds all gradients to {@code gradients}. {@link #outputs} must contain the gradients of the outputs. */
    @SuppressWarnings("ReferenceEquality") // Compares identity: whether this is the array of the previous call.
    private void backward(float[] gradients, Batch batch, int n) {
        MatMul matMul = kernels.matMul();
        int last = read.length - 1;
        if (lastGradients != gradients) {
            dWeights = matrices(gradients);
            lastGradients = gradients;
        }
        ofOutputs.at(outputs, n, 1);
        ofWritten.at(written[last], n, width);
        ofDz.at(dz, n, width);
        matMul.multiply(MatMul.Form.TN, true, dWeights[last + 1], ofOutputs, ofWritten);
        matMul.multiply(MatMul.Form.NN, false, ofDz, ofOutputs, weights[last + 1]);
        for (int layer = last; layer >= 0; layer--) {
            ofDz.at(dz, n, width);
            kernels.activation().backwardInto(options.activation(), ofDz, ofDz, ofRead.at(read[layer], n, width));
            if (layer == 0) {
                break;
            }
            ofWritten.at(written[layer - 1], n, width);
            ofDzBefore.at(dzBefore, n, width);
            matMul.multiply(MatMul.Form.TN, true, dWeights[layer], ofWritten, ofDz);
            matMul.multiply(MatMul.Form.NT, false, ofDzBefore, ofDz, weights[layer]);
            float[] swapped = dz;
            dz = dzBefore;
            dzBefore = swapped;
        }
        int[] scored = batch.scoredRows();
        for (int i = 0; i < n; i++) {
            int rowsRead = findRows(batch, scored[i] / options.length());
            for (int row = 0; row < rowsRead; row++) {
                kernels.arithmetic().addInto(gradients, firstRows[row], dz, i * width, width);
            }
        }
    }
}

package org.lemmata.model.part;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/** y = x W + b, or y = x Wᵀ + b if W has one row per output. y is rounded as configured for {@link #tensor}. */
final class LinearMap {

    private final PartContext context;
    private final PassTensor tensor;
    private final int layer;
    private final boolean transposed;
    private final ParameterView view;
    private final int biasAt;
    private final Matrix weights;
    private final @Nullable Matrix bias;
    private final int inputs;
    private final int outputs;

    /** Views whose arrays each call sets. */
    private final Matrix x = Matrix.empty();

    private final Matrix y = Matrix.empty();
    private final Matrix dWeights = Matrix.empty();

    /** A map of a layer, stored as inputs x outputs, or, outside layers, a table with one row per output. */
    LinearMap(PartContext context, PassTensor tensor, ParameterRole matrix, ParameterRole bias, int layer) {
        this.context = context;
        this.tensor = tensor;
        this.layer = layer;
        transposed = layer == ParameterView.NO_LAYER;
        view = context.index().view(matrix, layer);
        biasAt = context.index().offset(bias, layer);
        weights = context.get(context.values(), matrix, layer);
        this.bias = context.find(context.values(), bias, layer);
        inputs = transposed ? view.columns() : view.rows();
        outputs = transposed ? view.rows() : view.columns();
    }

    /** Sets y, given the rows of x from {@code first} on. */
    void forward(float[] ofY, float[] ofX, int first, int rows) {
        MatMul matMul = context.rounding().matMul(tensor, layer, PassRounding.Use.FORWARD);
        MatMul.Form form = transposed ? MatMul.Form.NT : MatMul.Form.NN;
        y.at(ofY, rows, outputs);
        x.at(ofX, first * inputs, rows, inputs, inputs);
        matMul.multiplyAddBias(form, y, x, weights, bias);
        context.rounding().round(tensor, layer, ofY, rows, outputs);
    }

    /**
     * db += the sum of the rows of dy. For y = x W + b, dW += xᵀ dy and dx = dy Wᵀ; for y = x Wᵀ + b, dW += dyᵀ x and
     * dx = dy W. If {@code accumulate}, dx is added to the array. Uses the rows of x and dx from {@code first} on.
     */
    void backward(float[] gradients, float[] ofDx, boolean accumulate, float[] ofDy, float[] ofX, int first, int rows) {
        Matrix dy = y.at(ofDy, rows, outputs);
        x.at(ofX, first * inputs, rows, inputs, inputs);
        MatMul ofWeights = context.rounding().matMul(tensor, layer, PassRounding.Use.WEIGHT_GRADIENT);
        dWeights.at(gradients, view.offset(), view.rows(), view.columns(), view.columns());
        ofWeights.multiply(MatMul.Form.TN, true, dWeights, transposed ? dy : x, transposed ? x : dy);
        context.addRows(gradients, biasAt, ofDy, rows, outputs);
        MatMul ofInputs = context.rounding().matMul(tensor, layer, PassRounding.Use.INPUT_GRADIENT);
        MatMul.Form form = transposed ? MatMul.Form.NN : MatMul.Form.NT;
        ofInputs.multiply(form, accumulate, x.at(ofDx, first * inputs, rows, inputs, inputs), dy, weights);
    }
}

package org.lemmata.model.part;

import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.model.ParameterIndex;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.model.precision.PassTensor;

/** y = x W + b, or y = x Wᵀ + b of a W that has a row an output; rounded as its tensor is. */
final class LinearMap {

    private final PartContext context;
    private final PassTensor tensor;
    private final int layer;
    private final boolean transposed;
    private final int weights;
    private final int stride;
    private final int bias;
    private final int inputs;
    private final int outputs;

    private LinearMap(
            PartContext context, PassTensor tensor, ParameterView weights, ParameterRole bias, boolean transposed) {
        this.context = context;
        this.tensor = tensor;
        this.layer = weights.layer();
        this.transposed = transposed;
        this.weights = weights.offset();
        this.stride = weights.columns();
        this.bias = context.index().offset(bias, layer);
        this.inputs = transposed ? weights.columns() : weights.rows();
        this.outputs = transposed ? weights.rows() : weights.columns();
    }

    /** A map of a layer, inputs x outputs. */
    static LinearMap of(PartContext context, PassTensor tensor, ParameterRole matrix, ParameterRole bias, int layer) {
        return new LinearMap(context, tensor, context.index().view(matrix, layer), bias, false);
    }

    /** A table of the model, a row an output. */
    static LinearMap ofTable(PartContext context, PassTensor tensor, ParameterRole table, ParameterRole bias) {
        ParameterView view = context.index().view(table, ParameterView.NO_LAYER);
        return new LinearMap(context, tensor, view, bias, true);
    }

    void forward(float[] y, float[] x, int rows) {
        MatMul matMul = context.rounding().matMul(tensor, layer, PassRounding.Use.FORWARD);
        MatMul.Form form = transposed ? MatMul.Form.NT : MatMul.Form.NN;
        float[] w = context.values();
        int k = inputs;
        int n = outputs;
        if (bias == ParameterIndex.ABSENT) {
            matMul.multiply(form, false, y, 0, n, x, 0, k, w, weights, stride, rows, n, k);
        } else {
            matMul.multiplyAddBias(form, y, 0, n, x, 0, k, w, weights, stride, w, bias, rows, n, k);
        }
        context.rounding().round(tensor, layer, y, rows, n);
    }

    /** dW += xᵀ dy, db += the rows of dy, and dx = dy Wᵀ or dx += dy Wᵀ. */
    void backward(float[] gradients, float[] dx, boolean accumulate, float[] dy, float[] x, int rows) {
        weightGradient(gradients, dy, x, rows);
        context.addRows(gradients, bias, dy, rows, outputs);
        inputGradient(dx, accumulate, dy, rows);
    }

    private void weightGradient(float[] gradients, float[] dy, float[] x, int rows) {
        MatMul matMul = context.rounding().matMul(tensor, layer, PassRounding.Use.WEIGHT_GRADIENT);
        int k = inputs;
        int n = outputs;
        if (transposed) {
            matMul.multiply(MatMul.Form.TN, true, gradients, weights, stride, dy, 0, n, x, 0, k, n, k, rows);
        } else {
            matMul.multiply(MatMul.Form.TN, true, gradients, weights, stride, x, 0, k, dy, 0, n, k, n, rows);
        }
    }

    private void inputGradient(float[] dx, boolean accumulate, float[] dy, int rows) {
        MatMul matMul = context.rounding().matMul(tensor, layer, PassRounding.Use.INPUT_GRADIENT);
        MatMul.Form form = transposed ? MatMul.Form.NN : MatMul.Form.NT;
        int k = inputs;
        int n = outputs;
        matMul.multiply(form, accumulate, dx, 0, k, dy, 0, n, context.values(), weights, stride, rows, k, n);
    }
}

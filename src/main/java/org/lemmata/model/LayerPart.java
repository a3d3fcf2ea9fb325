package org.lemmata.model;

import org.lemmata.model.precision.PassTensor;

/** One of the two parts of a layer: where its norm's parameters are, and what its tensors are called. */
enum LayerPart {
    ATTENTION(
            ParameterRole.ATTENTION_NORM_GAIN,
            ParameterRole.ATTENTION_NORM_SHIFT,
            PassTensor.ATTENTION_NORM,
            PassTensor.DROPPED_ATTENTION,
            PassTensor.ATTENTION_SUM,
            PassTensor.ATTENTION_INPUT,
            PassTensor.ATTENTION_INPUT_SUM),
    FEED_FORWARD(
            ParameterRole.FEED_FORWARD_NORM_GAIN,
            ParameterRole.FEED_FORWARD_NORM_SHIFT,
            PassTensor.FEED_FORWARD_NORM,
            PassTensor.DROPPED_FEED_FORWARD,
            PassTensor.FEED_FORWARD_SUM,
            PassTensor.FEED_FORWARD_INPUT,
            PassTensor.FEED_FORWARD_INPUT_SUM);

    final ParameterRole gain;
    final ParameterRole shift;

    /** Of norms before the part, and after it. */
    final PassTensor norm;

    /** What dropout leaves of y. */
    final PassTensor dropped;

    /** x + y. */
    final PassTensor sum;

    /** x by way of the part. */
    final PassTensor input;

    /** x by all ways. */
    final PassTensor inputSum;

    LayerPart(
            ParameterRole gain,
            ParameterRole shift,
            PassTensor norm,
            PassTensor dropped,
            PassTensor sum,
            PassTensor input,
            PassTensor inputSum) {
        this.gain = gain;
        this.shift = shift;
        this.norm = norm;
        this.dropped = dropped;
        this.sum = sum;
        this.input = input;
        this.inputSum = inputSum;
    }

    /** Which random numbers decide what of y is dropped. */
    int dropoutSite(int layer) {
        return this == ATTENTION ? DropoutSeed.ofAttention(layer) : DropoutSeed.ofFeedForward(layer);
    }
}

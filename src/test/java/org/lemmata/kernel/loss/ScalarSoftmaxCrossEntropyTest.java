package org.lemmata.kernel.loss;

class ScalarSoftmaxCrossEntropyTest extends SoftmaxCrossEntropyContract {

    @Override
    SoftmaxCrossEntropy crossEntropy() {
        return new ScalarSoftmaxCrossEntropy();
    }
}

package org.lemmata.kernel.softmax;

class VectorSoftmaxTest extends SoftmaxContract {

    @Override
    Softmax softmax() {
        return new VectorSoftmax();
    }
}

package org.lemmata.kernel.softmax;

class ScalarSoftmaxTest extends SoftmaxContract {

    @Override
    Softmax softmax() {
        return new ScalarSoftmax();
    }
}

package org.lemmata.kernel.loss;

class VectorSquaredErrorTest extends SquaredErrorContract {

    @Override
    SquaredError squaredError() {
        return new VectorSquaredError();
    }
}

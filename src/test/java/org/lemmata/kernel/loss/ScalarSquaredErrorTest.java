package org.lemmata.kernel.loss;

class ScalarSquaredErrorTest extends SquaredErrorContract {

    @Override
    SquaredError squaredError() {
        return new ScalarSquaredError();
    }
}

package org.lemmata.kernel.optimizer;

class ScalarGradientNormTest extends GradientNormContract {

    @Override
    GradientNorm gradientNorm() {
        return new ScalarGradientNorm();
    }
}

package org.lemmata.kernel.normalization;

class ScalarNormalizationTest extends NormalizationContract {

    @Override
    Normalization normalization() {
        return new ScalarNormalization();
    }
}

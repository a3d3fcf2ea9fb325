package org.lemmata.kernel.quantization;

class ScalarQuantizationTest extends QuantizationContract {

    @Override
    Quantization quantization() {
        return new ScalarQuantization();
    }
}

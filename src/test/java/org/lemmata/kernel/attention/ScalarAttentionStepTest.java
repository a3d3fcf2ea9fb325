package org.lemmata.kernel.attention;

class ScalarAttentionStepTest extends AttentionStepContract {

    @Override
    AttentionStep step() {
        return new ScalarAttentionStep();
    }

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

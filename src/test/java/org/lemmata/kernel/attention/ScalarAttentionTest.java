package org.lemmata.kernel.attention;

class ScalarAttentionTest extends AttentionContract {

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

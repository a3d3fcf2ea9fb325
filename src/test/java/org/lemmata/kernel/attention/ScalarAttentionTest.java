package org.lemmata.kernel.attention;

class ScalarAttentionTest extends AttentionContract {

    @Override
    protected Attention attention() {
        return new ScalarAttention();
    }
}

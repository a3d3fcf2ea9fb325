package org.lemmata.kernel.attention;

class ScalarLastQueryAttentionTest extends LastQueryAttentionContract {

    @Override
    LastQueryAttention kernel() {
        return new ScalarLastQueryAttention();
    }

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

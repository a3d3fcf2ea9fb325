package org.lemmata.kernel.attention;

class ScalarLastQueryTest extends LastQueryContract {

    @Override
    CachedAttention kernel() {
        return new ScalarCachedAttention();
    }

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

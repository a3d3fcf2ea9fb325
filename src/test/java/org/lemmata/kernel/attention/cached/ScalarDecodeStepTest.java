package org.lemmata.kernel.attention;

class ScalarDecodeStepTest extends DecodeStepContract {

    @Override
    CachedAttention step() {
        return new ScalarCachedAttention();
    }

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

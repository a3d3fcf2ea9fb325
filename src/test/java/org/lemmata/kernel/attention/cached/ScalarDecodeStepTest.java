package org.lemmata.kernel.attention.cached;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;

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

package org.lemmata.kernel.attention.cached;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;

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

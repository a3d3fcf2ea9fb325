package org.lemmata.kernel.attention.cached;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.thread.Workers;

class ScalarLastQueryTest extends LastQueryContract {

    @Override
    CachedAttention kernel(Workers workers) {
        return new ScalarCachedAttention();
    }

    @Override
    Attention attention() {
        return new ScalarAttention();
    }
}

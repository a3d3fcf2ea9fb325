package org.lemmata.kernel.attention;

import org.lemmata.kernel.thread.Workers;

class ScalarAttentionTest extends AttentionContract {

    @Override
    protected Attention attention(Workers workers) {
        return new ScalarAttention();
    }
}

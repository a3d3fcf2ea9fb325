package org.lemmata.kernel.attention.rounded;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.thread.Workers;

class ScalarRoundedAttentionTest extends RoundedAttentionContract {

    @Override
    Attention attention(AttentionRounding sites, Workers workers) {
        return new ScalarRoundedAttention(sites, RoundingStreams.NONE);
    }
}

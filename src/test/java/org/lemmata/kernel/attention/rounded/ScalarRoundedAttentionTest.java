package org.lemmata.kernel.attention.rounded;

import org.lemmata.kernel.attention.Attention;

class ScalarRoundedAttentionTest extends RoundedAttentionContract {

    @Override
    Attention attention(AttentionRounding sites) {
        return new ScalarRoundedAttention(sites, RoundingStreams.NONE);
    }
}

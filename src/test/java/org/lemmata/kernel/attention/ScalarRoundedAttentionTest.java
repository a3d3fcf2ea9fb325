package org.lemmata.kernel.attention;

class ScalarRoundedAttentionTest extends RoundedAttentionContract {

    @Override
    Attention attention(AttentionRounding sites) {
        return new ScalarRoundedAttention(sites);
    }
}

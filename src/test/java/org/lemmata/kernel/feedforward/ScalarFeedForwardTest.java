package org.lemmata.kernel.feedforward;

class ScalarFeedForwardTest extends FeedForwardContract {

    @Override
    FeedForward layer() {
        return FeedForward.scalar();
    }
}

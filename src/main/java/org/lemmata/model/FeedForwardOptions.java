package org.lemmata.model;

import org.lemmata.argument.Refuse;
import org.lemmata.kernel.activation.Activation;

/**
 * The feed-forward part of every layer: f(x W1 + b1) W2 + b2. With placement INNER, the argument of f is normalized.
 *
 * @param hidden columns of x W1, at least 1
 * @param activation f
 * @param firstBias whether b1 exists
 * @param secondBias whether b2 exists
 */
public record FeedForwardOptions(int hidden, Activation.Kind activation, boolean firstBias, boolean secondBias) {

    public FeedForwardOptions {
        Refuse.below("hidden", hidden, 1);
    }
}

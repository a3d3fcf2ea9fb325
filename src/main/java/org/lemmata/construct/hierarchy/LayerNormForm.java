package org.lemmata.construct.hierarchy;

import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;

/**
 * W_2 [LN_RMS(W_1 x)]_+ = (W_2 O) [LN((W_1; -W_1) x)]_+ with O = 0: an equivalent model with layer normalization within
 * the feed-forward part and twice as many hidden columns, whose mean is 0.
 *
 * <p>Source: Hayakawa and Sato (2024), lemma 13; its Eqs. 335 and 336 wrongly have the shift inside the division by
 * RMS.
 */
public final class LayerNormForm {

    private LayerNormForm() {}

    /** Converts a model with root-mean-square normalization within its feed-forward parts, and no biases before it. */
    public static ExactParameters of(ExactParameters parameters) {
        Architecture from = parameters.architecture();
        FeedForwardOptions options = from.feedForward();
        NormalizationOptions norm = from.normalization();
        if (options == null
                || options.firstBias()
                || norm.placement() != NormalizationOptions.Placement.INNER
                || norm.kind() != Normalization.Kind.ROOT_MEAN_SQUARE
                || from.attention().normalizeQueriesAndKeys()) {
            throw new IllegalArgumentException("architecture: expected root-mean-square normalization only within the"
                    + " feed-forward parts, without biases, got " + from);
        }
        var doubled = new FeedForwardOptions(2 * options.hidden(), options.activation(), false, options.secondBias());
        var layerNorm = new NormalizationOptions(
                norm.placement(), Normalization.Kind.LAYER, norm.epsilon(), norm.gain(), norm.shift());
        var result = new ExactParameters(from.withFeedForward(doubled).withNormalization(layerNorm));
        for (ParameterView view : from.layout()) {
            for (int i = 0; i < view.size(); i++) {
                int row = i / view.columns();
                int column = i % view.columns();
                double value = parameters.values()[view.offset() + i];
                result.set(view.role(), view.layer(), row, column, value);
                if (view.role() == ParameterRole.FIRST) {
                    result.set(view.role(), view.layer(), row, options.hidden() + column, -value);
                }
            }
        }
        return result;
    }
}

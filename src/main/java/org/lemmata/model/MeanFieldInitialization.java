package org.lemmata.model;

/**
 * deviation(W)^2 = 1 / width for E, P, U, W_Q, W_K and W_O; 1 / headWidth for W_V; 1 / width for W_1, 1 / hidden for
 * W_2.
 *
 * <p>Rows of x have a norm near 1, and outputs a variance of the order of 1 / width: they vanish as the model grows
 * wide.
 *
 * <p>Source: Boix-Adsera et al. (2024), When can transformers reason with abstract symbols?, appendix J.2 for
 * embeddings, positions, W_V and W_O (there W_{V,h} and W_{O,h}) and for b = 0; a = 0 is ours; W_Q, W_K and the
 * feed-forward part, which J.2 does without, have the variance 1 / fan-in of appendix H.1, where it is a factor before
 * N(0, 1) weights.
 */
public record MeanFieldInitialization() implements Initialization {

    @Override
    public double deviation(Architecture architecture, ParameterView view) {
        int inverseVariance = switch (view.role()) {
            case VALUE -> architecture.attention().headWidth();
            case SECOND -> view.rows();
            default -> architecture.width();
        };
        return 1 / Math.sqrt(inverseVariance);
    }
}

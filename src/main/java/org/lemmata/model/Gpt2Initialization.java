package org.lemmata.model;

import org.lemmata.argument.Refuse;

/**
 * deviation(W) = sigma, or sigma / sqrt(N) for the maps that write to the residual stream, N the number of parts that
 * do.
 *
 * <p>A part writes through W_O, or W_V where there is no W_O, and through W_2; without a residual N is 1.
 *
 * <p>Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.3, for 1 / sqrt(N);
 * Radford et al. (2018), Improving language understanding by generative pre-training, section 4.1, for sigma = 0.02.
 *
 * @param sigma from 0 on
 */
public record Gpt2Initialization(double sigma) implements Initialization {

    /** sigma = 0.02. */
    public Gpt2Initialization() {
        this(0.02);
    }

    public Gpt2Initialization {
        Refuse.when(!(sigma >= 0 && sigma < Double.POSITIVE_INFINITY), "sigma", "a finite number of at least 0", sigma);
    }

    @Override
    public double deviation(Architecture architecture, ParameterView view) {
        boolean writes = switch (view.role()) {
            case OUTPUT, SECOND -> true;
            case VALUE -> !architecture.attention().outputProjection();
            default -> false;
        };
        if (!writes || !architecture.residual()) {
            return sigma;
        }
        int parts = architecture.feedForward() == null ? 1 : 2;
        return sigma / Math.sqrt((double) parts * architecture.layers());
    }
}

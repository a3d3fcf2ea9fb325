package org.lemmata.experiment;

import org.lemmata.model.Decoding;
import org.lemmata.random.PhiloxGenerator;

/** How the next token of a completion or an answer is chosen: the value of {@code evaluation.decoding}. */
enum DecodingChoice {
    GREEDY,
    SAMPLED;

    /**
     * The decoding; sampling has temperature 1. Each {@code kind} has its own random numbers, the same in each
     * evaluation.
     */
    Decoding decoding(long seed, int stream, int kind) {
        return switch (this) {
            case GREEDY -> new Decoding.Greedy();
            case SAMPLED -> new Decoding.Sampling(new PhiloxGenerator(seed, stream, kind));
        };
    }
}

package org.lemmata.experiment;

import org.lemmata.model.Decoding;
import org.lemmata.random.PhiloxGenerator;

/** How the next token of a completion or an answer is taken: the key {@code evaluation.decoding}. */
enum DecodingChoice {
    GREEDY,
    SAMPLED;

    /**
     * At temperature 1 where tokens are drawn: from the same random numbers each time, others for each {@code kind}.
     */
    Decoding decoding(long seed, int stream, int kind) {
        return switch (this) {
            case GREEDY -> new Decoding.Greedy();
            case SAMPLED -> new Decoding.Sampling(new PhiloxGenerator(seed, stream, kind));
        };
    }
}

package org.lemmata.train;

import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.token.Example;

/** New examples: example i is drawn from the generator with the key (seed, split, i). */
public final class OnlineExamples extends ExampleStream {

    private final Function<RandomGenerator, Example> sampler;
    private final long seed;
    private final Split split;

    /** @param sampler draws an example that depends only on the generator */
    public OnlineExamples(Function<RandomGenerator, Example> sampler, long seed, Split split) {
        this.sampler = sampler;
        this.seed = seed;
        this.split = split;
    }

    @Override
    Example example(long index) {
        return sampler.apply(generator(index));
    }

    public RandomGenerator generator(long index) {
        return new PhiloxGenerator(seed, split.drawing(), index);
    }
}

package org.lemmata.train;

import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.token.Example;

/** Fresh examples: example i is drawn from the generator that (seed, split, i) names. */
public final class OnlineExamples implements ExampleStream {

    private final Function<RandomGenerator, Example> sampler;
    private final long seed;
    private final Split split;
    private long position;

    /**
     * @param sampler draws an example from nothing but the generator
     * @param seed of the run
     */
    public OnlineExamples(Function<RandomGenerator, Example> sampler, long seed, Split split) {
        this.sampler = sampler;
        this.seed = seed;
        this.split = split;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void seek(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("position: expected at least 0, got " + position);
        }
        this.position = position;
    }

    @Override
    public Example next() {
        Example example = sampler.apply(generator(position));
        position++;
        return example;
    }

    /** The generator that the example of an index is drawn from. */
    public RandomGenerator generator(long index) {
        return new PhiloxGenerator(seed, split.drawing(), index);
    }
}

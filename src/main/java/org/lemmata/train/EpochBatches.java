package org.lemmata.train;

import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Examples that come round in epochs, in batches that end with their epoch: the last one of an epoch may be smaller.
 *
 * @param examples each epoch has all of them once
 * @param size how many there are, at least 1
 */
public record EpochBatches(ExampleStream examples, int size) implements ExampleStream {

    public EpochBatches {
        Refuse.below("size", size, 1);
    }

    @Override
    public long position() {
        return examples.position();
    }

    @Override
    public void seek(long position) {
        examples.seek(position);
    }

    @Override
    public Example next() {
        return examples.next();
    }

    @Override
    public Batch nextBatch(int n) {
        return examples.nextBatch((int) Math.min(n, size - position() % size));
    }
}

package org.lemmata.train;

import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Examples in epochs, in batches that do not cross epochs; the last batch of an epoch may be smaller.
 *
 * @param examples a stream in which each epoch has all examples once
 * @param size number of examples of an epoch, at least 1
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

package org.lemmata.train;

import org.lemmata.argument.Refuse;
import org.lemmata.token.Example;

/** A stream of examples with random access by number. */
abstract sealed class NumberedExamples implements ExampleStream permits OnlineExamples, ShuffledExamples {

    private long position;

    /** The example with this number, counted from 0. */
    abstract Example example(long index);

    @Override
    public final long position() {
        return position;
    }

    @Override
    public final void seek(long position) {
        Refuse.below("position", position, 0);
        this.position = position;
    }

    @Override
    public final Example next() {
        Example example = example(position);
        position++;
        return example;
    }
}

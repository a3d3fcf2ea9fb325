package org.lemmata.train;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** An endless stream of examples. Example i is always the same, so a checkpoint needs only the position. */
public abstract sealed class ExampleStream permits OnlineExamples, ShuffledExamples {

    private long position;

    abstract Example example(long index);

    public final long position() {
        return position;
    }

    /**
     * Moves the stream to a position.
     *
     * @throws IllegalArgumentException if {@code position} is negative
     */
    public final void seek(long position) {
        Refuse.below("position", position, 0);
        this.position = position;
    }

    public final Example next() {
        Example example = example(position);
        position++;
        return example;
    }

    public final List<Example> take(int n) {
        var examples = new ArrayList<Example>(n);
        for (int i = 0; i < n; i++) {
            examples.add(next());
        }
        return examples;
    }

    public Batch nextBatch(int n) {
        return Batch.ofExamples(take(n));
    }

    /**
     * The next {@code n} distinct examples that are not {@code excluded}.
     *
     * @throws IllegalArgumentException if there are probably fewer: {@link #patience} draws gave no new example
     */
    public final List<Example> takeDistinct(int n, Predicate<Example> excluded) {
        var examples = new LinkedHashSet<Example>();
        long patience = patience(n);
        long last = position();
        while (examples.size() < n) {
            Example example = next();
            if (!excluded.test(example) && examples.add(example)) {
                last = position();
            } else if (position() - last > patience) {
                throw new IllegalArgumentException("distinct examples: expected " + n + ", found " + examples.size()
                        + " and no other in " + patience + " draws");
            }
        }
        return List.copyOf(examples);
    }

    /**
     * The number of draws without a new example, 1000 + 30 n, after which there are probably fewer than n examples. If
     * n examples are equally likely, this many draws all miss the last unseen example with a probability below e^-30.
     */
    public static long patience(int n) {
        return 1000 + 30L * n;
    }

    /** A list that generates an example at each access, because stored examples need thirty times as much memory. */
    public static List<Example> list(int size, IntFunction<Example> example) {
        return new AbstractList<>() {
            @Override
            public Example get(int index) {
                return example.apply(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /**
     * Splits {@code examples} into batches of {@code size}, in order; the last batch may be smaller.
     *
     * @throws IllegalArgumentException if {@code size} is below 1
     */
    public static List<Batch> batches(List<Example> examples, int size) {
        Refuse.below("size", size, 1);
        var batches = new ArrayList<Batch>();
        for (int i = 0; i < examples.size(); i += size) {
            batches.add(Batch.ofExamples(examples.subList(i, Math.min(examples.size(), i + size))));
        }
        return batches;
    }
}

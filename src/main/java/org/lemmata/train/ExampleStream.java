package org.lemmata.train;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Examples without end. Example i is always the same one, so that a position is all there is to save. */
public interface ExampleStream {

    /** How many examples have been taken. */
    long position();

    /**
     * Goes to where {@code position} examples have been taken.
     *
     * @throws IllegalArgumentException if it is negative
     */
    void seek(long position);

    /** The example at the position, which is then one further. */
    Example next();

    /** The next {@code n} examples. */
    default List<Example> take(int n) {
        var examples = new ArrayList<Example>(n);
        for (int i = 0; i < n; i++) {
            examples.add(next());
        }
        return examples;
    }

    /** The next {@code n} examples as a batch. */
    default Batch nextBatch(int n) {
        return Batch.ofExamples(take(n));
    }

    /**
     * The next {@code n} examples that are neither equal to one another nor {@code excluded}.
     *
     * @throws IllegalArgumentException if there seem to be fewer: none was new in {@link #patience} draws
     */
    default List<Example> takeDistinct(int n, Predicate<Example> excluded) {
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
     * 1000 + 30 n: after as many draws without a new one there seem to be fewer than n. Where all n are equally likely,
     * a last one that is missing escapes them with probability e^-30.
     */
    static long patience(int n) {
        return 1000 + 30L * n;
    }

    /**
     * All of {@code examples} in order, in batches of {@code size}, the last one perhaps smaller.
     *
     * @throws IllegalArgumentException if {@code size} is below 1
     */
    static List<Batch> batches(List<Example> examples, int size) {
        Refuse.below("size", size, 1);
        var batches = new ArrayList<Batch>();
        for (int i = 0; i < examples.size(); i += size) {
            batches.add(Batch.ofExamples(examples.subList(i, Math.min(examples.size(), i + size))));
        }
        return batches;
    }
}

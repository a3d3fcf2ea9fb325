package org.lemmata.train;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * Repeats n examples, each once per epoch, in an order drawn from the generator with the key (seed, split, epoch); all
 * n! orders are equally likely.
 *
 * <p>A batch may include the end of one epoch and the beginning of the next, unless the stream is {@link #inEpochs}.
 *
 * <p>Source of the shuffle: Durstenfeld (1964), Algorithm 235: random permutation.
 */
public final class ShuffledExamples extends ExampleStream {

    private final List<Example> examples;
    private final long seed;
    private final Split split;
    private final boolean inEpochs;
    private final int[] order;

    /** The epoch whose order is in {@code order}; -1 before the first epoch. */
    private long shuffled = -1;

    /**
     * @param examples at least one example, the same on each access; accessed by index and not copied, so the list may
     *     generate them
     */
    public ShuffledExamples(List<Example> examples, long seed, Split split) {
        this(examples, seed, split, false);
    }

    private ShuffledExamples(List<Example> examples, long seed, Split split, boolean inEpochs) {
        Refuse.when(examples.isEmpty(), "examples", "at least 1", "0");
        this.examples = examples;
        this.seed = seed;
        this.split = split;
        this.inEpochs = inEpochs;
        order = new int[examples.size()];
    }

    /**
     * This stream from its beginning, in batches that do not cross epochs: the last batch of an epoch may be smaller.
     */
    public ShuffledExamples inEpochs() {
        return new ShuffledExamples(examples, seed, split, true);
    }

    @Override
    public Batch nextBatch(int n) {
        return super.nextBatch(inEpochs ? (int) Math.min(n, order.length - position() % order.length) : n);
    }

    @Override
    Example example(long index) {
        long epoch = index / order.length;
        if (epoch != shuffled) {
            shuffle(epoch);
        }
        return examples.get(order[(int) (index % order.length)]);
    }

    private void shuffle(long epoch) {
        var random = new PhiloxGenerator(seed, split.shuffling(), epoch);
        Arrays.setAll(order, i -> i);
        for (int i = order.length - 1; i > 0; i--) {
            IntArrays.swap(order, i, random.nextInt(i + 1));
        }
        shuffled = epoch;
    }
}

package org.lemmata.dataset;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.lemmata.task.Task;
import org.lemmata.task.depth.DistinctWords;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Example;
import org.lemmata.train.ExampleStream;
import org.lemmata.train.OnlineExamples;
import org.lemmata.train.Split;

/**
 * Draws successive splits without repeating an input within a split or between splits.
 *
 * <p>{@link OnlineExamples} defines the draws 0, 1, ... of a split; draws with a repeated input are discarded. The
 * first split has the same examples as {@code train} with {@code data.distinct} for the same seed. Bracket words are
 * stored with one bit per bracket. For other tasks, the inputs and the numbers of their draws are stored.
 */
final class DistinctSplits {

    private final Task task;
    private final long seed;
    private final List<DistinctWords> words = new ArrayList<>();
    private final Set<int[]> inputs = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);

    DistinctSplits(Task task, long seed) {
        this.task = task;
        this.seed = seed;
    }

    /**
     * Draws a split.
     *
     * @return the examples of the split; each access generates an example again
     * @throws IllegalArgumentException if fewer than {@code count} distinct examples exist or seem to exist
     */
    List<Example> draw(Split split, int count) {
        Task source = source(split, task);
        var draws = new OnlineExamples(random -> source.sample(random, source.defaultLength()), seed, split);
        return source.words()
                .map(brackets -> words(brackets, draws, count))
                .orElseGet(() -> examples(split, draws, count));
    }

    /** The task from which the examples of a split are drawn, derived from {@code task}. */
    static Task source(Split split, Task task) {
        return switch (split) {
            case TRAIN -> task;
            case TEST -> task.test();
            case VALIDATION -> task.validation();
            case OUT_OF_SAMPLE -> task.outOfSample().orElseThrow();
        };
    }

    private List<Example> words(DyckWords brackets, OnlineExamples draws, int count) {
        DistinctWords drawn = new DistinctWords(brackets, count, draws::generator, List.copyOf(words));
        words.add(drawn);
        return ExampleStream.list(count, index -> Example.nextToken(drawn.ids(index)));
    }

    private List<Example> examples(Split split, OnlineExamples draws, int count) {
        long patience = ExampleStream.patience(Math.addExact(inputs.size(), count));
        var taken = new LongArrayList();
        long last = 0;
        while (taken.size() < count) {
            if (inputs.add(draws.next().inputs())) {
                last = draws.position();
                taken.add(last - 1);
            } else if (draws.position() - last > patience) {
                throw new IllegalArgumentException("--distinct: expected " + count + " examples of the split "
                        + split.label() + " that occur in no other split, found " + taken.size() + ", then no more in "
                        + patience + " draws");
            }
        }
        return ExampleStream.list(count, index -> {
            draws.seek(taken.getLong(index));
            return draws.next();
        });
    }
}

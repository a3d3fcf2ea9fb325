package org.lemmata.task.parity;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.index.ParityTree;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * d uniform independent bits, followed by the parity of a subset of k of them, either directly or as the last of the k
 * - 1 parities of its tree. A token 1 represents -1. The tokens after the bits are scored.
 *
 * <p>Source: Kim and Suzuki (2024), section 2.1.
 */
public final class ParityTask extends Task {

    public static final String NAME = "parity";

    public static final Source SOURCE = new Source(Paper.PARITY, "section 2.1");

    private static final Vocabulary BITS = new Vocabulary(List.of("0", "1"));

    private final ParityTree tree;
    private final boolean chain;

    /** @param chain whether the parities of pairs, of groups of four and so on precede the parity of the subset */
    public ParityTask(ParityTree tree, boolean chain) {
        super(NAME, SOURCE, BITS);
        this.tree = tree;
        this.chain = chain;
    }

    private int answers() {
        return chain ? tree.size() - 1 : 1;
    }

    @Override
    public int defaultLength() {
        return tree.bits() + answers();
    }

    /**
     * This task for {@code length} tokens. For a length other than {@link #defaultLength}, all bits must be relevant
     * and the new number of bits must be a power of two; otherwise the result is empty.
     */
    @Override
    public Optional<Task> ofLength(int length) {
        if (length == defaultLength()) {
            return Optional.of(this);
        }
        int bits = chain ? (length + 1) / 2 : length - 1;
        if (tree.size() < tree.bits() || bits < 2 || bits > ParityTree.MAX_BITS || Integer.bitCount(bits) > 1) {
            return Optional.empty();
        }
        var other = new ParityTree(bits, IntStream.rangeClosed(1, bits).toArray());
        return Optional.<Task>of(new ParityTask(other, chain)).filter(task -> task.defaultLength() == length);
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        Refuse.below("length", length, defaultLength());
        int d = tree.bits();
        int[] nodes = new int[tree.nodes()];
        for (int j = 0; j < d; j++) {
            nodes[j] = random.nextInt(2);
        }
        for (int m = d + 1; m <= nodes.length; m++) {
            nodes[m - 1] = nodes[tree.first(m) - 1] ^ nodes[tree.second(m) - 1];
        }
        int[] sequence = Arrays.copyOf(nodes, defaultLength());
        sequence[sequence.length - 1] = nodes[nodes.length - 1];
        int[] positions = new int[answers()];
        Arrays.setAll(positions, i -> d - 1 + i);
        return new Example(sequence, Arrays.copyOfRange(sequence, d, sequence.length), positions);
    }

    /** Checks each node by counting its bits, which are adjacent in the subset. */
    @Override
    public boolean accepts(int... ids) {
        for (int id : ids) {
            Refuse.when(id < 0 || id >= BITS.size(), "ids", "0 or 1", id);
        }
        if (ids.length != defaultLength()) {
            return false;
        }
        int[] subset = tree.subset();
        int at = tree.bits();
        for (int width = chain ? 2 : subset.length; width <= subset.length; width *= 2) {
            for (int begin = 0; begin < subset.length; begin += width) {
                int ones = 0;
                for (int i = begin; i < begin + width; i++) {
                    ones += ids[subset[i] - 1];
                }
                if (ids[at++] != ones % 2) {
                    return false;
                }
            }
        }
        return true;
    }
}

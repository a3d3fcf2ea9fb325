package org.lemmata.task.length;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * f*(x) = the mean of the symbols x_t in {0, 1} over the positions t = k mod p, counted from 1. The answer is at the
 * last position. If the sequence ends before the first of these positions, the mean is 0/0 := 0.
 *
 * <p>For each sequence, q_0, ..., q_(p-1) are drawn uniformly from [0, 1], and x_t is 1 with probability q_(t mod p).
 * Lengths are uniform in a range; if a length is at least p, each residue has a position.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), section 5 and appendix B; the definition of 0/0 is ours.
 */
public final class ModPTask extends SymbolTask {

    public static final String NAME = "mod-p-task";

    public static final Source SOURCE = SimpleTask.SOURCE;

    /** The largest p; the position table of a periodic model has p rows. */
    public static final int MAX_PERIOD = 1 << 16;

    private static final Vocabulary BITS = new Vocabulary(List.of("0", "1"));

    private final int period;
    private final int index;

    /**
     * The task of one residue.
     *
     * @param period p, from 1 to {@value #MAX_PERIOD}
     * @param index k, from 0 to p - 1
     */
    public ModPTask(int period, int index, LengthRange lengths) {
        super(NAME, BITS, lengths);
        Refuse.outside("period", period, 1, MAX_PERIOD);
        Refuse.when(index < 0 || index >= period, "index", "0 to p - 1 = " + (period - 1), index);
        this.period = period;
        this.index = index;
    }

    @Override
    Task ofLengths(LengthRange others) {
        return new ModPTask(period, index, others);
    }

    @Override
    public Example sample(RandomGenerator random, int length) {
        int[] ids = new int[lengths().draw(random, length)];
        double[] ofOne = new double[period];
        for (int residue = 0; residue < period; residue++) {
            ofOne[residue] = random.nextDouble();
        }
        for (int t = 1; t <= ids.length; t++) {
            ids[t - 1] = random.nextDouble() < ofOne[t % period] ? 1 : 0;
        }
        return Example.regression(ids, (float) value(ids));
    }

    /** f*(x). */
    @Override
    public double value(int... ids) {
        requireIds(ids);
        int ones = 0;
        int count = 0;
        for (int t = index == 0 ? period : index; t <= ids.length; t += period) {
            ones += ids[t - 1];
            count++;
        }
        return count == 0 ? 0 : (double) ones / count;
    }

    /** The positions t - 1 for t = k mod p. */
    @Override
    public IntPredicate relevantPositions(int... ids) {
        return position -> (position + 1) % period == index;
    }
}

package org.lemmata.train;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.ParameterView;
import org.lemmata.token.Batch;

/**
 * A table that is trained row by row: a step clears, sums and steps the rows of its batches' tokens alone.
 *
 * <p>A step decays a row and its moments without a gradient, too, but what it then does follows from the number of the
 * step and the rule. So it is put off until the row is read: the missed steps are then taken one after the other while
 * the row is in the cache, to the same bits. It is the same arithmetic, with one pass over memory in place of many.
 */
final class SparseRows implements Workers.Chunks {

    /** Steps that a row misses at most, so that no step has much to make up for. */
    private static final int MAX_MISSED = 64;

    /** Parameters of a chunk: with gradients and two moments, few enough to stay in the second-level cache. */
    private static final int CHUNK = 1 << 14;

    private final Optimizer optimizer;
    private final ParameterView table;
    private final UpdateRule rule;
    private final Workers workers;
    private final float[] parameters;
    private final float[] gradients;

    /** Whether a missed step changes nothing that is finite: then one stands for all. */
    private final boolean idle;

    private final int chunkRows;

    /** The rows whose gradients may not be zero. */
    private final BitSet touched;

    /** The last step that each row has taken. */
    private final long[] taken;

    /** The last step that was taken. */
    private long last = -1;

    // Of the pass over the rows that runs: to which step, with which factor of gradients, and whether over all.
    private long target;
    private float scale = 1;
    private boolean all;

    /**
     * @param rule of the table
     * @param values the parameters, of which only rows that a batch touches may be read before {@link #settle}
     * @param gradients all zero, with the layout of the parameters
     */
    SparseRows(
            Optimizer owner, ParameterView table, UpdateRule rule, Workers workers, float[] values, float[] gradients) {
        optimizer = owner;
        this.table = table;
        this.rule = rule;
        this.workers = workers;
        parameters = values;
        this.gradients = gradients;
        idle = rule.moments() == 0 && rule.weightDecay() == 0;
        chunkRows = Math.ceilDiv(CHUNK, table.columns());
        touched = new BitSet(table.rows());
        taken = new long[table.rows()];
    }

    int from() {
        return table.offset();
    }

    int to() {
        return startOf(table.rows());
    }

    private int startOf(int row) {
        return table.offset() + row * table.columns();
    }

    /** Sets all gradients to zero and makes the rows of the batches' tokens those of before step t. */
    void begin(List<Batch> batches, long step) {
        if (step != last + 1) {
            settle();
            last = step - 1;
            Arrays.fill(taken, last);
        }
        Arrays.fill(gradients, 0, from(), 0);
        Arrays.fill(gradients, to(), gradients.length, 0);
        for (int row = nextTouched(0); row < table.rows(); row = nextTouched(row + 1)) {
            Arrays.fill(gradients, startOf(row), startOf(row + 1), 0);
        }
        touched.clear();
        for (int i = 0; i < batches.size(); i++) {
            for (int id : batches.get(i).ids()) {
                // The objective refuses the others.
                if (id < table.rows()) {
                    touched.set(id);
                }
            }
        }
        advance(last, 1, false);
    }

    /** Step t of the rows that were touched. */
    void step(float gradientScale, long step) {
        advance(step, gradientScale, false);
        last = step;
        if (step % MAX_MISSED == 0) {
            settle();
        }
    }

    /** Makes all rows and their moments those after the last step. */
    void settle() {
        advance(last, 1, true);
    }

    private void advance(long toStep, float gradientScale, boolean allRows) {
        target = toStep;
        scale = gradientScale;
        all = allRows;
        workers.run(Math.ceilDiv(table.rows(), chunkRows), this);
    }

    /** Neighbours that have missed the same steps take them together. */
    @Override
    public void run(int chunk) {
        int end = Math.min(table.rows(), (chunk + 1) * chunkRows);
        int row = next(chunk * chunkRows);
        while (row < end) {
            int first = row;
            long before = taken[first];
            while (row < end && taken[row] == before && next(row) == row) {
                taken[row++] = target;
            }
            for (long t = idle ? Math.max(before, target - 1) + 1 : before + 1; t <= target; t++) {
                optimizer.step(parameters, gradients, scale, rule, t, startOf(first), startOf(row));
            }
            row = next(row);
        }
    }

    private int next(int row) {
        return all ? row : nextTouched(row);
    }

    private int nextTouched(int row) {
        int next = touched.nextSetBit(row);
        return next < 0 ? table.rows() : next;
    }

    /**
     * The sum of the squares of a range of gradients, with the bits that it has over all of the range: of blocks that
     * are zero nothing is added.
     */
    double squaredNorm(GradientNorm norm, int from, int to) {
        double sum = 0;
        int start = blockOf(from, from);
        while (start < to) {
            int end = start;
            do {
                end += Math.min(GradientNorm.BLOCK, to - end);
            } while (end < to && blockOf(from, end) == end);
            sum = norm.squaredNorm(sum, gradients, start, end);
            start = end < to ? blockOf(from, end) : to;
        }
        return sum;
    }

    /** Where the first block begins that is not zero, of those from {@code at} on of a range. */
    private int blockOf(int from, int at) {
        int index = at;
        if (at >= from() && at < to()) {
            index = Math.max(at, startOf(nextTouched((at - from()) / table.columns())));
        }
        return index - (index - from) % GradientNorm.BLOCK;
    }
}

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
 * A table that is trained by rows: a step clears, adds to and updates only the rows of the tokens in its batches.
 *
 * <p>The optimizer also changes rows without a gradient, by weight decay and moments. These updates depend only on the
 * step and the rule. They are postponed until the row is read, and then taken one after the other while the row is in
 * the cache. The arithmetic and the bits are the same, with one pass over memory instead of many.
 */
final class SparseRows implements Workers.Chunks {

    /** The maximum number of postponed steps of a row, which limits the work of a single step. */
    private static final int MAX_MISSED = 64;

    /** The number of parameters in a chunk; with gradients and two moments they fit in the L2 cache. */
    private static final int CHUNK = 1 << 14;

    private final Optimizer optimizer;
    private final ParameterView table;
    private final UpdateRule rule;
    private final Workers workers;
    private final float[] parameters;
    private final float[] gradients;

    /** Whether a step without a gradient changes no finite value. One postponed step then has the effect of all. */
    private final boolean idle;

    private final int chunkRows;

    /** The rows whose gradients may be nonzero. */
    private final BitSet touched;

    /** The latest step that each row has taken. */
    private final long[] taken;

    /** The latest optimizer step of the whole table; rows may be behind. */
    private long last = -1;

    // The current pass over the rows: the step to reach, the factor of gradients, and whether all rows are included.
    private long target;
    private float scale = 1;
    private boolean all;

    /**
     * @param values the parameters; before {@link #settle}, only rows that a batch touches may be read
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

    /** Clears all gradients, and takes the steps before {@code step} for the rows of tokens in {@code batches}. */
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
                // The objective rejects other ids later.
                if (id < table.rows()) {
                    touched.set(id);
                }
            }
        }
        advance(last, 1, false);
    }

    void step(float gradientScale, long step) {
        advance(step, gradientScale, false);
        last = step;
        if (step % MAX_MISSED == 0) {
            settle();
        }
    }

    /** Takes all postponed steps, so that all rows and their moments are up to date. */
    void settle() {
        advance(last, 1, true);
    }

    private void advance(long toStep, float gradientScale, boolean allRows) {
        target = toStep;
        scale = gradientScale;
        all = allRows;
        workers.run(Math.ceilDiv(table.rows(), chunkRows), this);
    }

    /** Advances a chunk of rows. Adjacent rows with the same postponed steps take them together. */
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

    /** The sum of the squares of a range of gradients. Skips blocks of zeros, which does not change the bits. */
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

    /** The start of the first block from {@code at} on that may contain nonzeros. Blocks count from {@code from}. */
    private int blockOf(int from, int at) {
        int index = at;
        if (at >= from() && at < to()) {
            index = Math.max(at, startOf(nextTouched((at - from()) / table.columns())));
        }
        return index - (index - from) % GradientNorm.BLOCK;
    }
}

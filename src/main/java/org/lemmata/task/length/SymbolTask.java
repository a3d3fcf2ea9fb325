package org.lemmata.task.length;

import java.util.Optional;
import org.lemmata.argument.Refuse;
import org.lemmata.task.RegressionTask;
import org.lemmata.task.Task;
import org.lemmata.token.Vocabulary;

/** A regression task on sequences of symbols. Every sequence with a length in a range has a positive probability. */
abstract sealed class SymbolTask extends Task implements RegressionTask permits ModPTask, SimpleTask {

    private final LengthRange lengths;

    SymbolTask(String name, Vocabulary symbols, LengthRange lengths) {
        super(name, SimpleTask.SOURCE, symbols);
        this.lengths = lengths;
    }

    abstract Task ofLengths(LengthRange others);

    final LengthRange lengths() {
        return lengths;
    }

    /** N, the maximum length. */
    @Override
    public final int defaultLength() {
        return lengths.maximum();
    }

    @Override
    public final Optional<Task> ofLength(int length) {
        return length < 1 || length > LengthRange.MAX_LENGTH
                ? Optional.empty()
                : Optional.of(ofLengths(new LengthRange(length, length)));
    }

    /** Whether the length of a sequence is in the range; every such sequence can be drawn. */
    @Override
    public final boolean accepts(int... ids) {
        requireIds(ids);
        return ids.length >= lengths.minimum() && ids.length <= lengths.maximum();
    }

    final void requireIds(int... ids) {
        Refuse.when(ids.length == 0, "ids", "at least one token", "none");
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= vocabulary().size()) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected id 0 to "
                        + (vocabulary().size() - 1) + ", got " + ids[i]);
            }
        }
    }
}

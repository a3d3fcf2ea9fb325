package org.lemmata.model.part;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.model.Architecture;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.token.Batch;

/** The rows of a batch whose outputs are asked for: from where on they alone are computed, and their own arrays. */
public final class RowSelection {

    /** The first thing that is computed for the scored rows alone, since nothing reads the other ones. */
    public enum From {
        OUTPUTS,
        LAST_FEED_FORWARD,
        /** The queries of the last layer, and all that comes after them. */
        LAST_QUERIES;

        /**
         * Where the scored rows are at most half of all, the last feed-forward is theirs alone, and so are the queries
         * of the last layer if they are the last rows of their sequences. But where a row's place decides what is
         * dropped or rounded, it stays there.
         */
        static From of(Architecture architecture, Batch batch, PassRounding rounding, @Nullable DropoutSeed dropout) {
            int[] scored = batch.scoredRows();
            if (dropout != null || scored.length > batch.sequences().total() / 2) {
                return OUTPUTS;
            }
            if (rounding.isOfWeightsAlone()
                    && !architecture.attention().identities()
                    && areLastRows(scored, batch.sequences())) {
                return LAST_QUERIES;
            }
            return architecture.feedForward() == null || rounding.dependsOnPlaces() ? OUTPUTS : LAST_FEED_FORWARD;
        }

        /** The same by counting, of a model that rounds nothing; for regression, rows are the last ones. */
        static From of(Architecture architecture, double tokens, double rows) {
            if (architecture.dropout() > 0 || rows > tokens / 2) {
                return OUTPUTS;
            }
            boolean last = architecture.output().kind() == OutputOptions.Kind.REGRESSION
                    && !architecture.attention().identities();
            return last ? LAST_QUERIES : LAST_FEED_FORWARD;
        }

        private static boolean areLastRows(int[] rows, RaggedOffsets sequences) {
            boolean last = rows.length == sequences.count();
            for (int s = 0; last && s < rows.length; s++) {
                last = sequences.length(s) > 0 && rows[s] == sequences.end(s) - 1;
            }
            return last;
        }
    }

    private final int width;

    /** x as the first part reads it that is theirs alone. */
    float[] x = PartContext.NONE;

    /** The same as queries read it. */
    float[] read = PartContext.NONE;

    /** The gradient of what the outputs are made of, then of x. */
    float[] gradient = PartContext.NONE;

    RowSelection(int width) {
        this.width = width;
    }

    void growTo(int rows) {
        if (x.length < Math.multiplyExact(rows, width)) {
            x = PartContext.space(true, rows, width);
            read = PartContext.space(true, rows, width);
            gradient = PartContext.space(true, rows, width);
        }
    }

    /** Row i of {@code to} := row rows[i] of {@code from}. */
    static void gather(float[] to, float[] from, int[] rows, int width) {
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(from, rows[i] * width, to, i * width, width);
        }
    }

    /** The same of the scored rows. */
    void gather(float[] to, float[] from, Batch batch) {
        gather(to, from, batch.scoredRows(), width);
    }

    /** Sets dx to {@link #gradient} in the places of the scored rows, and to 0 elsewhere. */
    void gatherBackward(float[] dx, Batch batch) {
        int[] scored = batch.scoredRows();
        Arrays.fill(dx, 0, batch.sequences().total() * width, 0);
        for (int i = 0; i < scored.length; i++) {
            System.arraycopy(gradient, i * width, dx, scored[i] * width, width);
        }
    }

    /** The same of gradients that are the first rows of dx. */
    void spread(float[] dx, Batch batch) {
        System.arraycopy(dx, 0, gradient, 0, batch.scoredRows().length * width);
        gatherBackward(dx, batch);
    }

    /** Adds {@link #gradient} to {@code dx} in the places of the scored rows. */
    void addTo(float[] dx, Batch batch) {
        int[] scored = batch.scoredRows();
        for (int i = 0; i < scored.length; i++) {
            for (int d = 0; d < width; d++) {
                dx[scored[i] * width + d] += gradient[i * width + d];
            }
        }
    }
}

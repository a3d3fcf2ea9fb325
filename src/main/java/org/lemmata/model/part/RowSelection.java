package org.lemmata.model.part;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.model.Architecture;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.precision.PassRounding;
import org.lemmata.token.Batch;

/** Arrays for the scored rows of a batch. {@link From} chooses the first step that computes only these rows. */
final class RowSelection {

    /** The first step that is computed only for the scored rows, because nothing reads the other rows. */
    enum From {
        OUTPUTS,
        LAST_FEED_FORWARD,
        /** The queries of the last layer, and all later steps. */
        LAST_QUERIES;

        /**
         * The first step that computes only the scored rows. If at most half of all rows are scored, only they pass
         * through the last feed-forward part. If they are also the last rows of all sequences, only they have queries
         * in the last layer, unless there are identity terms or anything except weights is rounded. With dropout, or if
         * rounding depends on the place of a row, all rows are computed up to the outputs.
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

        /**
         * Predicts the first step that computes only the scored rows, from the numbers of tokens and of scored rows,
         * for a model that rounds nothing. Assumes that in regression, the scored rows are the last rows of their
         * sequences.
         */
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
    private int[] rows = {};
    From from = From.OUTPUTS;

    /** The number of all rows of the batch. */
    private int total;

    /** x of the scored rows: the input of the first step that computes only them. */
    float[] x = PartContext.NONE;

    /** u of the scored rows, from which their queries are computed. */
    float[] read = PartContext.NONE;

    /** The gradient of the unembedding's input, later of {@link #x} or {@link #read}. */
    float[] gradient = PartContext.NONE;

    RowSelection(int width) {
        this.width = width;
    }

    /** Selects the scored rows of a batch. From step {@code first} on, only they are computed. */
    void select(Batch batch, From first) {
        rows = batch.scoredRows();
        total = batch.sequences().total();
        from = first;
    }

    void grow() {
        if (x.length < Math.multiplyExact(count(), width)) {
            x = PartContext.space(true, count(), width);
            read = PartContext.space(true, count(), width);
            gradient = PartContext.space(true, count(), width);
        }
    }

    int count() {
        return rows.length;
    }

    static void gather(float[] to, float[] from, int[] rows, int width) {
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(from, rows[i] * width, to, i * width, width);
        }
    }

    void gather(float[] to, float[] from) {
        gather(to, from, rows, width);
    }

    /** Sets the scored rows of dx to {@link #gradient} and all other rows to 0. */
    void gatherBackward(float[] dx) {
        Arrays.fill(dx, 0, total * width, 0);
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(gradient, i * width, dx, rows[i] * width, width);
        }
    }

    /** Moves the first rows of dx to the places of the scored rows, and sets all other rows to 0. */
    void spread(float[] dx) {
        System.arraycopy(dx, 0, gradient, 0, rows.length * width);
        gatherBackward(dx);
    }

    void addTo(float[] dx) {
        for (int i = 0; i < rows.length; i++) {
            for (int d = 0; d < width; d++) {
                dx[rows[i] * width + d] += gradient[i * width + d];
            }
        }
    }
}

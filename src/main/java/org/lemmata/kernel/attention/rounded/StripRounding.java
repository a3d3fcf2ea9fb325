package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * A site whose numbers are stored in strips. Deterministic rounding takes place while a block is copied from one strip
 * to another. Stochastic rounding processes all keys at once, because its random words are numbered from the first key
 * on.
 */
final class StripRounding {

    private static final Quantization QUANTIZATION = new VectorQuantization(Workers.caller());

    private final Matrix ofTo = Matrix.empty();
    private final Matrix ofFrom = Matrix.empty();
    private @Nullable Rounding rounding;

    void set(@Nullable Rounding newRounding) {
        rounding = newRounding;
    }

    boolean isStochastic() {
        return rounding != null && rounding.isStochastic();
    }

    /** Copies {@code keys} rows of a strip to another strip. Rounds them unless the rounding is stochastic. */
    void copy(float[] to, int toAt, float[] from, int fromAt, int keys) {
        if (rounding == null || rounding.isStochastic()) {
            System.arraycopy(from, fromAt, to, toAt, keys * QUERIES);
        } else {
            ofTo.at(to, toAt, keys, QUERIES, QUERIES);
            ofFrom.at(from, fromAt, keys, QUERIES, QUERIES);
            QUANTIZATION.round(ofTo, ofFrom, rounding, RoundingStreams.NONE);
        }
    }

    /** Rounds {@code keys} rows in place, unless the rounding is stochastic. */
    void round(float[] strip, int at, int keys) {
        if (rounding != null && !rounding.isStochastic()) {
            copy(strip, at, strip, at, keys);
        }
    }

    /** Rounds the rows of all keys in place, if the rounding is stochastic. */
    void roundAll(float[] strip, int keys, RandomStream stream) {
        if (rounding != null && rounding.isStochastic()) {
            ofTo.at(strip, keys, QUERIES);
            QUANTIZATION.round(ofTo, ofTo, rounding, stream);
        }
    }
}

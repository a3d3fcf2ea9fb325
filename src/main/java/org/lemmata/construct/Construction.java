package org.lemmata.construct;

import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.PrecisionPolicy;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/** Weights in closed form. An instance exists only if the preconditions of its result hold. */
public interface Construction {

    /** The result that states the weights. */
    Source source();

    Vocabulary vocabulary();

    /** The weights, exactly or, where they are not binary fractions, to the nearest binary64 number. */
    ExactParameters build();

    /** What a number format needs for this model to compute what its result says of the real-valued one. */
    Demand demand();

    /**
     * What a number format has to offer.
     *
     * @param tensorBits significand bits of tensors
     * @param sumBits significand bits of what sums run in
     * @param least the least magnitude other than 0 that a tensor takes
     * @param greatest the greatest magnitude that a tensor or a sum takes
     */
    record Demand(int tensorBits, int sumBits, double least, double greatest) {

        private void check(NumberFormat format, boolean sums) {
            // All but binary64 is stored in binary32, where sums also run unless they are rounded.
            int stored = format.equals(FloatFormat.BINARY64) ? format.significandBits() : Math.min(24, format.significandBits());
            int summed = sums || format.equals(FloatFormat.BINARY64) ? stored : FloatFormat.BINARY32.significandBits();
            if (stored < tensorBits || summed < sumBits) {
                throw new IllegalArgumentException("format: expected at least " + tensorBits
                        + " significand bits, and " + sumBits + " where sums run, got " + format.name() + " with " + stored
                        + " and " + summed);
            }
            if (!(format.minNormal() <= least && greatest <= format.maxFinite())) {
                throw new IllegalArgumentException("format: expected one that holds magnitudes from " + least + " to "
                        + greatest + ", got " + format.name() + " with " + format.minNormal() + " to " + format.maxFinite());
            }
        }

        private boolean isMetBy(NumberFormat format) {
            try {
                check(format, true);
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    /**
     * The model on {@code kernels} where binary32 meets the demand, else the binary64 one.
     *
     * @throws IllegalArgumentException if binary64 does not meet it either
     */
    default LanguageModel model(Kernels kernels) {
        Demand demand = demand();
        if (demand.isMetBy(FloatFormat.BINARY32)) {
            return new Transformer(build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), kernels);
        }
        demand.check(FloatFormat.BINARY64, true);
        return new ReferenceTransformer(build());
    }

    /**
     * The model with every tensor rounded, and if {@code sums} is set every addition too.
     *
     * @throws IllegalArgumentException if the format does not meet the demand; the message says what it takes
     */
    default LanguageModel model(Rounding rounding, boolean sums) {
        demand().check(rounding.format(), sums);
        if (rounding.format().equals(FloatFormat.BINARY64)) {
            return new ReferenceTransformer(build());
        }
        PrecisionPolicy policy = sums ? PrecisionPolicy.everything(rounding) : PrecisionPolicy.tensors(rounding);
        return new Transformer(build().narrow(rounding), policy);
    }
}

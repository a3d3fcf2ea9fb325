package org.lemmata.construct;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.NumberFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.setting.NumberSet;
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
     * The same with other values of what the result leaves open, the nearest first: where a number format cannot hold
     * this one, it may hold one of them.
     */
    default Stream<Variation> variations() {
        return Stream.empty();
    }

    /**
     * A construction with another value of something.
     *
     * @param setting what is another, as a setting: "v"
     * @param value the value
     */
    record Variation(String setting, double value, Construction construction) {

        @Override
        public String toString() {
            return setting + "=" + NumberSet.shown(value);
        }
    }

    /** The first of its variations that formats can hold. */
    default Optional<Variation> nearest(PrecisionPolicy policy, Kernels kernels) {
        return variations()
                .filter(each -> each.construction.isHeld(policy, kernels))
                .findFirst();
    }

    private boolean isHeld(PrecisionPolicy policy, Kernels kernels) {
        try {
            held(policy, kernels);
            return true;
        } catch (UnmetDemandException e) {
            return false;
        }
    }

    /**
     * What a number format has to offer.
     *
     * @param tensorBits significand bits of tensors
     * @param sumBits significand bits of what sums run in
     * @param minimum the smallest magnitude other than 0 that a tensor takes
     * @param maximum the largest magnitude that a tensor or a sum takes
     * @param tensor which tensor takes its bits, and which value of it
     * @param sum the same of sums
     */
    record Demand(int tensorBits, int sumBits, double minimum, double maximum, String tensor, String sum) {

        /** Where tensors and sums take their bits of one thing. */
        public Demand(int tensorBits, int sumBits, double minimum, double maximum, String tensor) {
            this(tensorBits, sumBits, minimum, maximum, tensor, tensor);
        }

        /** Of tensors in one format with sums in another; all but binary64 is stored in binary32. */
        private void check(NumberFormat format, NumberFormat sums) {
            require(format, tensorBits, tensor);
            require(sums, tensorBits, tensor);
            require(sums, sumBits, sum + ", where sums run");
            for (NumberFormat one : List.of(format, sums)) {
                if (!(one.minNormal() <= minimum && maximum <= one.maxFinite())) {
                    throw new UnmetDemandException("format: expected one that holds magnitudes from " + minimum
                            + " to " + maximum + ", got " + one.name() + " with " + one.minNormal() + " to "
                            + one.maxFinite());
                }
            }
        }

        private static void require(NumberFormat format, int bits, String what) {
            int stored = storedBits(format);
            if (stored < bits) {
                throw new UnmetDemandException("format: expected at least " + bits + " significand bits for " + what
                        + ", got " + format.name() + " with " + stored);
            }
        }

        private static int storedBits(NumberFormat format) {
            int most = format.equals(FloatFormat.BINARY64) ? 53 : FloatFormat.BINARY32.significandBits();
            return Math.min(most, format.significandBits());
        }

        /**
         * Sites that are not rounded hold binary32, and sums that are not run in it, or in binary64 where tensors do.
         */
        private void check(PrecisionPolicy policy) {
            for (PrecisionSite site : PrecisionSite.values()) {
                if (site.isOfInference() && site != PrecisionSite.SUMS) {
                    NumberFormat format = format(policy, site, FloatFormat.BINARY32);
                    boolean wide = format.equals(FloatFormat.BINARY64);
                    check(format, format(policy, PrecisionSite.SUMS, wide ? format : FloatFormat.BINARY32));
                }
            }
        }

        private static NumberFormat format(PrecisionPolicy policy, PrecisionSite site, NumberFormat otherwise) {
            return policy.rounding(site)
                    .map(rounding -> elementwise(rounding).format())
                    .orElse(otherwise);
        }

        private static Rounding elementwise(TensorRounding rounding) {
            if (rounding instanceof Rounding elementwise) {
                return elementwise;
            }
            throw new UnmetDemandException(
                    "format: expected one whose numbers share no scale, got " + rounding.label());
        }

        private boolean isMetBy(NumberFormat format) {
            try {
                check(format, format);
                return true;
            } catch (UnmetDemandException e) {
                return false;
            }
        }
    }

    /**
     * The model on {@code kernels} where binary32 meets the demand, else the binary64 one.
     *
     * @throws UnmetDemandException if binary64 does not meet it either
     */
    default LanguageModel model(Kernels kernels) {
        Demand demand = demand();
        if (demand.isMetBy(FloatFormat.BINARY32)) {
            return new Transformer(build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), kernels);
        }
        demand.check(FloatFormat.BINARY64, FloatFormat.BINARY64);
        return new ReferenceTransformer(build());
    }

    /**
     * The model with every tensor rounded, and if {@code sums} is set every addition too.
     *
     * @throws UnmetDemandException if the format does not meet the demand; the message says what it takes
     */
    default LanguageModel model(Rounding rounding, boolean sums) {
        return model(sums ? PrecisionPolicy.everything(rounding) : PrecisionPolicy.tensors(rounding), Kernels.best());
    }

    /**
     * The model under a policy; in binary64 where that is the format of all tensors, else on {@code kernels}.
     *
     * @throws UnmetDemandException if a format does not meet the demand; the message says what it takes, and which
     *     variation is held
     */
    default LanguageModel model(PrecisionPolicy policy, Kernels kernels) {
        try {
            return held(policy, kernels);
        } catch (UnmetDemandException e) {
            throw nearest(policy, kernels)
                    .map(other -> new UnmetDemandException(e.getMessage() + "; " + other + " is the nearest held"))
                    .orElse(e);
        }
    }

    private LanguageModel held(PrecisionPolicy policy, Kernels kernels) {
        demand().check(policy);
        if (policy.isBinary64()) {
            policy.rounding(PrecisionSite.SUMS)
                    .filter(sums -> !sums.equals(Rounding.toNearestEven(FloatFormat.BINARY64)))
                    .ifPresent(sums -> {
                        throw new UnmetDemandException(
                                "sums: expected binary64 to nearest even, in which they then run, got " + sums.label());
                    });
            return new ReferenceTransformer(build());
        }
        Rounding weights = policy.rounding(PrecisionSite.WEIGHTS)
                .map(Demand::elementwise)
                .orElseGet(() -> Rounding.toNearestEven(FloatFormat.BINARY32));
        return new Transformer(narrow(weights), policy, kernels);
    }

    private Parameters narrow(Rounding weights) {
        try {
            return build().narrow(weights);
        } catch (IllegalArgumentException e) {
            // A demand tells of bits and magnitudes; a grid may lack numbers that have few of both.
            throw new UnmetDemandException(Objects.requireNonNull(e.getMessage()));
        }
    }
}

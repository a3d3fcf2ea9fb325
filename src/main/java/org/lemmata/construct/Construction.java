package org.lemmata.construct;

import java.util.EnumMap;
import java.util.Map;
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

/** Weights in closed form. The constructor checks the preconditions of the result. */
public abstract class Construction {

    /** The maximum number of variations that are tried; a large parameter has billions. */
    private static final int MAX_VARIATIONS = 1 << 16;

    private final Source source;
    private final Vocabulary vocabulary;

    protected Construction(Source source, Vocabulary vocabulary) {
        this.source = source;
        this.vocabulary = vocabulary;
    }

    /** The paper's result that states the weights. */
    public final Source source() {
        return source;
    }

    public final Vocabulary vocabulary() {
        return vocabulary;
    }

    /** The weights; those that are not binary fractions are rounded to the nearest binary64 number. */
    public abstract ExactParameters build();

    /**
     * The requirements on a number format for which the rounded model satisfies the result, which is stated for real
     * numbers.
     */
    public abstract Demand demand();

    /**
     * Constructions with other values of the parameters that the result leaves open, in order of increasing distance. A
     * number format that is too narrow for this construction may suffice for one of them.
     */
    public Stream<Variation> variations() {
        return Stream.empty();
    }

    /**
     * A construction with another value of one setting.
     *
     * @param setting the name of the setting, such as "v"
     * @param value the value of the setting
     */
    public record Variation(String setting, double value, Construction construction) {

        @Override
        public String toString() {
            return setting + "=" + NumberSet.shown(value);
        }
    }

    /** The first variation for which the formats of the policy suffice; empty if none of the first 2^16 does. */
    public Optional<Variation> nearest(PrecisionPolicy policy, Kernels kernels) {
        return variations()
                .limit(MAX_VARIATIONS)
                .filter(each -> isMet(() -> each.construction.held(policy, kernels)))
                .findFirst();
    }

    private static boolean isMet(Runnable demanding) {
        try {
            demanding.run();
            return true;
        } catch (UnmetDemandException e) {
            return false;
        }
    }

    /**
     * The requirements on a number format.
     *
     * @param tensorBits the significand bits of tensors
     * @param sumBits the significand bits of sums
     * @param minimum the smallest nonzero magnitude in a tensor
     * @param maximum the largest magnitude in a tensor or a sum
     * @param tensor the tensor and value that need {@code tensorBits}
     * @param sum the sum that needs {@code sumBits}
     * @param sites separate requirements for single sites
     */
    public record Demand(
            int tensorBits,
            int sumBits,
            double minimum,
            double maximum,
            String tensor,
            String sum,
            Map<PrecisionSite, Demand> sites) {

        public Demand {
            sites = Map.copyOf(sites);
        }

        public Demand(int tensorBits, int sumBits, double minimum, double maximum, String tensor, String sum) {
            this(tensorBits, sumBits, minimum, maximum, tensor, sum, Map.of());
        }

        /** A demand in which one value determines the bits of both tensors and sums. */
        public Demand(int tensorBits, int sumBits, double minimum, double maximum, String tensor) {
            this(tensorBits, sumBits, minimum, maximum, tensor, tensor);
        }

        /** This demand with a separate demand for one site. */
        public Demand with(PrecisionSite site, Demand other) {
            var changed = new EnumMap<PrecisionSite, Demand>(PrecisionSite.class);
            changed.putAll(sites);
            changed.put(site, other);
            return new Demand(tensorBits, sumBits, minimum, maximum, tensor, sum, changed);
        }

        /** Checks a format whose numbers are stored with at most {@code mostBits} significand bits. */
        private void check(String site, NumberFormat format, int mostBits) {
            if (!(format.minNormal() <= minimum && maximum <= format.maxFinite())) {
                throw new UnmetDemandException(site + ": expected a format with magnitudes from " + minimum + " to "
                        + maximum + ", got " + format.name() + " with " + format.minNormal() + " to "
                        + format.maxFinite());
            }
            require(site, format, mostBits, tensorBits, tensor);
        }

        private static void require(String site, NumberFormat format, int mostBits, int bits, String what) {
            int stored = Math.min(mostBits, format.significandBits());
            if (stored < bits) {
                throw new UnmetDemandException(site + ": expected at least " + bits + " significand bits for " + what
                        + ", got " + format.name() + " with " + stored);
            }
        }

        /**
         * Checks all sites of inference. If all tensors are in binary64, sites and sums without a rounding are too;
         * otherwise they are in binary32.
         */
        private void check(PrecisionPolicy policy) {
            FloatFormat usual = policy.isBinary64() ? FloatFormat.BINARY64 : FloatFormat.BINARY32;
            int mostBits = usual.significandBits();
            Map<PrecisionSite, NumberFormat> formats = new EnumMap<>(PrecisionSite.class);
            for (PrecisionSite site : PrecisionSite.values()) {
                if (site.isOfInference()) {
                    formats.put(site, format(policy, site, usual));
                }
            }
            NumberFormat sumFormat = Objects.requireNonNull(formats.remove(PrecisionSite.SUMS));
            boolean isOne = formats.values().stream().distinct().count() == 1;
            formats.forEach((site, format) -> {
                Demand own = isOne ? this : sites.getOrDefault(site, this);
                own.check(isOne ? "format" : site.label(), format, mostBits);
            });
            boolean isOwn =
                    policy.rounding(PrecisionSite.SUMS).isPresent() && !(isOne && formats.containsValue(sumFormat));
            String name = isOwn ? PrecisionSite.SUMS.label() : "format";
            check(name, sumFormat, mostBits);
            require(name, sumFormat, mostBits, sumBits, sum + ", where sums run");
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

        private void check(FloatFormat format) {
            check(PrecisionPolicy.everything(Rounding.toNearestEven(format)));
        }
    }

    /**
     * The model on {@code kernels} if binary32 meets the demand; otherwise the model in binary64.
     *
     * @throws UnmetDemandException if binary64 does not meet the demand either
     */
    public LanguageModel model(Kernels kernels) {
        Demand demand = demand();
        if (isMet(() -> demand.check(FloatFormat.BINARY32))) {
            return new Transformer(build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32)), kernels);
        }
        demand.check(FloatFormat.BINARY64);
        return new ReferenceTransformer(build());
    }

    /**
     * The model with every tensor rounded, and also every product and addition of sums if {@code sums} is set.
     *
     * @throws UnmetDemandException as {@link #model(PrecisionPolicy, Kernels)}
     */
    public LanguageModel model(Rounding rounding, boolean sums) {
        return model(sums ? PrecisionPolicy.everything(rounding) : PrecisionPolicy.tensors(rounding), Kernels.best());
    }

    /**
     * The model under a policy: in binary64 if all tensors have this format, otherwise on {@code kernels}.
     *
     * @throws UnmetDemandException if a format does not meet the demand; the message names the requirement and, if
     *     there is one, the first variation for which the formats suffice
     */
    public LanguageModel model(PrecisionPolicy policy, Kernels kernels) {
        try {
            return held(policy, kernels);
        } catch (UnmetDemandException e) {
            throw nearest(policy, kernels)
                    .map(other -> new UnmetDemandException(e.getMessage() + "; nearest representable: " + other))
                    .orElse(e);
        }
    }

    /** The model under a policy, even if the formats do not meet the demand. Weights are then rounded. */
    public LanguageModel forced(PrecisionPolicy policy, Kernels kernels) {
        return policy.isBinary64()
                ? new ReferenceTransformer(build())
                : new Transformer(build().nearest(), policy, kernels);
    }

    private LanguageModel held(PrecisionPolicy policy, Kernels kernels) {
        demand().check(policy);
        if (policy.isBinary64()) {
            policy.rounding(PrecisionSite.SUMS)
                    .filter(sums -> !sums.equals(Rounding.toNearestEven(FloatFormat.BINARY64)))
                    .ifPresent(sums -> {
                        throw new UnmetDemandException(
                                "sums: expected binary64 to nearest even, as for all tensors, got " + sums.label());
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
            // A demand limits only bits and magnitudes; a format may lack numbers within both limits.
            throw new UnmetDemandException(Objects.requireNonNull(e.getMessage()));
        }
    }
}

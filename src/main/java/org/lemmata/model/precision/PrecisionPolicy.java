package org.lemmata.model.precision;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.model.ParameterView;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * The roundings of a transformer and its training: which tensors and sums are rounded to which format, and how.
 *
 * <p>A tensor at a site with a rounding is computed in binary32 and then rounded. The sum of two tensors is rounded
 * once from its exact value, unless the format has shared scales. {@link PrecisionSite#SUMS} rounds every step of sums
 * instead. Other sites stay in binary32. Rounded values are stored in binary32, which is exact for formats that
 * binary32 contains.
 *
 * @param roundings the roundings by site; sites without rounding are absent
 * @param seed determines the random words of stochastic rounding, together with layer, site, tensor and training step
 * @param lossScale the power of two by which training multiplies the loss, so that rounding does not change small
 *     gradients to 0; the optimizer divides gradients by it
 */
public record PrecisionPolicy(Map<PrecisionSite, TensorRounding> roundings, long seed, double lossScale) {

    private static final long DEFAULT_SEED = 1;

    /** The first stream of roundings. Dropout uses smaller numbers, two per layer. */
    private static final int FIRST_STREAM = 1 << 20;

    /** An upper bound for the number of sites. */
    private static final int SITES = 16;

    private static final int USES = 128;

    /**
     * @throws IllegalArgumentException if a block format is given for a site that rounds elements separately, or the
     *     loss scale is not a power of two
     */
    public PrecisionPolicy {
        var copy = new EnumMap<PrecisionSite, TensorRounding>(PrecisionSite.class);
        copy.putAll(roundings);
        copy.forEach((site, rounding) -> {
            if (site.isElementwise() && !(rounding instanceof Rounding)) {
                throw new IllegalArgumentException(
                        site.label() + ": expected a format whose numbers share no scale, got " + rounding.label());
            }
        });
        roundings = Collections.unmodifiableMap(copy);
        boolean powerOfTwo = lossScale > 0
                && lossScale <= Float.MAX_VALUE
                && lossScale >= Float.MIN_NORMAL
                && Math.scalb(1.0, Math.getExponent(lossScale)) == lossScale;
        Refuse.when(!powerOfTwo, "loss-scale", "a power of two from 2^-126 to 2^127", lossScale);
    }

    public static PrecisionPolicy none() {
        return new PrecisionPolicy(Map.of(), DEFAULT_SEED, 1);
    }

    /**
     * Rounds every tensor of a forward pass; sums are computed in binary32. With a block format, scores and
     * exponentials stay in binary32, because their elements are rounded separately.
     */
    public static PrecisionPolicy tensors(TensorRounding rounding) {
        return none().changed(roundings -> Arrays.stream(PrecisionSite.values())
                .filter(site -> site.isOfInference() && site != PrecisionSite.SUMS)
                .filter(site -> rounding instanceof Rounding || !site.isElementwise())
                .forEach(site -> roundings.put(site, rounding)));
    }

    private PrecisionPolicy changed(Consumer<Map<PrecisionSite, TensorRounding>> change) {
        var changed = new EnumMap<PrecisionSite, TensorRounding>(PrecisionSite.class);
        changed.putAll(roundings);
        change.accept(changed);
        return new PrecisionPolicy(changed, seed, lossScale);
    }

    /** Rounds every tensor of a forward pass, every product and every addition. */
    public static PrecisionPolicy everything(Rounding rounding) {
        return tensors(rounding).with(PrecisionSite.SUMS, rounding);
    }

    public static PrecisionPolicy only(PrecisionSite site, TensorRounding rounding) {
        return none().with(site, rounding);
    }

    public PrecisionPolicy with(PrecisionSite site, TensorRounding rounding) {
        return changed(sites -> sites.put(site, rounding));
    }

    public PrecisionPolicy without(PrecisionSite site) {
        return changed(sites -> sites.remove(site));
    }

    public PrecisionPolicy withSeed(long newSeed) {
        return new PrecisionPolicy(roundings, newSeed, lossScale);
    }

    public PrecisionPolicy withLossScale(double newLossScale) {
        return new PrecisionPolicy(roundings, seed, newLossScale);
    }

    public Optional<TensorRounding> rounding(PrecisionSite site) {
        return Optional.ofNullable(roundings.get(site));
    }

    public boolean isNone() {
        return roundings.isEmpty();
    }

    /** Whether every tensor of a forward pass is in binary64. */
    public boolean isBinary64() {
        return Arrays.stream(PrecisionSite.values())
                .filter(PrecisionSite::isOfInference)
                .allMatch(site -> rounding(site)
                        .map(rounding ->
                                rounding instanceof Rounding one && one.format().equals(FloatFormat.BINARY64))
                        .orElse(site == PrecisionSite.SUMS));
    }

    public boolean isStochastic() {
        return roundings.values().stream().anyMatch(TensorRounding::isStochastic);
    }

    /** The policy for a forward pass: a copy without the sites of training and without loss scale. */
    public PrecisionPolicy ofInference() {
        return changed(sites -> sites.keySet().removeIf(site -> !site.isOfInference()))
                .withLossScale(1);
    }

    /**
     * A readable name: "bfloat16", "bfloat16 with sums", "none", or "scores binary16, outputs bfloat16". Includes the
     * seed if a rounding is stochastic.
     */
    public String label() {
        return sitesLabel() + (isStochastic() ? ", seed " + seed : "");
    }

    private String sitesLabel() {
        if (isNone()) {
            return "none";
        }
        TensorRounding common = roundings.values().iterator().next();
        if (roundings.equals(tensors(common).roundings)) {
            return common.label();
        }
        if (common instanceof Rounding rounding && roundings.equals(everything(rounding).roundings)) {
            return common.label() + " with sums";
        }
        return roundings.entrySet().stream()
                .map(entry -> entry.getKey().label() + " " + entry.getValue().label())
                .collect(Collectors.joining(", "));
    }

    /**
     * The rounding of a site, or null if it does not change binary32 tensors. At {@link PrecisionSite#SUMS} rounding to
     * binary32 counts as a change, because it excludes fused multiply-add.
     */
    @Nullable
    TensorRounding active(PrecisionSite site) {
        TensorRounding rounding = roundings.get(site);
        boolean keeps = site != PrecisionSite.SUMS
                && Rounding.toNearestEven(FloatFormat.BINARY32).equals(rounding);
        return keeps ? null : rounding;
    }

    /** {@link #active} if it rounds elements separately, otherwise null. */
    @Nullable
    Rounding elementwise(PrecisionSite site) {
        return active(site) instanceof Rounding rounding ? rounding : null;
    }

    /**
     * The stream of random words for one tensor, or for one sum.
     *
     * @param layer from 0, or {@link ParameterView#NO_LAYER}
     * @param use number of the tensor at this site in this layer, below 128
     * @param step the training step; 0 outside of training
     */
    public RandomStream stream(PrecisionSite site, int layer, int use, long step) {
        Refuse.outside("use", use, 0, USES - 1);
        return new RandomStream(seed, FIRST_STREAM + ((layer + 1) * SITES + site.number()) * USES + use, step);
    }

    /**
     * Rejects roundings that cannot be applied to binary32 tensors.
     *
     * @throws IllegalArgumentException if a site has a floating-point format with more significand bits than binary32
     */
    public PrecisionPolicy requireBinary32() {
        roundings.forEach((site, rounding) -> {
            if (rounding instanceof Rounding(var format, var _, var _, var _)
                    && format instanceof FloatFormat
                    && format.significandBits() > Float.PRECISION) {
                throw new IllegalArgumentException(
                        site.label() + ": expected a format that fits into binary32, got " + format.name());
            }
        });
        return this;
    }
}

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
 * What is rounded to which format, where, and how, in a transformer and in its training.
 *
 * <p>A tensor at a site named here is computed by the ordinary kernels in binary32 and then rounded;
 * {@link PrecisionSite#SUMS} rounds every step of sums instead. A site that is not named stays in binary32. What is
 * rounded is stored in binary32, exactly for formats that binary32 contains.
 *
 * @param roundings by site; sites that are not rounded are not there
 * @param seed what the random words of stochastic roundings follow from, with layer, site and training step
 * @param lossScale the power of two that training multiplies the loss by, so that small gradients do not become 0 where
 *     gradients are rounded; they are divided by it again before the step
 */
public record PrecisionPolicy(Map<PrecisionSite, TensorRounding> roundings, long seed, double lossScale) {

    private static final long DEFAULT_SEED = 1;

    /** Dropout has the streams below: two a layer. */
    private static final int FIRST_STREAM = 1 << 20;

    /** At least as many as there are sites, and as a site has uses in a layer. */
    private static final int SITES = 16;

    private static final int USES = 128;

    /**
     * Checks that blocks stand where tensors are.
     *
     * @throws IllegalArgumentException if numbers are to share a scale at a site that rounds them one by one, or the
     *     loss scale is no power of two
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

    /** Nothing is rounded. */
    public static PrecisionPolicy none() {
        return new PrecisionPolicy(Map.of(), DEFAULT_SEED, 1);
    }

    /**
     * Every tensor of a forward pass is rounded, sums run in binary32. Scores and exponentials, which are rounded one
     * by one, stay in binary32 where the format has blocks.
     */
    public static PrecisionPolicy tensors(TensorRounding rounding) {
        return none().changed(roundings -> Arrays.stream(PrecisionSite.values())
                .filter(site -> site.isOfInference() && site != PrecisionSite.SUMS)
                .filter(site -> rounding instanceof Rounding || !site.isElementwise())
                .forEach(site -> roundings.put(site, rounding)));
    }

    /** The same with some other roundings. */
    private PrecisionPolicy changed(Consumer<Map<PrecisionSite, TensorRounding>> change) {
        var changed = new EnumMap<PrecisionSite, TensorRounding>(PrecisionSite.class);
        changed.putAll(roundings);
        change.accept(changed);
        return new PrecisionPolicy(changed, seed, lossScale);
    }

    /** Every tensor of a forward pass, every product and every addition is rounded. */
    public static PrecisionPolicy everything(Rounding rounding) {
        return tensors(rounding).with(PrecisionSite.SUMS, rounding);
    }

    /** One site is rounded, and nothing else. */
    public static PrecisionPolicy only(PrecisionSite site, TensorRounding rounding) {
        return none().with(site, rounding);
    }

    /** The same with a site rounded so. */
    public PrecisionPolicy with(PrecisionSite site, TensorRounding rounding) {
        return changed(sites -> sites.put(site, rounding));
    }

    /** The same with a site that is not rounded. */
    public PrecisionPolicy without(PrecisionSite site) {
        return changed(sites -> sites.remove(site));
    }

    public PrecisionPolicy withSeed(long newSeed) {
        return new PrecisionPolicy(roundings, newSeed, lossScale);
    }

    public PrecisionPolicy withLossScale(double newLossScale) {
        return new PrecisionPolicy(roundings, seed, newLossScale);
    }

    /** How a site is rounded, if it is. */
    public Optional<TensorRounding> rounding(PrecisionSite site) {
        return Optional.ofNullable(roundings.get(site));
    }

    /** Whether no site is rounded. */
    public boolean isNone() {
        return roundings.isEmpty();
    }

    /** Whether every tensor of a forward pass is to be binary64. */
    public boolean isBinary64() {
        return Arrays.stream(PrecisionSite.values())
                .filter(PrecisionSite::isOfInference)
                .allMatch(site -> rounding(site)
                        .map(rounding ->
                                rounding instanceof Rounding one && one.format().equals(FloatFormat.BINARY64))
                        .orElse(site == PrecisionSite.SUMS));
    }

    /** Whether results depend on random words. */
    public boolean isStochastic() {
        return roundings.values().stream().anyMatch(TensorRounding::isStochastic);
    }

    /** What a forward pass looks at: without the sites of training, and without loss scale. */
    public PrecisionPolicy ofInference() {
        return changed(sites -> sites.keySet().removeIf(site -> !site.isOfInference()))
                .withLossScale(1);
    }

    /**
     * A name for people: "bfloat16", "bfloat16 with sums", "none", or "scores binary16, outputs bfloat16"; and the seed
     * where random words decide.
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

    /** What changes a tensor of binary32 at a site; null if nothing does. Sums that are rounded are never fused. */
    @Nullable
    TensorRounding active(PrecisionSite site) {
        TensorRounding rounding = roundings.get(site);
        boolean keeps = site != PrecisionSite.SUMS
                && Rounding.toNearestEven(FloatFormat.BINARY32).equals(rounding);
        return keeps ? null : rounding;
    }

    /** The same where numbers are rounded one by one; null where they share a scale. */
    @Nullable
    Rounding elementwise(PrecisionSite site) {
        return active(site) instanceof Rounding rounding ? rounding : null;
    }

    /**
     * The random words of one tensor, or of one sum.
     *
     * @param layer from 0, or {@link ParameterView#NO_LAYER}
     * @param use which of the site's tensors in that layer, below 128
     * @param step of training; 0 outside of it
     */
    public RandomStream stream(PrecisionSite site, int layer, int use, long step) {
        Refuse.outside("use", use, 0, USES - 1);
        return new RandomStream(seed, FIRST_STREAM + ((layer + 1) * SITES + site.number()) * USES + use, step);
    }

    /**
     * Refuses what no tensor of binary32 can be rounded to.
     *
     * @throws IllegalArgumentException if a site is to have float numbers of more bits
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

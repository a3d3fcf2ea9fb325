package org.lemmata.model.precision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.part.DropoutSeed;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

class PrecisionPolicyTest {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
    private static final TensorRounding BLOCKS =
            TensorRounding.parse("mxfp8_e4m3", Rounding.Mode.TIES_TO_EVEN, true, false);

    @Test
    void tensorsAreAllSitesOfInferenceButSums() {
        assertThat(PrecisionPolicy.tensors(BFLOAT16).roundings().keySet().stream()
                        .map(PrecisionSite::label))
                .containsExactly("""
                    weights embeddings norms queries-keys-values scores exponentials outputs residual feed-forward
                    logits\
                    """.split("\\s+"));
        assertThat(PrecisionPolicy.everything(BFLOAT16))
                .isEqualTo(PrecisionPolicy.tensors(BFLOAT16).with(PrecisionSite.SUMS, BFLOAT16));
    }

    @Test
    void blocksLeaveWhatIsRoundedOneByOne() {
        assertThat(PrecisionPolicy.tensors(BLOCKS).roundings().keySet())
                .hasSize(8)
                .noneMatch(PrecisionSite::isElementwise);
    }

    @ParameterizedTest
    @EnumSource(names = {"SCORES", "EXPONENTIALS", "SUMS"})
    void blocksAreRefusedWhereNumbersAreRoundedOneByOne(PrecisionSite site) {
        assertRefused(
                () -> PrecisionPolicy.only(site, BLOCKS),
                site.label() + ": expected a format whose numbers share no scale, got mxfp8_e4m3");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 3, 0.3, Double.NaN, Double.POSITIVE_INFINITY, 0x1p-127, 0x1p128})
    void lossScalesThatAreNoPowersOfTwoAreRefused(double scale) {
        assertRefused(
                () -> PrecisionPolicy.none().withLossScale(scale),
                "loss-scale: expected a power of two from 2^-126 to 2^127, got " + scale);
    }

    @Test
    void equalPoliciesAreEqual() {
        PrecisionPolicy one =
                PrecisionPolicy.none().with(PrecisionSite.LOGITS, BFLOAT16).with(PrecisionSite.WEIGHTS, BLOCKS);
        PrecisionPolicy other =
                PrecisionPolicy.only(PrecisionSite.WEIGHTS, BLOCKS).with(PrecisionSite.LOGITS, BFLOAT16);
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.withSeed(2)).isNotEqualTo(other);
        assertThat(one.withLossScale(2)).isNotEqualTo(other);
        assertThat(one.without(PrecisionSite.LOGITS)).isEqualTo(PrecisionPolicy.only(PrecisionSite.WEIGHTS, BLOCKS));
        assertThat(one.without(PrecisionSite.LOGITS)
                        .without(PrecisionSite.WEIGHTS)
                        .isNone())
                .isTrue();
    }

    @Test
    void labelsSayWhatIsRounded() {
        assertThat(PrecisionPolicy.none().label()).isEqualTo("none");
        assertThat(PrecisionPolicy.tensors(BFLOAT16).label()).isEqualTo("bfloat16");
        assertThat(PrecisionPolicy.everything(BFLOAT16).label()).isEqualTo("bfloat16 with sums");
        assertThat(PrecisionPolicy.tensors(BLOCKS).label()).isEqualTo("mxfp8_e4m3");
        assertThat(PrecisionPolicy.only(PrecisionSite.SUMS, BFLOAT16)
                        .with(PrecisionSite.WEIGHTS, BLOCKS)
                        .label())
                .isEqualTo("weights mxfp8_e4m3, sums bfloat16");
    }

    @Test
    void sitesHaveTheirNames() {
        for (PrecisionSite site : PrecisionSite.values()) {
            assertThat(PrecisionSite.parse(site.label())).isSameAs(site);
            assertThat(site.label())
                    .isEqualTo(site.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PrecisionSite.parse("ffn"))
                .withMessageStartingWith("site: expected one of weights, master-weights, embeddings, norms, ")
                .withMessageEndingWith(", gradients, optimizer-state, got 'ffn'");
    }

    /** Tensors have distinct and disjoint streams of random words, which also differ from those of dropout. */
    @Test
    void streamsAreAllDifferent() {
        PrecisionPolicy policy = PrecisionPolicy.none();
        Set<Integer> streams = new HashSet<>();
        int layers = 40;
        int made = 0;
        for (PrecisionSite site : PrecisionSite.values()) {
            for (int layer = -1; layer < layers; layer++) {
                for (int use = 0; use < 128; use++) {
                    RandomStream stream = policy.stream(site, layer, use, 5);
                    assertThat(stream.seed()).isEqualTo(policy.seed());
                    assertThat(stream.step()).isEqualTo(5);
                    assertThat(stream.stream()).isGreaterThan(DropoutSeed.ofFeedForward(1 << 12));
                    streams.add(stream.stream());
                    streams.add(stream.part(0).stream());
                    streams.add(stream.part(15).stream());
                    made += 3;
                }
            }
        }
        assertThat(streams).hasSize(made);
        assertThat(PrecisionSite.values()).hasSizeLessThanOrEqualTo(16);
        assertThat(PassTensor.values()).hasSizeLessThanOrEqualTo(32);
        assertThat(ParameterRole.values()).hasSizeLessThanOrEqualTo(32);
        assertThat(policy.stream(PrecisionSite.NORMS, 1 << 12, 127, 0).part(15).stream())
                .isPositive();
    }

    /** Rounding to binary32 changes nothing, so it can exempt a site from a common rounding. */
    @Test
    void binary32IsNoRoundingOfTensors() {
        Rounding binary32 = Rounding.toNearestEven(FloatFormat.BINARY32);
        PrecisionPolicy policy = PrecisionPolicy.everything(binary32);
        assertThat(Arrays.stream(PrecisionSite.values()).filter(site -> policy.active(site) != null))
                .containsExactly(PrecisionSite.SUMS);
        assertRefused(
                () -> PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BINARY64))
                        .requireBinary32(),
                "weights: expected a format that fits into binary32, got binary64");
    }
}

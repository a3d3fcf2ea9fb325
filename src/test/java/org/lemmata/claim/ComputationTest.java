package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.claim.ComputedClaimTest.claim;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lemmata.construct.Construction;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.construct.depth.DyckCompleterWithoutPositions;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;

class ComputationTest {

    private static final Construction COMPLETER =
            new DyckCompleterByPositionSums(DyckWords.BRACKETS, DyckWords.ids("(())()"), -0.5);

    private static final Batch PREFIX = Batch.of(List.of(DyckWords.ids("(()")));

    private static final Rounding TF32 = Rounding.toNearestEven(FloatFormat.TF32);

    private static Computation rounded(TensorRounding rounding) {
        return new Computation(Kernels.scalar(), Optional.of(PrecisionPolicy.tensors(rounding)));
    }

    private static List<Double> logits(Computation computation) {
        return Arrays.stream(computation.model(COMPLETER).logits(PREFIX))
                .boxed()
                .toList();
    }

    @Test
    void modelsComputeInTheFormatOfThePolicy() {
        List<Double> exact = logits(Computation.unrounded(Kernels.scalar()));
        List<Double> inTf32 = logits(rounded(TF32));
        assertThat(inTf32).isNotEqualTo(exact);
        assertThat(inTf32).allSatisfy(logit -> assertThat(TF32.round(logit)).isEqualTo(logit));
        assertThat(exact).anySatisfy(logit -> assertThat(TF32.round(logit)).isNotEqualTo(logit));
    }

    @Test
    void aPolicyHasAName() {
        assertThat(rounded(TF32).precision()).isEqualTo("tf32");
        assertThat(rounded(TF32).isRounded()).isTrue();
        assertThat(Computation.unrounded(Kernels.scalar()).precision()).isEqualTo("none");
        assertThat(Computation.unrounded(Kernels.scalar()).isRounded()).isFalse();
        assertThat(new Computation(Kernels.scalar(), Optional.of(PrecisionPolicy.none())).isRounded())
                .isFalse();
    }

    @Test
    void aVerdictThatNoRoundingTouchedHasNoFormat() {
        ClaimResult result = ClaimResult.of(
                claim("hierarchy.proposition-5"), Budget.QUICK, new TreeMap<>(), rounded(TF32), Map.of());
        assertThat(result.verdict()).isEqualTo(NotTested.FORMAT.because("its test rounds nothing"));
        assertThat(result.rounding()).isEmpty();
        ClaimResult touched =
                ClaimResult.of(claim("depth.theorem-4.1.loss"), Budget.QUICK, new TreeMap<>(), rounded(TF32), Map.of());
        assertThat(touched.outcome()).isEqualTo(Outcome.SUPPORTED);
        assertThat(touched.rounding()).isEqualTo("tf32");
    }

    @Test
    void whatAFormatCannotHoldIsUndecidedAndOtherFaultsAreFaults() {
        var construction = new DyckCompleterWithoutPositions(DyckWords.BRACKETS, 2);
        assertThatThrownBy(() -> rounded(TF32).model(construction))
                .isInstanceOf(UnmetDemandException.class)
                .hasMessageContaining("at least 53 significand bits");
        ClaimResult result =
                ClaimResult.of(claim("depth.claim-5.3"), Budget.QUICK, new TreeMap<>(), rounded(TF32), Map.of());
        assertThat(result.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(result.verdict().reason()).contains("at least 53 significand bits");
        assertThat(result.isChanged()).isFalse();
        // Binary64 at one site of a model in binary32 is an error of the policy, not a finding.
        Computation wrong = new Computation(
                Kernels.scalar(),
                Optional.of(PrecisionPolicy.tensors(TF32)
                        .with(PrecisionSite.LOGITS, Rounding.toNearestEven(FloatFormat.BINARY64))));
        assertThatThrownBy(() -> wrong.model(COMPLETER))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(UnmetDemandException.class);
    }
}

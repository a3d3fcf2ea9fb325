package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

class PrecisionReaderTest {

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);

    private static final String TRAINING = """
        steps: 1
        task: {name: dyck-words, settings: {N: 2}}
        model: {width: 4, layers: 1}
        """;

    @TempDir
    private Path directory;

    private PrecisionPolicy read(String yaml) throws IOException {
        return PrecisionReader.read(Files.writeString(directory.resolve("policy.yaml"), yaml));
    }

    @Test
    void aFormatIsThatOfEveryTensor() throws IOException {
        assertThat(read("format: bfloat16")).isEqualTo(PrecisionPolicy.tensors(BFLOAT16));
        assertThat(read("format: bfloat16\nsums: true")).isEqualTo(PrecisionPolicy.everything(BFLOAT16));
        assertThat(read("format: none")).isEqualTo(PrecisionPolicy.none());
        assertThat(read("{format: mxfp4_e2m1, mode: TiesToAway}"))
                .isEqualTo(PrecisionPolicy.tensors(
                        TensorRounding.parse("mxfp4_e2m1", Rounding.Mode.TIES_TO_AWAY, true, false)));
        assertThat(read("{format: integer, mode: ToOdd}"))
                .isEqualTo(PrecisionPolicy.tensors(TensorRounding.parse("integer", Rounding.Mode.TO_ODD, true, false)));
        assertThat(read("loss-scale: 1024")).isEqualTo(PrecisionPolicy.none().withLossScale(1024));
    }

    @Test
    void aSiteHasAFormatOfItsOwnAndTheRestInCommon() throws IOException {
        PrecisionPolicy policy = read("""
            format: bfloat16
            mode: Stochastic
            subnormals: false
            seed: 9
            sites:
              scores: binary32
              weights: {format: ocp_e4m3, mode: TowardZero, saturate: true}
              norms: none
              logits: {mode: ToOdd, subnormals: true}
              gradients: int8
              sums: binary16
            """);
        var common = new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.STOCHASTIC, false, false);
        assertThat(policy)
                .isEqualTo(PrecisionPolicy.tensors(common)
                        .with(
                                PrecisionSite.SCORES,
                                new Rounding(FloatFormat.BINARY32, Rounding.Mode.STOCHASTIC, false, false))
                        .with(
                                PrecisionSite.WEIGHTS,
                                new Rounding(FloatFormat.OCP_E4M3, Rounding.Mode.TOWARD_ZERO, false, true))
                        .without(PrecisionSite.NORMS)
                        .with(
                                PrecisionSite.LOGITS,
                                new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.TO_ODD, true, false))
                        .with(
                                PrecisionSite.GRADIENTS,
                                TensorRounding.parse("int8", Rounding.Mode.STOCHASTIC, true, false))
                        .with(
                                PrecisionSite.SUMS,
                                new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, false, false))
                        .withSeed(9));
    }

    @Test
    void sitesStandAlone() throws IOException {
        assertThat(read("sites: {logits: bfloat16}")).isEqualTo(PrecisionPolicy.only(PrecisionSite.LOGITS, BFLOAT16));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        format: float8; policy.yaml: line 1: format: expected one of binary64, binary32, tf32,
        {format: bfloat16, mode: Up}; mode: expected one of TiesToEven, TiesToAway, TowardZero, TowardPositive, TowardNegative, ToOdd, Stochastic, got 'Up'
        sites: {ffn: bfloat16}; sites: expected one of weights, master-weights, embeddings, norms,
        sites: {scores: mxint8}; sites.scores.format: expected a format whose numbers share no scale, got mxint8
        sites: {scores: {formt: bfloat16}}; sites.scores.formt: unknown, did you mean sites.scores.format?
        sites: {scores: [bfloat16]}; sites.scores: expected the keys format, mode, subnormals, saturate, got a list of 1
        sites: bfloat16; sites: expected a section with keys, got 'bfloat16'
        {format: int8, sums: true}; sums: expected a format whose numbers share no scale, got int8
        sums: true; sums: expected a format to round sums to, got none
        mode: ToOdd; mode: expected no such key, since it has no effect here, got 'ToOdd'
        {format: bfloat16, seed: 3}; seed: expected no such key, since it has no effect here, got 3
        {format: int8, saturate: true}; saturate: expected no such key, since it has no effect here, got true
        {format: threshold(9), mode: ToOdd}; mode: expected no such key, since it has no effect here, got 'ToOdd'
        {format: threshold(9), saturate: true}; saturate: expected no such key, since it has no effect here, got true
        {format: integer, subnormals: false}; subnormals: expected no such key, since it has no effect here, got false
        {sites: {norms: {format: threshold(9), mode: ToOdd}}}; sites.norms.mode: expected no such key, since it has no
        {sites: {norms: {format: multiple(2), saturate: true}}}; sites.norms.saturate: expected no such key, since it
        {sites: {norms: {format: none, mode: ToOdd}}}; sites.norms.mode: expected no such key, since it has no
        loss-scale: 3; loss-scale: expected a power of two from 2^-126 to 2^127, got 3.0
        fromat: bfloat16; fromat: unknown, did you mean format?
        """)
    void whatIsWrongIsSaidInOneLine(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }

    private Configuration configuration(String yaml, Map<String, Path> files, String... overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("x.yaml"), TRAINING + yaml);
        return Configuration.read(file, files, List.of(overrides), TrainingSections.TRAINING);
    }

    private static PrecisionPolicy policy(Configuration configuration) throws IOException {
        try (TrainingRun run = TrainingRun.of(configuration)) {
            return run.precision();
        }
    }

    @Test
    void overridesReachSites() throws IOException {
        assertThat(policy(configuration("", Map.of(), "precision.format=bfloat16", "precision.sites.scores=none")))
                .isEqualTo(PrecisionPolicy.tensors(BFLOAT16).without(PrecisionSite.SCORES));
        assertThat(policy(configuration(
                        "precision: {sites: {scores: {format: binary16}}}",
                        Map.of(),
                        "precision.sites.scores.format=bfloat16")))
                .isEqualTo(PrecisionPolicy.only(PrecisionSite.SCORES, BFLOAT16));
    }

    @Test
    void aPolicyFileStandsInPlaceOfTheSection() throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), "sites: {logits: bfloat16}");
        Configuration configuration =
                configuration("precision: {format: binary16, sums: true}", Map.of("precision", file));
        assertThat(policy(configuration)).isEqualTo(PrecisionPolicy.only(PrecisionSite.LOGITS, BFLOAT16));
        Path bad = Files.writeString(directory.resolve("bad.yaml"), "format: bfloat17");
        assertThatThrownBy(() -> policy(configuration("", Map.of("precision", bad))))
                .hasMessageStartingWith(bad + ": line 1: precision.format: expected one of binary64, ");
    }

    /** Therefore a run can be resumed only with the policy with which it began. */
    @Test
    void theEffectiveConfigurationSaysThePolicyAndReadsAsTheSame() throws IOException {
        Configuration before = configuration(
                "precision: {format: bfloat16, mode: Stochastic, sites: {scores: binary32, norms: none}}", Map.of());
        PrecisionPolicy policy = policy(before);
        assertThat(before.effective())
                .containsEntry("precision.sites.scores.format", "binary32")
                .containsEntry("precision.sites.scores.mode", "Stochastic")
                .containsEntry("precision.sites.norms.format", "none")
                .containsEntry("precision.seed", "1")
                .containsEntry("precision.loss-scale", "1.0");
        Path written = Files.writeString(directory.resolve("config.yaml"), before.toYaml());
        Configuration again = Configuration.read(written, List.of(), TrainingSections.TRAINING);
        assertThat(policy(again)).isEqualTo(policy);
        assertThat(again.difference(written, java.util.Set.of())).isEmpty();
        Configuration other = configuration(
                "precision: {format: bfloat16, mode: Stochastic, sites: {scores: binary16, norms: none}}", Map.of());
        policy(other);
        assertThat(other.difference(written, java.util.Set.of()))
                .hasValue("precision.sites.scores.format: expected 'binary32' as in " + written + ", got 'binary16'");
    }

    @Test
    void trainingRefusesWhatBinary32DoesNotHold() {
        assertThatThrownBy(() -> policy(configuration("precision: {format: binary64}", Map.of())))
                .hasMessageContaining("weights: expected a format that fits into binary32, got binary64");
    }
}

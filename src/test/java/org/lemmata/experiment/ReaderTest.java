package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.Initialization;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.PositionOptions;
import org.lemmata.model.file.Weights;
import org.lemmata.setting.Setting;
import org.lemmata.task.Tasks;
import org.lemmata.train.OptimizerOptions;
import org.lemmata.train.ParameterGroup;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.CosineDecay;
import org.lemmata.train.Schedule.LinearWarmUp;
import org.lemmata.train.Schedule.StepDecay;

/**
 * The models and options that configurations describe, and the configurations that are rejected. The declared, the read
 * and the documented keys are the same.
 */
class ReaderTest {

    private static final String MINIMUM = "steps: 100\ntask: {name: dyck-words}\nmodel: {width: 8, layers: 2}\n";

    private static final Architecture MUP_MODEL =
            Architecture.gpt2(3, 33, 8, 1, 2, 16, 0).withOutput(OutputOptions.nextToken(false));

    @TempDir
    private Path directory;

    private Configuration read(String yaml, String... overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("x.yaml"), yaml);
        return Configuration.read(file, List.of(overrides), TrainingSections.TRAINING);
    }

    private Architecture model(String yaml) throws IOException {
        return ModelReader.read(read(yaml).section("model"), 3, 33, 33, false);
    }

    private OptimizerOptions optimizer(String yaml) throws IOException {
        Configuration root = read(yaml);
        InitializationReader start = InitializationReader.read(root.section("initialization"), Optional.empty());
        var model = new TrainedModel.OfTransformer(MUP_MODEL, start);
        return OptimizerReader.read(root.section("optimizer"), root.section("schedule"), 100, model);
    }

    @Test
    void theModelIsLikeGpt2WhereNothingElseIsSaid() throws IOException {
        assertThat(model("model: {width: 12, layers: 2, attention: {heads: 3}}"))
                .isEqualTo(Architecture.gpt2(3, 33, 12, 2, 3, 48, 0));
    }

    @Test
    void everyOptionOfTheModelIsTaken() throws IOException {
        String yaml = """
            model:
              width: 12
              layers: 3
              max-length: 40
              residual: false
              dropout: 0.25
              positions: {kind: periodic, period: 5}
              attention:
                heads: 5
                head-width: 7
                weighting: thresholded
                threshold-bits: 9
                mask: none
                score-scale: -0.5
                log-length: true
                score-bias-span: 6
                identities: true
                identity-multiplier: 3
                normalize-queries-and-keys: true
                output-projection: true
                biases: false
              feed-forward: {hidden: 10, activation: cosine, first-bias: false, second-bias: true}
              normalization: {placement: inner, kind: root-mean-square, epsilon: 0.5, gain: false, shift: true}
              output: {kind: regression, bias: true}
            """;
        assertThat(model(yaml))
                .isEqualTo(new Architecture(
                        new Architecture.Size(3, 40, 12, 3),
                        PositionOptions.periodic(5),
                        new AttentionOptions(
                                5,
                                7,
                                new AttentionOptions.Scores(
                                        Weighting.THRESHOLDED, Mask.NONE, -0.5f, LogLength.SEEN, 6, 9),
                                true,
                                3,
                                true,
                                true,
                                false),
                        new FeedForwardOptions(10, Activation.Kind.COSINE, false, true),
                        new NormalizationOptions(
                                NormalizationOptions.Placement.INNER,
                                Normalization.Kind.ROOT_MEAN_SQUARE,
                                0.5f,
                                false,
                                true),
                        false,
                        OutputOptions.regression(true),
                        0.25));
    }

    @Test
    void theLogarithmOfScoresIsAFlagOrTheSequence() throws IOException {
        for (var word : Map.of("false", LogLength.NONE, "true", LogLength.SEEN, "sequence", LogLength.SEQUENCE)
                .entrySet()) {
            Configuration root = read("model: {width: 4, layers: 1, attention: {log-length: " + word.getKey() + "}}");
            Architecture model = ModelReader.read(root.section("model"), 3, 33, 33, false);
            assertThat(model.attention().logLength()).isEqualTo(word.getValue());
            // The ids of recorded cells depend on this text.
            assertThat(root.effective()).containsEntry("model.attention.log-length", word.getKey());
            assertThat(root.toYaml()).contains("log-length: " + word.getKey() + "\n");
        }
        assertThatThrownBy(() -> model("model: {width: 4, layers: 1, attention: {log-length: seen}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model.attention.log-length: expected true, false or sequence, got 'seen'");
    }

    @Test
    void partsOfTheModelCanBeLeftOut() throws IOException {
        Architecture model = model("""
            model: {width: 4, layers: 1, residual: false, positions: {kind: none}, feed-forward: {hidden: 0},
              attention: {weighting: uniform, output-projection: false, biases: false},
              normalization: {placement: none}}
            """);
        assertThat(model).isEqualTo(Architecture.uniformHead(3, 33, 4, false));
        NormalizationOptions norms = model("model: {width: 4, layers: 1, normalization: {of-final: false}}")
                .normalization();
        assertThat(norms)
                .isEqualTo(NormalizationOptions.layer(NormalizationOptions.Placement.PRE)
                        .withBareFinal());
    }

    @Test
    void queriesAndKeysAreNormalizedWithoutOtherNorms() throws IOException {
        Architecture model = model("""
            model: {width: 4, layers: 1, attention: {normalize-queries-and-keys: true},
              normalization: {placement: none, kind: root-mean-square, epsilon: 1e-6}}
            """);
        assertThat(model.normalization().kind()).isEqualTo(Normalization.Kind.ROOT_MEAN_SQUARE);
        assertThat(model.normalization().epsilon()).isEqualTo(1e-6f);
    }

    @Test
    void rulesHaveTheirUsualDefaults() throws IOException {
        assertThat(optimizer("seed: 1")).isEqualTo(OptimizerOptions.of(new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01)));
        assertThat(optimizer("optimizer: {kind: adam}").rule()).isEqualTo(new Adam(1e-3, 0.9, 0.999, 1e-8, 0));
        assertThat(optimizer("optimizer: {kind: sgd, learning-rate: 2}").rule()).isEqualTo(new Sgd(2, 0, false, 0));
    }

    @Test
    void everyOptionOfTheOptimizerIsTaken() throws IOException {
        OptimizerOptions options = optimizer("""
            optimizer:
              kind: sgd
              learning-rate: 0.5
              momentum: 0.25
              nesterov: true
              weight-decay: 0.125
              decay-vectors: true
              clipping: 3
              groups:
                - {match: "*bias", frozen: true}
                - {match: "layer.*", learning-rate: 0, weight-decay: 2}
            """);
        assertThat(options)
                .isEqualTo(new OptimizerOptions(
                        new Sgd(0.5, 0.25, true, 0.125),
                        new ConstantRate(),
                        List.of(ParameterGroup.of("*bias").freeze(), new ParameterGroup("layer.*", 0.0, 1, 2.0, false)),
                        true,
                        3));
        assertThat(optimizer("optimizer: {kind: adam, betas: [0.5, 0.75], epsilon: 1, weight-decay: 2}")
                        .rule())
                .isEqualTo(new Adam(1e-3, 0.5, 0.75, 1, 2));
    }

    @Test
    void maximalUpdatesDivideTheRatesOfAdamButNoneThatIsNamed() throws IOException {
        String yaml = "initialization: {kind: mu-p}\noptimizer: {groups: [{match: '*.query', learning-rate: 3},"
                + " {match: 'layer.*', weight-decay: 2}]}";
        List<ParameterGroup> groups = optimizer(yaml).groups();
        assertThat(groups)
                .containsExactly(
                        new ParameterGroup("layer.0.query", 3.0, 1, null, false),
                        new ParameterGroup("layer.0.key", null, 1 / 8.0, 2.0, false),
                        new ParameterGroup("layer.0.value", null, 1 / 8.0, 2.0, false),
                        new ParameterGroup("layer.0.output", null, 1 / 8.0, 2.0, false),
                        new ParameterGroup("layer.0.first", null, 1 / 8.0, 2.0, false),
                        new ParameterGroup("layer.0.second", null, 1 / 16.0, 2.0, false),
                        new ParameterGroup("unembedding", null, 1 / 8.0, null, false),
                        new ParameterGroup("*.query", 3.0, 1, null, false),
                        new ParameterGroup("layer.*", null, 1, 2.0, false));
        assertThat(optimizer("initialization: {kind: mu-p}\noptimizer: {kind: sgd}")
                        .groups())
                .isEmpty();
    }

    @Test
    void maximalUpdatesHaveDefaultsOfTheirOwn() throws IOException {
        Configuration root = read("model: {width: 8, layers: 1, attention: {heads: 2}}");
        Architecture model = ModelReader.read(root.section("model"), 3, 33, 33, true);
        assertThat(model.attention().scoreScale()).isEqualTo(0.25f);
        assertThat(model.output().tied()).isFalse();
    }

    private Initialization law(String yaml) throws IOException {
        return InitializationReader.read(read(yaml).section("initialization"), Optional.empty())
                .law();
    }

    @Test
    void parametersStartByTheLawNamed() throws IOException {
        assertThat(law("seed: 1")).isEqualTo(new Initialization.Gpt2(0.02));
        assertThat(law("initialization: {kind: mean-field}")).isEqualTo(new Initialization.MeanField());
        assertThat(law("initialization: {kind: uniform-fan-in}")).isEqualTo(new Initialization.UniformFanIn());
        assertThat(law("initialization: {kind: mu-p, zero-readout: true}"))
                .isEqualTo(new Initialization.MaximalUpdate(true));
        try (TrainingRun run = TrainingRun.of(read(MINIMUM, "initialization.positions=one-hot", "model.width=32"))) {
            Parameters parameters = run.transformer().orElseThrow();
            ParameterView table =
                    parameters.architecture().view(ParameterRole.POSITION_EMBEDDING, ParameterView.NO_LAYER);
            assertThat(Arrays.copyOfRange(parameters.values(), table.offset(), table.offset() + 4))
                    .containsExactly(1, 0, 0, 0);
        }
    }

    @Test
    void schedulesBeginBehindTheirWarmUp() throws IOException {
        assertThat(optimizer("schedule: {kind: cosine, warm-up: 20, floor: 0.1}")
                        .schedule())
                .isEqualTo(new LinearWarmUp(20, new CosineDecay(80, 0.1)));
        assertThat(optimizer("schedule: {kind: cosine, steps: 70}").schedule()).isEqualTo(new CosineDecay(70, 0));
        assertThat(optimizer("schedule: {kind: step, every: 30, ratio: 0.5}").schedule())
                .isEqualTo(new StepDecay(30, 0.5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        model.attention.heads=3| model.attention.heads: expected a divisor of the width 8, or also a head-width, got 3
        model.width=0| model.width: expected an integer from 1 to 16777216, got 0
        model.width=[8]| model.width: expected an integer from 1 to 16777216, got a list of 1
        model.dropout=1| model.dropout: expected a number from 0 to below 1, got 1
        model.max-length=31| model.max-length: expected an integer from 32 to 16777216, got 31
        model.feed-forward.activation=swish| model.feed-forward.activation: expected one of relu, gelu, tanh-gelu, cosine, got 'swish'
        model.attention.threshold-bits=3| model.attention.threshold-bits: expected no such key, since it has no effect here, got 3 (it is p of thresholded weights
        model.positions.period=3| model.positions.period: expected no such key
        model.output.tide=true| model.output.tide: unknown, did you mean model.output.tied?
        optimizer.learning_rat=1| optimizer.learning_rat: unknown, did you mean optimizer.learning-rate?
        optimizer.learning-rate=-1| optimizer.learning-rate: expected a number from 0, got -1
        learning-rate=1| learning-rate: unknown, did you mean optimizer.learning-rate?
        optimizer.betas=[0.9, 1.0]| optimizer.betas: expected a list of 2 numbers from 0 to below 1, got 1.0
        optimizer.groups=[{match: layer.7.*}]| optimizer.groups: expected the name of a parameter, or a glob of some, got 'layer.7.*'; the parameters are token_embedding,
        optimizer.groups=[{match: '{'}]| optimizer.groups.0.match:
        optimizer.groups=[{match: '*', frozen: true}]| optimizer.groups:
        optimizer.groups=[{match: '*', frozen: true, weight-decay: 1}]| optimizer.groups.0.weight-decay: expected no such key
        schedule.warm-up=101| schedule.warm-up: expected an integer from 0 to 100, got 101
        task.name=dyck| task.name: expected one of TASKS, got 'dyck'
        task.settings.N=0| task.settings: N: expected an integer from 1 to 65536, got '0'
        task.settings.k=1| task.settings: k: expected one of the settings N,
        data.train=many| data.train: expected an integer from 1 or online, got 'many'
        data.distinct=true| data.distinct: expected false where examples are drawn online, got true
        evaluation.deeper=3| evaluation.deeper: expected no such key, since it has no effect here, got 3
        threads=0| threads: expected an integer from 1 to 1024, got 0
        steps=0| steps: expected an integer from 1, got 0
        model.output.kind=regression| model.output.kind: expected next-token for the tokens of the task dyck-words, got regression
        initialization.positions=one-hot| initialization: width: expected at least 32
        initialization.standard-deviation=0| initialization.standard-deviation: expected a number above 0, got 0
        stop.loss=0| stop.loss: expected a number above 0 or none, got 0
        """)
    void whatIsNotLegalIsRefusedInOneLine(String override, String problem) {
        assertThatThrownBy(() -> TrainingRun.of(read(MINIMUM, override)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith("command line: " + problem.replace("TASKS", String.join(", ", Tasks.CATALOGUE.names())))
                .doesNotContain("\n");
    }

    @Test
    void aSectionInPlaceOfAValueIsRefusedWithItsPlaceOnce() {
        assertThatThrownBy(() -> TrainingRun.of(read("steps: 1\nmodel: {width: 8, layers: 1}\ntask: {name: {y: 1}}")))
                .hasMessage(directory.resolve("x.yaml") + ": line 3: task.name: expected a task that lemmata tasks"
                        + " lists, got a section with the key y");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        task: {name: dyck-words}; data: {validation: 0}; stop: {patience: 3} | stop.patience: expected none without validation
        task: {name: dyck-words}; evaluation: {every: 0}; stop: {patience: 3} | stop.patience: expected none with evaluation.every = 0, got 3
        task: {name: dyck-words}; schedule: {kind: step} | schedule.every: expected an integer from 1, got nothing
        task: {name: dyck-words, file: x} | task.name: expected none with a file, which names its task, got one
        task: {name: dyck-words, settings: {N: 3}}; data: {train: 6, distinct: true} | data.train: expected at most 5 distinct words together with the 1024 held out, got 6
        seed: 1 | task.name: expected a task that lemmata tasks lists, got nothing
        task: {name: dyck-words}; model.normalization: {placement: inner}; model.feed-forward: {hidden: 0} | model.normalization.placement: expected a feed-forward part for inner
        task: {name: dyck-words}; model.normalization: {placement: post, of-final: false} | model.normalization.of-final: expected no such key, since it has no effect here, got false
        task: {name: dyck-words}; model.positions: {kind: periodic} | model.positions.period: expected an integer from 1 to 16777216, got nothing
        task: {name: dyck-words}; model.attention: {heads: 3, head-width: 2, output-projection: false} | model: outputProjection: expected one where
        task: {name: dyck-words}; model.output: {tied: true}; initialization: {kind: mu-p} | initialization: tied: expected an unembedding of its own for muP, got tied
        """)
    void valuesThatDoNotGoTogetherAreRefused(String yaml, String problem) {
        String whole = "steps: 100\nmodel: {width: 8, layers: 1}\n" + yaml.replace("; ", "\n");
        assertThatThrownBy(() -> TrainingRun.of(read(whole)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(directory.resolve("x.yaml") + ": ")
                .contains(problem)
                .doesNotContain("\n");
    }

    /** Configurations that together have every key. */
    private static final List<String> CONFIGURATIONS = List.of("""
        steps: 4
        task: {name: dyck-words, settings: {N: 2}}
        model: {width: 4, layers: 1, positions: {kind: periodic, period: 2},
          attention: {weighting: thresholded, threshold-bits: 8}}
        optimizer: {kind: sgd, momentum: 0.5,
          groups: [{match: "*", learning-rate: 1, weight-decay: 0.1, frozen: false}]}
        schedule: {kind: step, every: 2}
        initialization: {tokens: signs, values: identity}
        data: {train: 1, distinct: true, validation: 0, test: 0}
        evaluation: {completions: 1, completion-lengths: [2], deeper: 2, unseen: true, distinct: true,
          decoding: sampled, also-sampled: true, trials: 3, spectrum: 1, position-clusters: 2, contexts: {deep: "(("}}
        precision: {format: bfloat16, sums: true, mode: Stochastic, seed: 3, sites: {scores: binary16}}
        """, """
        steps: 4
        task: {name: dyck-words, settings: {N: 2}}
        model: {width: 4, layers: 1}
        schedule: {kind: cosine}
        initialization: {kind: mu-p}
        """, """
        steps: 4
        task: {name: boolean-expressions, settings: {variables: 1, k: 1, q: 1, window: 16}}
        model: {width: 4, layers: 1}
        evaluation: {questions: 1, question-depths: [0, 1], answer-loss: true}
        """, """
        steps: 4
        task: {name: mod-p-task}
        model: {width: 4, layers: 1, positions: {kind: none}, attention: {identities: true, identity-multiplier: 1},
          normalization: {of-final: false}, output: {kind: regression}}
        evaluation: {lengths: [20], tolerance: 0.1, attention: 30, sequences: 2}
        """, """
        epochs: 4
        task: {name: mod-p-task, settings: {minLength: 16}}
        data: {train: 8}
        model: {kind: mlp, incidence: true, width: 4, layers: 1, output: {kind: regression}}
        evaluation: {accuracy: true, last: true, by-length: true}
        """, """
        steps: 4
        task: {name: dyck-generation, settings: {maxLength: 4}}
        model: {width: 4, layers: 1, positions: {kind: none}}
        evaluation: {law-lengths: [4, 6], sequences: 2}
        """, """
        steps: 4
        task: {file: DATA}
        model: {width: 4, layers: 1}
        """, """
        steps: 4
        task: {text: DATA/text, length: 1, own-vocabulary: true, vocabulary: gpt2,
          sha256: af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc}
        data: {validation: 0, test: 1}
        model: {width: 4, layers: 1}
        evaluation: {text-lengths: [1]}
        """, """
        steps: 4
        task: {name: dyck-words, settings: {N: 2}}
        initialization: {from: DATA}
        """);

    private static final String MANIFEST = """
        {"task": "dyck-words", "settings": {"N": "1"}, "format": "tok", "vocabulary": ["(", ")"],
          "splits": {"train": {"file": "train.tok", "examples": 3}}}
        """;

    private static void append(List<String> rows, String prefix, Section section) {
        for (Setting key : section.keys()) {
            String fallback = key.fallback().isEmpty() ? "" : "`" + key.fallback() + "` ";
            rows.add("| `" + prefix + key.name() + "` | " + fallback + "| " + key.meaning() + " |");
        }
        section.sections().forEach(below -> append(rows, prefix + below.prefix(), below));
    }

    @Test
    void theDocumentationListsEveryKeyWithItsDefaultAndItsMeaning() throws IOException {
        List<String> declared = new ArrayList<>();
        append(declared, "", TrainingSections.TRAINING);
        List<String> lines = Files.readAllLines(Path.of("docs/notes/training-keys.md"));
        assertThat(lines.stream().filter(line -> line.startsWith("| `"))).containsExactlyElementsOf(declared);
    }

    @Test
    void theReaderReadsEveryKeyAndNoOther() throws IOException {
        Files.writeString(directory.resolve("manifest.json"), MANIFEST);
        Files.writeString(directory.resolve("train.tok"), "( )\n( )\n( )\n");
        Path text = Files.createDirectories(directory.resolve("text"));
        Files.writeString(
                text.resolve("manifest.json"),
                "{\"vocabulary\": \"gpt2\", \"splits\": {\"train\": {\"tokens\": 2}, \"test\": {\"tokens\": 2}}}");
        Files.write(text.resolve("train.bin"), new byte[4]);
        Files.write(text.resolve("test.bin"), new byte[4]);
        Weights.write(
                directory.resolve("weights.safetensors"),
                Parameters.normal(Architecture.gpt2(2, 4, 4, 1, 1, 4, 0), 1, new Random(1)));
        var read = new TreeSet<String>();
        for (String yaml : CONFIGURATIONS) {
            Path file = Files.writeString(directory.resolve("x.yaml"), yaml.replace("DATA", directory.toString()));
            Configuration root = Configuration.read(file, List.of(), TrainingSections.TRAINING);
            TrainingRun.of(root).close();
            root.effective()
                    .keySet()
                    .forEach(path ->
                            read.add(path.replaceAll("(betas|question-depths|completion-lengths|lengths)\\.[01]", "$1")
                                    .replaceAll("groups\\.0", "groups.*")
                                    .replaceAll("sites\\.[a-z-]+", "sites.*")
                                    .replaceAll("contexts\\.[a-z]+", "contexts.*")
                                    .replaceAll("settings\\..*", "settings.*")));
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(TrainingSections.TRAINING.paths());
    }
}

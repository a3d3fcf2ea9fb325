package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.model.Architecture;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Weights;
import org.lemmata.setting.Setting;

/** The declared, the read and the documented keys are the same. */
class TrainingSectionsTest {

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

    @TempDir
    private Path directory;

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

package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.cli.SavedModelTest.answer;
import static org.lemmata.cli.SavedModelTest.numbers;

import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.file.Gpt2Weights;
import org.lemmata.model.file.SafeTensorsWriter;
import org.lemmata.model.file.TensorContent;
import org.lemmata.model.file.WideWeights;
import org.lemmata.token.Batch;

/** {@code complete} and {@code logits} with weights that no run of Lemmata trained. */
class OtherWeightsTest {

    @TempDir
    private Path directory;

    /** Tensor names, config.json and token ids are those of Hugging Face. */
    @Test
    void theGpt2OfOthersIsRead() throws IOException {
        var random = new Random(3);
        List<TensorContent> tensors = new ArrayList<>();
        add(tensors, random, "wte.weight", 11, 12);
        add(tensors, random, "wpe.weight", 9, 12);
        for (String norm : List.of("h.0.ln_1", "h.0.ln_2", "ln_f")) {
            add(tensors, random, norm + ".weight", 12);
            add(tensors, random, norm + ".bias", 12);
        }
        Map<String, int[]> maps = Map.of(
                "h.0.attn.c_attn", new int[] {12, 36},
                "h.0.attn.c_proj", new int[] {12, 12},
                "h.0.mlp.c_fc", new int[] {12, 20},
                "h.0.mlp.c_proj", new int[] {20, 12});
        maps.forEach((name, shape) -> {
            add(tensors, random, name + ".weight", shape[0], shape[1]);
            add(tensors, random, name + ".bias", shape[1]);
        });
        Path file = directory.resolve("model.safetensors");
        SafeTensorsWriter.write(file, Map.of("format", "pt"), tensors);
        Path config = Files.writeString(directory.resolve("config.json"), "{\"n_head\": 3}");
        int[] ids = {3, 10, 0};
        double[] expected = new Transformer(Gpt2Weights.read(file), Kernels.best()).lastLogits(Batch.of(List.of(ids)));
        assertThat(numbers(answer("3 10 0", "logits", directory.toString()).get("logits")))
                .containsExactly(expected);
        String completion = answer("3 10 0", "complete", directory.toString())
                .get("completion")
                .textValue();
        assertThat(completion).matches("3 10 0( \\d+){6}");
        String next = completion.split(" ", -1)[3];
        for (String end : List.of(next, "[" + next + "]", "[999, " + next + "]")) {
            Files.writeString(config, "{\"n_head\": 3, \"eos_token_id\": " + end + "}");
            assertThat(answer("3 10 0", "complete", file.toString())
                            .get("completion")
                            .textValue())
                    .isEqualTo("3 10 0 " + next);
        }
        assertThat(CommandLineRun.withInput("3 11\n", "complete", file.toString())
                        .out())
                .isEqualTo("{\"input\":\"3 11\",\"error\":\"token: expected an id from 0 to 10, got '11'\"}\n");
        Files.move(file, directory.resolve("renamed"), StandardCopyOption.REPLACE_EXISTING);
        CommandLineRun.of("complete", directory.toString())
                .refused(directory
                        + ": expected weights.safetensors, or model.safetensors, in this directory, got neither");
    }

    private static void add(List<TensorContent> tensors, Random random, String name, long... shape) {
        long size = 1;
        for (long extent : shape) {
            size *= extent;
        }
        float[] values = new float[(int) size];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (0.5 * random.nextGaussian());
        }
        tensors.add(new TensorContent("transformer." + name, LongList.of(shape), values, 0));
    }

    /** Binary32 cannot represent 1 + 2^-40, so the model runs in binary64. */
    @Test
    void weightsThatTakeMoreBitsRunInBinary64() throws IOException {
        var parameters = new ExactParameters(Architecture.uniformHead(2, 4, 2, false));
        for (int i = 0; i < parameters.values().length; i++) {
            parameters.values()[i] = i % 3 == 0 ? 1 + 0x1p-40 : i;
        }
        Path file = directory.resolve("wide.safetensors");
        WideWeights.write(file, parameters);
        double[] exact = new ReferenceTransformer(parameters).lastLogits(Batch.of(List.of(new int[] {0, 1})));
        assertThat(numbers(answer("0 1", "logits", file.toString()).get("logits")))
                .containsExactly(exact);
        assertThat(numbers(answer("0 1", "logits", file.toString(), "--format", "binary32")
                        .get("logits")))
                .isNotEqualTo(exact);
    }
}

package org.lemmata.bits;

import static org.lemmata.model.GradientCase.SEED;
import static org.lemmata.model.GradientCase.STEP;
import static org.lemmata.model.GradientCase.batch;
import static org.lemmata.model.GradientCase.fewRows;
import static org.lemmata.model.GradientCase.lastBatch;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Decoding;
import org.lemmata.model.FixedWeights;
import org.lemmata.model.Generation;
import org.lemmata.model.IncrementalForward;
import org.lemmata.model.Initialization;
import org.lemmata.model.ModelCase;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.MultilayerPerceptronOptions;
import org.lemmata.model.Objective;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.Parameters;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.Rounding.Mode;
import org.lemmata.number.TensorRounding;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/** Bits of models: outputs, losses, gradients, steps with a cache, rounded and binary64 models, initial parameters. */
class ModelBitsTest {

    @Test
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("model", recording -> {
            for (ModelCase model : ModelCase.alone().toList()) {
                all(recording, model.name(), List.of(model));
                rounded(recording, model.name(), List.of(model));
            }
            List<ModelCase> drawn = ModelCase.drawn(60).toList();
            for (int from = 0; from < drawn.size(); from += 10) {
                all(recording, "drawn from seed " + from + " on", drawn.subList(from, from + 10));
            }
            rounded(recording, "drawn from seed 0 on", drawn.subList(0, 10));
            List<ModelCase> small = ModelCase.small(200).toList();
            for (int from = 0; from < small.size(); from += 50) {
                List<ModelCase> some = small.subList(from, from + 50);
                recording.each("small from seed " + from + " on, gradients", (kernels, bits) -> {
                    for (ModelCase model : some) {
                        gradients(new Backpropagation(model.parameters(), kernels), bits, batch(model, 4, 0, 1, 7));
                    }
                });
            }
            wide(recording);
            generation(recording);
            perceptrons(recording);
            beginnings(recording);
        });
    }

    private static void all(Recording recording, String name, List<ModelCase> models) throws IOException {
        recording.each(name + ", outputs", (kernels, bits) -> {
            for (ModelCase model : models) {
                var transformer = new Transformer(model.parameters(), kernels);
                bits.add(transformer.forward(Batch.of(model.sequences())));
                bits.add(transformer.lastLogits(Batch.of(model.sequences().stream()
                        .filter(sequence -> sequence.length > 0)
                        .toList())));
            }
        });
        recording.each(name + ", gradients", (kernels, bits) -> {
            for (ModelCase model : models) {
                var objective = new Backpropagation(model.parameters(), kernels);
                for (Batch batch : batches(model)) {
                    gradients(objective, bits, batch);
                }
            }
        });
        List<ModelCase> exact = models.stream()
                .filter(model -> IncrementalForward.isExact(new Transformer(model.parameters(), Kernels.scalar())))
                .toList();
        if (!exact.isEmpty()) {
            recording.each(name + ", with a cache", (kernels, bits) -> {
                for (ModelCase model : exact) {
                    steps(new Transformer(model.parameters(), kernels), bits, model);
                }
            });
        }
        recording.scalar(name + ", in binary64", (kernels, bits) -> {
            for (ModelCase model : models) {
                bits.add(new ReferenceTransformer(model.parameters().widen()).logits(Batch.of(model.sequences())));
            }
        });
    }

    private static void rounded(Recording recording, String name, List<ModelCase> models) throws IOException {
        for (Map.Entry<String, PrecisionPolicy> policy : policies().entrySet()) {
            recording.lanes(name + ", " + policy.getKey(), (kernels, bits) -> {
                for (ModelCase model : models) {
                    Batch batch = batch(model, 4, 0, 1, 7);
                    bits.add(new Transformer(model.parameters(), policy.getValue(), kernels).forward(batch));
                    gradients(new Backpropagation(model.parameters(), policy.getValue(), kernels), bits, batch);
                }
            });
        }
    }

    private static Map<String, PrecisionPolicy> policies() {
        Rounding bfloat16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        Rounding stochastic = new Rounding(FloatFormat.BINARY16, Mode.STOCHASTIC, true, false);
        TensorRounding blocks = TensorRounding.parse("mxfp8_e4m3", Mode.TIES_TO_EVEN, true, false);
        Map<String, PrecisionPolicy> policies = new LinkedHashMap<>();
        policies.put("tensors in bfloat16", with(PrecisionPolicy.tensors(bfloat16), bfloat16));
        policies.put("tensors in blocks", with(PrecisionPolicy.tensors(blocks), blocks));
        policies.put("all in bfloat16", with(PrecisionPolicy.everything(bfloat16), bfloat16));
        policies.put("all in binary16 at random", with(PrecisionPolicy.everything(stochastic), stochastic));
        return policies;
    }

    /** The policy with rounded gradients. */
    private static PrecisionPolicy with(PrecisionPolicy policy, TensorRounding rounding) {
        return policy.with(PrecisionSite.GRADIENTS, rounding);
    }

    private static void gradients(Objective objective, Bits bits, Batch batch) {
        float[] gradients = new float[objective.parameters().length];
        bits.add(objective.loss(batch));
        bits.add(objective.gradient(gradients, batch, 1.0 / Math.max(1, batch.scoredRows().length), SEED, STEP));
        bits.add(gradients);
    }

    /** Batches with many scored rows, with few, and with only last rows, for which models run different code. */
    private static List<Batch> batches(ModelCase model) {
        return List.of(batch(model, 4, 0, 1, 7, 23), fewRows(model), lastBatch(model, 9, 3, 1));
    }

    /** Appends prefixes, then tokens until the longest sequence is complete, then one sequence again from token 3. */
    private static void steps(Transformer transformer, Bits bits, ModelCase model) {
        var random = new Random(model.seed());
        int capacity = model.architecture().maxLength();
        int[] numbers = {2, 0, 1};
        int[] lengths = {1, 7, capacity - 2};
        var forward = new IncrementalForward(transformer, numbers.length, capacity);
        bits.add(forward.appendPrefixes(
                numbers,
                IntStream.of(lengths)
                        .mapToObj(length -> model.sequence(length, random))
                        .toList()));
        for (int more = 0; more < 2; more++) {
            bits.add(forward.append(numbers, model.sequence(numbers.length, random)));
        }
        forward.truncate(1, 2);
        bits.add(forward.append(new int[] {1}, model.sequence(1, random)));
    }

    /** Models and batches with enough work for two threads. */
    private static void wide(Recording recording) throws IOException {
        Architecture gpt2 = Architecture.gpt2(50, ModelCase.MAX_LENGTH, 64, 2, 4, 256, 0.2);
        AttentionOptions options = AttentionOptions.softmax(4, 16)
                .withScores(0.25f, LogLength.SEEN, 7)
                .withIdentities(true);
        List<ModelCase> models = List.of(
                new ModelCase("wide", 1, gpt2),
                new ModelCase("wide with several options", 2, gpt2.withAttention(options)));
        int[] lengths = new int[48];
        Arrays.setAll(lengths, i -> 1 + 7 * i % ModelCase.MAX_LENGTH);
        for (ModelCase model : models) {
            recording.each(model.name() + ", gradients", (kernels, bits) -> {
                gradients(new Backpropagation(model.parameters(), kernels), bits, batch(model, lengths));
                ModelCase whole = new ModelCase(
                        model.name(), model.seed(), model.architecture().withDropout(0));
                gradients(new Backpropagation(whole.parameters(), kernels), bits, lastBatch(whole, lengths));
            });
        }
        var decoder = new ModelCase("wide", 3, Architecture.gpt2(5, 300, 96, 2, 3, 200, 0));
        recording.each(
                "wide, with a cache",
                (kernels, bits) -> steps(new Transformer(decoder.parameters(), kernels), bits, decoder));
    }

    private static void generation(Recording recording) throws IOException {
        var model = new ModelCase("GPT-2", 5, Architecture.gpt2(7, 40, 12, 2, 3, 21, 0));
        List<int[]> prefixes = IntStream.of(1, 5, 17, 2)
                .mapToObj(length -> model.sequence(length, new Random(length)))
                .toList();
        recording.each("generation", (kernels, bits) -> {
            var transformer = new Transformer(model.parameters(), kernels);
            List<Decoding> decodings = List.of(
                    new Decoding.Greedy(),
                    new Decoding.Sampling(new SplittableRandom(1)),
                    new Decoding.Sampling(new SplittableRandom(2), 0.7, 3));
            for (Decoding decoding : decodings) {
                for (Generation generation : Generation.complete(transformer, prefixes, 40, decoding)) {
                    bits.add(generation.tokens());
                    generation.logits().forEach(bits::add);
                }
            }
        });
    }

    private static void perceptrons(Recording recording) throws IOException {
        for (Activation.Kind activation : Activation.Kind.values()) {
            recording.each("perceptron " + activation, (kernels, bits) -> {
                for (int layers = 1; layers <= 3; layers++) {
                    perceptron(kernels, bits, new MultilayerPerceptronOptions(5, 3, 7, layers, activation));
                }
                perceptron(kernels, bits, new MultilayerPerceptronOptions(2, 6, 33, 2, activation));
            });
        }
    }

    private static void perceptron(Kernels kernels, Bits bits, MultilayerPerceptronOptions options) {
        var random = new SplittableRandom(SEED);
        var perceptron = new MultilayerPerceptron(options, options.draw(random), kernels);
        Batch batch = Batch.ofExamples(IntStream.range(0, 9)
                .mapToObj(i -> {
                    int[] ids = IntStream.range(0, options.length())
                            .map(t -> random.nextInt(options.vocabularySize()))
                            .toArray();
                    return i == 1 ? new Example(ids, new int[0], new int[0]) : Example.regression(ids, i / 9f);
                })
                .toList());
        bits.add(perceptron.outputs(batch));
        gradients(perceptron, bits, batch);
    }

    /** Initial parameters, and their learning rates. */
    private static void beginnings(Recording recording) throws IOException {
        Architecture gpt2 = Architecture.gpt2(2, 16, 16, 2, 1, 24, 0).withOutput(OutputOptions.nextToken(false));
        Map<String, Initialization> laws = new LinkedHashMap<>();
        laws.put("GPT-2", new Initialization.Gpt2());
        laws.put("mean field", new Initialization.MeanField());
        laws.put("uniform fan-in", new Initialization.UniformFanIn());
        laws.put("muP", new Initialization.MaximalUpdate(false));
        laws.put("muP with a readout of 0", new Initialization.MaximalUpdate(true));
        for (Map.Entry<String, Initialization> law : laws.entrySet()) {
            recording.scalar("beginning by " + law.getKey(), (kernels, bits) -> {
                bits.add(law.getValue().draw(gpt2, random()).values());
                gpt2.layout().forEach(view -> bits.add(law.getValue().adamRateFactor(gpt2, view)));
            });
        }
        for (FixedWeights weights : FixedWeights.values()) {
            String kind = weights.compareTo(FixedWeights.ONE_HOT) <= 0 ? "positions " : "fixed ";
            recording.scalar(kind + weights, (kernels, bits) -> {
                Parameters parameters = Parameters.normal(gpt2, 1, random());
                weights.writeInto(parameters);
                bits.add(parameters.values());
            });
        }
    }

    private static RandomGenerator random() {
        return new SplittableRandom(SEED);
    }
}

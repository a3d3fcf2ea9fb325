package org.lemmata.train.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.Torch;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.ParameterView;
import org.lemmata.token.Batch;
import org.lemmata.train.TrainingProblem;

/**
 * A training step by PyTorch: fused causal attention, one product for queries, keys and values, cross-entropy from
 * logits, automatic differentiation, and the fused AdamW that its Python users have, called through TorchScript.
 */
final class TorchDecoder implements Contender {

    private static final double NO_DROPOUT = 0;
    private static final boolean CAUSAL = true;

    /** The tensors of a layer. Matrices are outputs x inputs, as {@code linear} expects. */
    private record Layer(
            Tensor attentionGain,
            Tensor attentionShift,
            Tensor queryKeyValue,
            Tensor queryKeyValueBias,
            Tensor output,
            Tensor outputBias,
            Tensor feedForwardGain,
            Tensor feedForwardShift,
            Tensor first,
            Tensor firstBias,
            Tensor second,
            Tensor secondBias) {}

    private final TrainingProblem problem;
    private final Architecture architecture;
    private final FeedForwardOptions feedForward;
    private final Products products;
    private final boolean binary64;
    private final List<Tensor> parameters = new ArrayList<>();
    private final Tensor ids;
    private final Tensor targets;
    private final Tensor tokenEmbedding;
    private final Tensor positionEmbedding;
    private final List<Layer> layers = new ArrayList<>();
    private final Tensor finalGain;
    private final Tensor finalShift;

    /** A field, so that the unit is not garbage-collected: it owns the functions. */
    private final CompilationUnit compiled;

    private final QualifiedName stepName = new QualifiedName("step");
    private final IValueVector stepArguments;
    private final GenericList gradientList;

    /**
     * @param products the loaded library of products
     * @param binary64 whether all tensors are in binary64
     */
    TorchDecoder(TrainingProblem problem, Products products, boolean binary64) {
        this.problem = problem;
        architecture = problem.architecture();
        feedForward = Objects.requireNonNull(architecture.feedForward());
        this.products = products;
        this.binary64 = binary64;
        Batch batch = problem.batches().getFirst();
        ids = tokenTensor(batch.ids()).view(problem.sequences(), architecture.maxLength());
        targets = tokenTensor(batch.targets());
        Map<String, Tensor> initial = new HashMap<>();
        for (ParameterView parameter : architecture.layout()) {
            initial.put(parameter.name(), tensor(parameter));
        }
        tokenEmbedding = leaf(initial, "token_embedding");
        positionEmbedding = leaf(initial, "position_embedding");
        for (int layer = 0; layer < architecture.layers(); layer++) {
            String prefix = "layer." + layer + ".";
            layers.add(new Layer(
                    leaf(initial, prefix + "attention_norm.gain"),
                    leaf(initial, prefix + "attention_norm.shift"),
                    leaf(initial, prefix + "query", prefix + "key", prefix + "value"),
                    leaf(initial, prefix + "query_bias", prefix + "key_bias", prefix + "value_bias"),
                    leaf(initial, prefix + "output"),
                    leaf(initial, prefix + "output_bias"),
                    leaf(initial, prefix + "feed_forward_norm.gain"),
                    leaf(initial, prefix + "feed_forward_norm.shift"),
                    leaf(initial, prefix + "first"),
                    leaf(initial, prefix + "first_bias"),
                    leaf(initial, prefix + "second"),
                    leaf(initial, prefix + "second_bias")));
        }
        finalGain = leaf(initial, "final_norm.gain");
        finalShift = leaf(initial, "final_norm.shift");

        compiled = torch.compile(script((AdamW) problem.rule()));
        IValue gradients = list(compiled, parameters);
        gradientList = gradients.toList();
        stepArguments = new IValueVector(
                list(compiled, parameters),
                gradients,
                list(compiled, parameters.stream().map(torch::zeros_like).toList()),
                list(compiled, parameters.stream().map(torch::zeros_like).toList()),
                list(
                        compiled,
                        parameters.stream()
                                .map(_ -> Torch.tensor(new float[1], 1).squeeze())
                                .toList()));
    }

    private static String script(AdamW rule) {
        return """
            def append(all: List[Tensor], x: Tensor):
                all.append(x)

            def list_of(x: Tensor) -> List[Tensor]:
                return [x]

            def step(p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], t: List[Tensor]):
                torch._foreach_add_(t, 1)
                torch._fused_adamw_(p, g, m, v, [], t, lr=%s, beta1=%s, beta2=%s, weight_decay=%s, eps=%s,
                        amsgrad=False, maximize=False)
            """.formatted(rule.learningRate(), rule.beta1(), rule.beta2(), rule.weightDecay(), rule.epsilon());
    }

    private static Tensor tokenTensor(int[] tokens) {
        return Tensor.create(Arrays.stream(tokens).asLongStream().toArray(), tokens.length);
    }

    private Tensor tensor(ParameterView parameter) {
        float[] values = problem.initial(parameter);
        Tensor tensor = parameter.vector()
                ? Torch.tensor(values, parameter.columns())
                : Torch.tensor(values, parameter.rows(), parameter.columns());
        boolean transposed = !parameter.vector() && !parameter.name().endsWith("embedding");
        Tensor oriented = transposed ? tensor.t().contiguous() : tensor;
        return binary64 ? oriented.to(torch.ScalarType.Double) : oriented;
    }

    /** A trained tensor: the concatenation of the tensors with the given names. */
    private Tensor leaf(Map<String, Tensor> initial, String... names) {
        TensorVector parts = new TensorVector();
        for (String name : names) {
            parts.push_back(initial.get(name));
        }
        Tensor leaf = torch.cat(parts, 0).requires_grad_(true);
        parameters.add(leaf);
        return leaf;
    }

    /**
     * A TorchScript list. It is created outside the step, because writes through a list that the step creates are
     * dropped as dead code.
     */
    private static IValue list(CompilationUnit compiled, List<Tensor> tensors) {
        Function append = compiled.get_function(new QualifiedName("append"));
        Function listOf = compiled.get_function(new QualifiedName("list_of"));
        IValue list = listOf.apply(new IValueVector(new IValue(tensors.getFirst())));
        for (Tensor tensor : tensors.subList(1, tensors.size())) {
            append.apply(new IValueVector(list, new IValue(tensor)));
        }
        return list;
    }

    private Tensor normalize(Tensor x, Tensor gain, Tensor shift) {
        return torch.layer_norm(
                x,
                new long[] {gain.size(0)},
                new TensorOptional(gain),
                new TensorOptional(shift),
                architecture.normalization().epsilon(),
                true);
    }

    private static Tensor linear(Tensor x, Tensor matrix, Tensor bias) {
        return torch.linear(x, matrix, new TensorOptional(bias));
    }

    /** The output of attention, batch x length x width. */
    private Tensor attend(Tensor x, Layer layer) {
        Tensor all = linear(x, layer.queryKeyValue, layer.queryKeyValueBias);
        TensorVector parts = all.split(architecture.width(), 2);
        Tensor queries = heads(parts.get(0));
        Tensor keys = heads(parts.get(1));
        Tensor values = heads(parts.get(2));
        products.beginAttention();
        Tensor outputs = torch.scaled_dot_product_attention(
                queries, keys, values, new TensorOptional(), NO_DROPOUT, CAUSAL, new DoubleOptional(), false);
        products.endAttention();
        products.markBackward(outputs, all);
        Tensor joined = outputs.transpose(1, 2)
                .contiguous()
                .view(problem.sequences(), architecture.maxLength(), architecture.width());
        return linear(joined, layer.output, layer.outputBias);
    }

    /** A view of x as batch x heads x length x head width. */
    private Tensor heads(Tensor x) {
        AttentionOptions options = architecture.attention();
        return x.view(problem.sequences(), architecture.maxLength(), options.heads(), options.headWidth())
                .transpose(1, 2);
    }

    private Tensor feedForward(Tensor x, Layer layer) {
        Tensor hidden = linear(x, layer.first, layer.firstBias);
        Tensor active = feedForward.activation() == Activation.Kind.RELU ? torch.relu(hidden) : torch.gelu(hidden);
        return linear(active, layer.second, layer.secondBias);
    }

    private Tensor loss() {
        Tensor x = torch.embedding(tokenEmbedding, ids).add(positionEmbedding);
        for (Layer layer : layers) {
            x = x.add(attend(normalize(x, layer.attentionGain, layer.attentionShift), layer));
            x = x.add(feedForward(normalize(x, layer.feedForwardGain, layer.feedForwardShift), layer));
        }
        Tensor logits = torch.linear(normalize(x, finalGain, finalShift), tokenEmbedding);
        return torch.cross_entropy_loss(logits.view(-1, architecture.vocabularySize()), targets);
    }

    /** Runs a step; returns the loss before the step. */
    double step() {
        try (PointerScope _ = new PointerScope()) {
            Tensor loss = loss();
            TensorVector gradients = torch.grad(
                    new TensorVector(loss),
                    new TensorVector(parameters.toArray(Tensor[]::new)),
                    new TensorVector(),
                    new BoolOptional(),
                    false,
                    false);
            for (int i = 0; i < parameters.size(); i++) {
                gradientList.set(i, new IValue(gradients.get(i)));
            }
            try (NoGradGuard _ = new NoGradGuard()) {
                compiled.get_function(stepName).apply(stepArguments);
            }
            return loss.item_double();
        }
    }

    @Override
    public void run() {
        double _ = step();
    }

    @Override
    public List<float[]> results() {
        return List.of(new float[] {(float) step(), (float) step(), (float) step()});
    }

    @Override
    public String description() {
        return Torch.description(products.description());
    }
}

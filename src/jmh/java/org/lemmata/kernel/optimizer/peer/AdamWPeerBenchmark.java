package org.lemmata.kernel.optimizer.peer;

import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.benchmark.peer.Torch;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.optimizer.VectorOptimizerStep;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A step of AdamW compared with PyTorch, in steps per second. Read {@code gigabytes}: parameters and both moments are
 * read and written; gradients are read.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=AdamWPeer}; other numbers of parameters: add
 * {@code -Djmh.args="-p parameters=100000"}. {@code pytorch} is the optimizer of PyTorch's C++ library, an unfused
 * chain of elementwise operations. {@code pytorch-fused} is the fused step that is available in Python, called through
 * TorchScript. {@code maxErrorUlps} is the error of the first step, in units of 2^-23 of the parameter or of the
 * learning rate, whichever is greater.
 */
public class AdamWPeerBenchmark extends PeerBenchmark {

    private static final AdamW RULE = new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01);
    private static final double MAX_ULPS = 8;

    /**
     * A TorchScript function. It takes lists as arguments, because writes through a list that the script creates are
     * dropped as dead code.
     */
    private static final String FUSED_STEP =
            """
            def list_of(x: Tensor) -> List[Tensor]:
                return [x]

            def step(p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], t: List[Tensor]):
                t[0].add_(1)
                torch._fused_adamw_(p, g, m, v, [], t, lr=%s, beta1=%s, beta2=%s, weight_decay=%s, eps=%s,
                        amsgrad=False, maximize=False)
            """.formatted(RULE.learningRate(), RULE.beta1(), RULE.beta2(), RULE.weightDecay(), RULE.epsilon());

    @Param({"lemmata", "pytorch", "pytorch-fused"})
    public String library = "";

    @Param("10000000")
    public int parameters;

    private float[] initial = {};
    private float[] gradients = {};
    private long steps;

    @Setup
    public void prepare() {
        initial = random(1, parameters, 1);
        gradients = random(2, parameters, 1);
        Contender contender = switch (library) {
            case "lemmata" -> lemmata();
            case "pytorch" -> unfused();
            case "pytorch-fused" -> fused();
            default -> throw unknownLibrary(library, "lemmata, pytorch or pytorch-fused");
        };
        start(contender, results -> checkedErrorUlps(results.getFirst()));
    }

    private Contender lemmata() {
        float[] stepped = initial.clone();
        float[] first = new float[parameters];
        float[] second = new float[parameters];
        return LemmataContender.contender(
                threads,
                workers -> {
                    OptimizerStep step = new VectorOptimizerStep(workers);
                    var coefficients = new Coefficients();
                    return () -> {
                        coefficients.set(RULE, 1, ++steps, 1);
                        step.step(stepped, first, second, gradients, coefficients, 0, parameters);
                    };
                },
                List.of(stepped));
    }

    private Contender unfused() {
        Torch.load(threads, false);
        Tensor stepped = Torch.tensor(initial, parameters).requires_grad_(true);
        stepped.mutable_grad().put(Torch.tensor(gradients, parameters));
        AdamWOptions options = new AdamWOptions(RULE.learningRate());
        options.betas().put(0, RULE.beta1());
        options.betas().put(1, RULE.beta2());
        options.eps().put(RULE.epsilon());
        options.weight_decay().put(RULE.weightDecay());
        org.bytedeco.pytorch.AdamW optimizer = new org.bytedeco.pytorch.AdamW(new TensorVector(stepped), options);
        return Torch.contender(false, () -> {
            optimizer.step();
            return List.of(stepped);
        });
    }

    private Contender fused() {
        Torch.load(threads, false);
        Tensor stepped = Torch.tensor(initial, parameters);
        float[] zeros = new float[parameters];
        CompilationUnit compiled = torch.compile(FUSED_STEP);
        Function listOf = compiled.get_function(new QualifiedName("list_of"));
        QualifiedName step = new QualifiedName("step");
        IValueVector arguments = new IValueVector(Stream.of(
                        stepped,
                        Torch.tensor(gradients, parameters),
                        Torch.tensor(zeros, parameters),
                        Torch.tensor(zeros, parameters),
                        Torch.tensor(new float[1], 1).squeeze())
                .map(tensor -> listOf.apply(new IValueVector(new IValue(tensor))))
                .toArray(IValue[]::new));
        return Torch.contender(false, () -> {
            try (NoGradGuard _ = new NoGradGuard()) {
                // The function is looked up in each call, so that the unit, which owns it, is not garbage-collected.
                compiled.get_function(step).apply(arguments);
            }
            return List.of(stepped);
        });
    }

    /** Checks the first step, in which the bias-corrected moments are the gradient and its square. */
    private double checkedErrorUlps(float[] stepped) {
        double maxUlps = 0;
        for (int i = 0; i < parameters; i += 61) {
            double direction = gradients[i] / (Math.abs(gradients[i]) + RULE.epsilon());
            double exact = initial[i] - RULE.learningRate() * (direction + RULE.weightDecay() * initial[i]);
            double unit = Math.max(Math.abs(initial[i]), RULE.learningRate()) * 0x1p-23;
            double ulps = Math.abs(stepped[i] - exact) / unit;
            if (!(ulps <= MAX_ULPS)) {
                throw new IllegalStateException(
                        library + ": parameter " + i + " is " + stepped[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    @Benchmark
    public Object step(Work work, MaxError error) {
        // Operations: 3 and 4 for the moments, 8 for the step.
        return run(work, error, 15.0 * parameters, 7.0 * Float.BYTES * parameters);
    }
}

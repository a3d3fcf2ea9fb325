package org.lemmata.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.file.Sha256;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.random.Streams;
import org.lemmata.setting.Setting;
import org.lemmata.setting.ValueType;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Trial;
import org.lemmata.sweep.TrialContext;

/**
 * Full-batch gradient descent of the one-layer parity transformer on a fixed set of samples. It starts at W = 0; each
 * epoch subtracts the learning rate times the gradient.
 *
 * <p>The measurements are: {@code loss}, the training loss at the end; {@code right}, the share of fresh inputs for
 * which the sign of the answer is right; and {@code predictionLoss.25}, {@code predictionLoss.50}, ..., half the mean
 * squared error of the answers to fresh inputs after 25, 50, ... epochs.
 *
 * <p>Source: Kim and Suzuki, the version of ICLR 2025, section 4 and appendix D. As in this source, losses over the
 * chain are divided by its k - 1 nodes.
 */
public final class ParityChainTrial implements Trial {

    enum Method {
        /** The loss of the final answers, at the end of the model's own chain. */
        DIRECT,
        /** The loss of all nodes of the model's own chain. */
        CHAIN,
        /** The loss of all nodes, each computed from the true values of earlier nodes. */
        TEACHER_FORCING,
        /**
         * As {@link #CHAIN}, but levels above an unlearned level are 0, and a tenth of the gradient of the final
         * answers' loss is added.
         */
        SELF_CONSISTENCY
    }

    private static final List<Setting> KEYS = Setting.table("""
        seed | 1 | random seed of the subset and the samples
        threads | 1 | number of threads; the results do not depend on it
        bits | 64 | d, the number of input bits
        size | 8 | k, the number of bits of the parity, a power of two
        samples | 100000 | n, the number of training inputs
        tests | 5000 | number of fresh test inputs
        method | teacher-forcing | training method: direct, chain, teacher-forcing or self-consistency
        learning-rate | | eta
        epochs | 800 | steps of gradient descent, each over all samples
        """);

    /**
     * A node counts as learned if one of its attention weights exceeds this value. In a trained node, each child has
     * about 1/2.
     */
    private static final double LEARNED = 0.4;

    /** The weight of the prediction loss's gradient in the method {@link Method#SELF_CONSISTENCY}. */
    private static final double PREDICTION_SHARE = 0.1;

    private static final int BETWEEN_TESTS = 25;

    private static final int HASH_DIGITS = 16;

    private static final ParityLink LINK = new ParityLink.PiecewiseQuadratic(2);

    private record Plan(long seed, int bits, int size, int samples, int tests, Method method, double rate, int epochs) {

        static Plan read(Configuration settings) {
            int bits = settings.integer("bits", 2, ParityTree.MAX_BITS);
            int size = settings.integer("size", 2, bits);
            settings.refuseWhen(Integer.bitCount(size) != 1, "size", "a power of two", size);
            return new Plan(
                    settings.seed("seed"),
                    bits,
                    size,
                    settings.integer("samples", 1, 10_000_000),
                    settings.integer("tests", 1, 10_000_000),
                    settings.choice("method", Method.class),
                    settings.get("learning-rate", ValueType.POSITIVE),
                    settings.integer("epochs", 1, 1_000_000));
        }

        /**
         * Level by level if the loss is over all nodes of the model's own chain, as in the source; otherwise token by
         * token.
         */
        ChainMask mask() {
            return method == Method.CHAIN || method == Method.SELF_CONSISTENCY
                    ? ChainMask.LEVEL_BY_LEVEL
                    : ChainMask.TOKEN_BY_TOKEN;
        }
    }

    @Override
    public String name() {
        return "parity-chain";
    }

    @Override
    public Section section() {
        return Section.of("", KEYS);
    }

    @Override
    public Set<String> free() {
        return Set.of("threads");
    }

    @Override
    public void check(Configuration settings) {
        Plan.read(settings);
    }

    /** Numbers are binary64, and their bits are the same on every machine. */
    @Override
    public String simd() {
        return "binary64";
    }

    /** Counts two additions and two multiplications per score, sample, epoch and gradient. */
    @Override
    public double cost(Configuration settings) {
        Plan plan = Plan.read(settings);
        double scores = (plan.size() - 1) * (plan.bits() + 0.5 * plan.size());
        int gradients = plan.method() == Method.SELF_CONSISTENCY ? 2 : 1;
        return 4 * scores * plan.samples() * plan.epochs() * gradients;
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) {
        Plan plan = Plan.read(settings);
        try (Workers workers = Workers.of(context.threads())) {
            return run(plan, workers, context);
        }
    }

    private static List<Measurement> run(Plan plan, Workers workers, TrialContext context) {
        RandomGenerator random = new PhiloxGenerator(plan.seed(), Streams.LAW, 0);
        ParityTree tree = ParityTree.random(plan.bits(), plan.size(), random);
        SignColumns signs = tree.complete(SignColumns.random(plan.bits(), plan.samples(), random));
        SignColumns fresh = tree.complete(SignColumns.random(plan.bits(), plan.tests(), random));
        var weights = new ChainWeights(tree, plan.mask());
        var tested = new ArrayList<Measurement>();
        for (int epoch = 1; epoch <= plan.epochs(); epoch++) {
            if (context.stop().getAsBoolean()) {
                throw new InterruptedTrialException();
            }
            double[] gradient = new double[weights.size()];
            double loss = gradient(plan.method(), weights, signs, workers, gradient);
            weights = weights.minus(gradient, level -> plan.rate());
            if (Long.bitCount(epoch) == 1) {
                String hash = Sha256.hex(Arrays.toString(weights.softmax()), HASH_DIGITS);
                context.steps().taken(epoch, loss, hash);
            }
            if (epoch % BETWEEN_TESTS == 0) {
                double[] none = new double[weights.size()];
                double answers = new ParityTransformer(weights, LINK, workers)
                        .gradient(fresh, answer(plan.method(), weights), none);
                tested.add(Measurement.exact("predictionLoss." + epoch, answers, "", plan.tests()));
            }
        }
        var model = new ParityTransformer(weights, LINK, workers);
        ParityTransformer.Errors errors = model.errors(fresh, filtered(plan.method(), weights));
        double loss = gradient(plan.method(), weights, signs, workers, new double[weights.size()]);
        tested.addFirst(Measurement.exact("loss", loss, "", plan.samples()));
        int right = Math.toIntExact(errors.samples() - errors.wrong());
        tested.addFirst(Measurement.share("right", plan.tests(), right));
        return tested;
    }

    private static boolean[] filtered(Method method, ChainWeights weights) {
        return method == Method.SELF_CONSISTENCY
                ? weights.unlearned(LEARNED)
                : new boolean[weights.tree().height() + 1];
    }

    /** The prediction loss: the loss of the final answers, at the end of the model's own chain. */
    private static ChainLoss answer(Method method, ChainWeights weights) {
        return new ChainLoss(false, true, filtered(method, weights));
    }

    private static double gradient(
            Method method, ChainWeights weights, SignColumns signs, Workers workers, double[] gradient) {
        var model = new ParityTransformer(weights, LINK, workers);
        if (method == Method.DIRECT) {
            return model.gradient(signs, answer(method, weights), gradient);
        }
        ChainLoss chain = method == Method.TEACHER_FORCING
                ? ChainLoss.teacherForcing(weights.tree())
                : ChainLoss.generated(filtered(method, weights));
        double loss = model.gradient(signs, chain, gradient);
        double[] ofAnswers = new double[gradient.length];
        if (method == Method.SELF_CONSISTENCY) {
            model.gradient(signs, answer(method, weights), ofAnswers);
        }
        int nodes = weights.tree().size() - 1;
        Arrays.setAll(gradient, i -> gradient[i] / nodes + PREDICTION_SHARE * ofAnswers[i]);
        return loss / nodes;
    }
}

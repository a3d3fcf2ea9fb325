package org.lemmata.construct.parity;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.parity.ParityTasks;

/** The chain of Kim and Suzuki (2024), which is learned in one or log2 k gradient steps. */
public final class ParityConstructions implements ConstructionProvider {

    private static final int MAX_SAMPLES = 1_000_000;

    private static final String METHODS = "teacher-forcing or self-consistency";

    @Override
    public List<Catalogue.Entry<ConstructionRun>> entries() {
        return List.of(new Catalogue.Entry<>(
                "parity-chain",
                "the parity of a subset of bits, learned by one step with teacher forcing or by log2 k without",
                new Source(Paper.PARITY, "theorems 5 and 7"),
                Setting.table(ParityTasks.TREE + """
                    samples | 20000 | n, the number of training samples, 1 to %s
                    seed | 1 | random seed of the samples
                    method | teacher-forcing | %s
                    lambda | | scale of the scores, about the score of a child; 20 with teacher forcing, 4 + 4 log2 d for k = d; else 12, 14 for k below d up to 16
                    """.formatted(MAX_SAMPLES, METHODS)),
                ParityConstructions::chain));
    }

    private static ConstructionRun chain(Settings settings) {
        ParityTree tree = ParityTasks.tree(settings);
        int samples = settings.requiredInteger("samples", 1, MAX_SAMPLES);
        long seed = settings.seed("seed");
        var link = new ParityLink.Polynomial();
        Optional<Double> lambda = settings.real("lambda");
        String method = settings.required("method", METHODS);
        int d = tree.bits();
        boolean forced = method.equals("teacher-forcing");
        Refuse.when(!forced && !method.equals("self-consistency"), "method", METHODS, Refuse.quoted(method));
        if (forced) {
            var step = new TeacherForcing(lambda.orElse(TeacherForcing.defaultLambda(d, tree.size())), link);
            return new ParityChainRun(
                    tree,
                    samples,
                    seed,
                    link,
                    (signs, random) -> step.learn(tree, signs, GradientOracle.exact(), Workers.caller()));
        }
        double score = lambda.orElse(SelfConsistency.defaultLambda(d, tree.size()));
        SelfConsistency steps = SelfConsistency.corrected(d, score, link);
        return new ParityChainRun(tree, samples, seed, link, (signs, random) -> {
            SignColumns augmented = SignColumns.random(d, SelfConsistency.augmented(d), random);
            return steps.learn(tree, signs, augmented, GradientOracle.exact(), Workers.caller());
        });
    }

    /**
     * Computes the chain of bits with weights learned from drawn samples. {@code target} is the true parity of the
     * relevant bits, 1 or -1; {@code answer} is the sign of the model's output, or 0; {@code prediction} is the output;
     * {@code chain} has all outputs after the bits, with the prediction at the end.
     *
     * @param samples n, the number of drawn samples
     * @param learning computes the weights from the columns of all nodes; it may draw further numbers from the same
     *     generator
     */
    private record ParityChainRun(
            ParityTree tree,
            int samples,
            long seed,
            ParityLink link,
            BiFunction<SignColumns, RandomGenerator, ChainWeights> learning)
            implements ConstructionRun {

        @Override
        public Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            SignColumns signs = tree.complete(SignColumns.random(tree.bits(), samples, random));
            var model = new ParityTransformer(learning.apply(signs, random), link, Workers.caller());
            return line -> answer(model, line);
        }

        private Map<String, Object> answer(ParityTransformer model, String line) {
            String bits = tree.bits() + " bits, 0 or 1 without blanks";
            Refuse.when(line.length() != tree.bits(), "input", bits, line.length() + " characters");
            var inputs = new SignColumns(tree.bits(), 1);
            for (int j = 0; j < tree.bits(); j++) {
                char bit = line.charAt(j);
                if (bit != '0' && bit != '1') {
                    Refuse.when(true, "input", "0 or 1 at position " + (j + 1), Refuse.quoted("" + bit));
                }
                inputs.set(j, 0, bit == '1');
            }
            double[] chain = model.chain(inputs, 0);
            double prediction = chain[chain.length - 1];
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("target", tree.complete(inputs).sign(tree.nodes() - 1, 0));
            answer.put("answer", (int) Math.signum(prediction));
            answer.put("prediction", prediction);
            answer.put("chain", Arrays.stream(chain).skip(tree.bits()).boxed().toList());
            return answer;
        }
    }
}

package org.lemmata.construct.parity;

import java.util.List;
import java.util.Optional;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.parity.ParityTasks;

/** The chain of Kim and Suzuki (2024), which is learned in closed form: by one gradient, or log2 k. */
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
                    samples | 20000 | n that are learned from, 1 to %s
                    seed | 1 | of the samples
                    method | teacher-forcing | %s
                    lambda | | about the score of a child; 20 with teacher forcing; else 12, 14 for k below d up to 16
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
        return switch (method) {
            case "teacher-forcing" -> {
                var step = new TeacherForcing(lambda.orElse(20.0), link);
                yield new ParityChainRun(
                        tree,
                        samples,
                        seed,
                        link,
                        (signs, random) -> step.learn(tree, signs, GradientOracle.exact(), Workers.caller()));
            }
            case "self-consistency" -> {
                int d = tree.bits();
                double score = lambda.orElse(SelfConsistency.defaultLambda(d, tree.size()));
                SelfConsistency steps =
                        SelfConsistency.corrected(d, tree.size(), link).withLambda(score);
                yield new ParityChainRun(tree, samples, seed, link, (signs, random) -> {
                    SignColumns augmented = SignColumns.random(d, SelfConsistency.augmented(d), random);
                    return steps.learn(tree, signs, augmented, GradientOracle.exact(), Workers.caller());
                });
            }
            default -> throw new IllegalArgumentException("method: expected " + METHODS + ", got '" + method + "'");
        };
    }
}

package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.statistic.Measurement;

/** Izzo, Nichani and Lee (2025), section 3.2: the logit margin over all distances. */
public final class LogitMarginCorrected implements ComputedClaim {

    private static final int SEQUENCES = 4;

    @Override
    public Statement statement() {
        return new Statement(
                "length.logit-margin",
                MarginCases.SOURCE,
                Form.CORRECTED,
                "With gamma(f) the smallest positive difference of two logits of a query, those of distances above tau,"
                        + " where phi = 0, among them, a head of p bits is hardmax on every sequence of at least 2^(p /"
                        + " gamma) tokens.");
    }

    @Override
    public String range(Budget budget) {
        return MarginCases.range(budget) + "; " + SEQUENCES + " of each head, as short as the margin allows";
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(MarginCases.heads(MarginCases.count(budget)), LogitMargin::corrected);
    }

    static Finding check(List<LimitAttention> heads, ToDoubleFunction<LimitAttention> margin) {
        Attention scalar = Kernels.scalar().attention();
        Map<String, Attention> kernels =
                Map.of("scalar", scalar, "vector", Kernels.best().attention());
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(MarginCases.SEED + 1);
        List<String> counterexamples = new ArrayList<>();
        double maximum = 0;
        int sharp = 0;
        for (LimitAttention head : heads) {
            double gamma = margin.applyAsDouble(head);
            int minimum = Math.toIntExact(LogitMargin.hardmaxLength(head.bits(), gamma));
            boolean differsBelow = false;
            for (int i = 0; i < SEQUENCES; i++) {
                int[] x = MarginCases.sequence(head, Math.max(minimum, head.period() + head.locality()) + i, random);
                for (var kernel : kernels.entrySet()) {
                    double difference = MarginCases.difference(head, x, kernel.getValue());
                    maximum = Math.max(maximum, difference);
                    if (!(difference == 0)) {
                        counterexamples.add(MarginCases.text(head, x) + ", gamma = " + gamma + ": " + kernel.getKey()
                                + " kernel attends " + difference + " away from hardmax");
                    }
                }
                if (minimum > 2) {
                    int[] shorter = MarginCases.sequence(head, minimum - 1, random);
                    differsBelow |= MarginCases.difference(head, shorter, scalar) > 0;
                }
            }
            sharp += differsBelow ? 1 : 0;
        }
        List<Measurement> measured = List.of(
                Measurement.exactAtMost(
                        "largest total variation from hardmax at 2^(p / gamma)",
                        maximum,
                        "probability",
                        2L * SEQUENCES * heads.size(),
                        0),
                UnboundedFigure.count("heads that are not hardmax one token below", sharp, heads.size()));
        return new Finding(
                Verdict.of(counterexamples, "every sequence of at least 2^(p / gamma) tokens is hardmax"),
                measured,
                List.of(MarginCases.SEED, MarginCases.SEED + 1));
    }
}

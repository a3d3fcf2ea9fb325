package org.lemmata.claim.depth;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/** Richard (2024), lemma 5.1: a head with one-hot tokens completes every prefix of its sequence to the sequence. */
public final class Lemma51 implements AdjustableClaim {

    private static final long SEED = 5_101;

    /** So many sequences of one size are all looked at; of more, some are drawn. */
    private static final int EVERY = 1024;

    /**
     * So many sequences of {@code length} tokens of a vocabulary of {@code tokens}; all of them if {@code drawn} is 0.
     */
    record Size(int tokens, int length, int drawn) {

        /** Those of a user: all of few sequences. */
        static Size of(int tokens, int length, int drawn) {
            return new Size(tokens, length, Math.pow(tokens, length) <= EVERY ? 0 : drawn);
        }

        String text() {
            return (drawn == 0 ? "every sequence" : drawn + " drawn sequences") + " with t = " + tokens + ", n = "
                    + length;
        }

        /** The sequences. */
        List<int[]> words(RandomGenerator random) {
            return drawn == 0 ? Sequences.every(tokens, length) : Sequences.draw(drawn, tokens, length, random);
        }
    }

    @Override
    public Statement statement() {
        return new Statement(
                "depth.lemma-5.1",
                SequenceMemorizerByOneHotEmbedding.SOURCE,
                Form.AS_STATED,
                "With one-hot tokens and v gamma > n ln(nt), a head with uniform attention completes any prefix of its"
                        + " training sequence to the sequence with probability at least 1 - nt exp(-v gamma / n).");
    }

    @Override
    public List<Setting> settings() {
        return Setting.table("""
            t | | tokens, 2 to 1000; 2 if n alone is given, and those of the budget without both
            n | | length of the sequence, 2 to 1000; 5 if t alone is given
            gamma | -0.5,0.5 | pull, numbers within (-1, 1) other than 0, between commas
            failure | 1,1e-2,1e-9 | the bounds of failure that v is chosen for, as the smallest integer; 1 is where
              the lemma begins
            """);
    }

    @Override
    public String range(Budget budget, Settings settings) {
        return sizes(budget, settings).stream().map(Size::text).collect(Collectors.joining("; "))
                + "; gamma = " + settings.required("gamma", "numbers")
                + "; v the smallest integer for which nt exp(-v gamma / n) is at most "
                + settings.required("failure", "numbers")
                + "; every prefix, greedily and by the exact probability under sampling";
    }

    private static List<Size> sizes(Budget budget, Settings settings) {
        Optional<Integer> t = settings.integer("t", 2, 1000);
        Optional<Integer> n = settings.integer("n", 2, 1000);
        if (t.isEmpty() && n.isEmpty()) {
            return sizes(budget);
        }
        return List.of(Size.of(t.orElse(2), n.orElse(5), 8));
    }

    private static List<Size> sizes(Budget budget) {
        return budget.growing(
                List.of(
                        new Size(2, 2, 0),
                        new Size(2, 5, 0),
                        new Size(3, 4, 0),
                        new Size(5, 12, 8),
                        new Size(9, 20, 8),
                        new Size(27, 64, 4)),
                List.of(new Size(2, 8, 0), new Size(4, 5, 0), new Size(100, 300, 8)),
                List.of(new Size(3, 7, 0), new Size(1000, 1000, 4)));
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(sizes(budget, settings), settings.reals("gamma"), settings.reals("failure"), computation::model);
    }

    static Finding check(
            List<Size> sizes,
            List<Double> gammas,
            List<Double> failures,
            Function<SequenceMemorizerByOneHotEmbedding, LanguageModel> models) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED);
        for (Size size : sizes) {
            List<int[]> words = size.words(random);
            var vocabulary = Memorization.vocabulary(size.tokens());
            for (double failure : failures) {
                double maximum = 0;
                double lastBound = 0;
                for (int[] word : words) {
                    for (double gamma : gammas) {
                        double v = SequenceMemorizerByOneHotEmbedding.valueWeight(vocabulary, word, gamma, failure);
                        var construction = new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma, v);
                        double bound = construction.failureBound();
                        Memorization memorization = Memorization.of(models.apply(construction), word);
                        maximum = Math.max(maximum, memorization.failure());
                        lastBound = bound;
                        tally.require(
                                memorization.failure() <= bound
                                        && memorization.departures().isEmpty(),
                                () -> Memorization.text(word) + ", gamma = " + gamma + ", v = " + v
                                        + ": fails with probability " + memorization.failure() + " against " + bound
                                        + ", and greedily after " + memorization.departures() + " tokens");
                    }
                }
                tally.atMost(
                        "maximum probability of another sequence, t = " + size.tokens() + ", n = " + size.length()
                                + ", v for a bound of " + failure,
                        maximum,
                        "probability",
                        (long) gammas.size() * words.size() * (size.length() - 1),
                        lastBound);
            }
        }
        return tally.finding(
                "every prefix is completed to its sequence greedily, and within the bound under sampling", SEED);
    }
}

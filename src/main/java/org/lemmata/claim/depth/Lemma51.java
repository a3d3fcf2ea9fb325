package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.statistic.Measurement;

/** Richard (2024), lemma 5.1: a head with one-hot tokens completes every prefix of its sequence to the sequence. */
public final class Lemma51 implements AdjustableClaim {

    private static final long SEED = 5_101;

    /** So many sequences of one size are all looked at; of more, some are drawn. */
    private static final int EVERY = 1024;

    /**
     * So many sequences of {@code length} tokens of a vocabulary of {@code tokens}; all of them if {@code drawn} is 0.
     */
    record Size(int tokens, int length, int drawn) {}

    /** What the claim is tested on: the model of a sequence. Tests put models here that refute the claim. */
    @FunctionalInterface
    interface Models {
        LanguageModel of(SequenceMemorizerByOneHotEmbedding construction);
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
        return List.of(
                new Setting("t", "", "tokens, 2 to 1000; 2 if n alone is given, and those of the budget without both"),
                new Setting("n", "", "length of the sequence, 2 to 1000; 5 if t alone is given"),
                new Setting("gamma", "-0.5,0.5", "pull, numbers within (-1, 1) other than 0, between commas"),
                new Setting(
                        "failure",
                        "1,1e-2,1e-9",
                        "the bounds of failure that v is chosen for, as the smallest integer; 1 is where the lemma"
                                + " begins"));
    }

    @Override
    public String range(Budget budget, Settings settings) {
        List<String> texts = new ArrayList<>();
        for (Size size : sizes(budget, settings)) {
            texts.add((size.drawn() == 0 ? "every sequence" : size.drawn() + " drawn sequences") + " with t = "
                    + size.tokens() + ", n = " + size.length());
        }
        return String.join("; ", texts) + "; gamma = " + settings.required("gamma", "numbers")
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
        int tokens = t.orElse(2);
        int length = n.orElse(5);
        return List.of(new Size(tokens, length, Math.pow(tokens, length) <= EVERY ? 0 : 8));
    }

    private static List<Size> sizes(Budget budget) {
        List<Size> sizes = new ArrayList<>(List.of(
                new Size(2, 2, 0),
                new Size(2, 5, 0),
                new Size(3, 4, 0),
                new Size(5, 12, 8),
                new Size(9, 20, 8),
                new Size(27, 64, 4)));
        if (budget != Budget.QUICK) {
            sizes.addAll(List.of(new Size(2, 8, 0), new Size(4, 5, 0), new Size(100, 300, 8)));
        }
        if (budget == Budget.FULL) {
            sizes.addAll(List.of(new Size(3, 7, 0), new Size(1000, 1000, 4)));
        }
        return sizes;
    }

    @Override
    public Finding check(Budget budget, Settings settings, Computation computation) {
        return check(sizes(budget, settings), settings.reals("gamma"), settings.reals("failure"), computation::model);
    }

    static Finding check(List<Size> sizes, List<Double> gammas, List<Double> failures, Models models) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        for (Size size : sizes) {
            List<int[]> words = words(size, random);
            var vocabulary = Memorization.vocabulary(size.tokens());
            for (double failure : failures) {
                double maximum = 0;
                double bound = 0;
                for (int[] word : words) {
                    for (double gamma : gammas) {
                        double v = SequenceMemorizerByOneHotEmbedding.valueWeight(vocabulary, word, gamma, failure);
                        var construction = new SequenceMemorizerByOneHotEmbedding(vocabulary, word, gamma, v);
                        bound = construction.failureBound();
                        Memorization memorization = Memorization.of(models.of(construction), word);
                        maximum = Math.max(maximum, memorization.failure());
                        if (!(memorization.failure() <= bound)
                                || !memorization.departures().isEmpty()) {
                            counterexamples.add(Memorization.text(word) + ", gamma = " + gamma + ", v = " + v
                                    + ": fails with probability " + memorization.failure() + " against " + bound
                                    + ", and greedily after " + memorization.departures() + " tokens");
                        }
                    }
                }
                measured.add(Measurement.exactAtMost(
                        "maximum probability of another sequence, t = " + size.tokens() + ", n = " + size.length()
                                + ", v for a bound of " + failure,
                        maximum,
                        "probability",
                        (long) gammas.size() * words.size() * (size.length() - 1),
                        bound));
            }
        }
        Verdict verdict = Verdict.of(
                counterexamples,
                "every prefix is completed to its sequence greedily, and within the bound under sampling");
        return new Finding(verdict, measured, List.of(SEED));
    }

    private static List<int[]> words(Size size, RandomGenerator random) {
        List<int[]> words = new ArrayList<>();
        if (size.drawn() > 0) {
            for (int i = 0; i < size.drawn(); i++) {
                words.add(random.ints(size.length(), 0, size.tokens()).toArray());
            }
            return words;
        }
        return every(size.tokens(), size.length());
    }

    /** Every sequence of {@code length} tokens. */
    static List<int[]> every(int tokens, int length) {
        List<int[]> words = new ArrayList<>();
        for (long rank = 0; rank < Math.round(Math.pow(tokens, length)); rank++) {
            int[] word = new int[length];
            long rest = rank;
            for (int i = 0; i < length; i++) {
                word[i] = (int) (rest % tokens);
                rest /= tokens;
            }
            words.add(word);
        }
        return words;
    }
}

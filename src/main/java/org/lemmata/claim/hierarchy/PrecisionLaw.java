package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.UniformWords;

/**
 * How many significand bits the recognizer of theorem 1 takes by length n and depth D: ours, for the paper's open
 * question (Limitations). docs/finite-precision-law.md derives the law.
 */
final class PrecisionLaw implements ComputedClaim {

    private static final long SEED = 2_406;

    private static final int TYPES = 2;

    private static final int WORDS = 24;

    /** How far below the law the least bits are looked for. */
    private static final int BELOW = 5;

    /** Every binary32 exponent, so that bits alone decide. */
    private static final int EXPONENT = 127;

    /** Length and depth. */
    record Size(int length, int depth) {

        @Override
        public String toString() {
            return "n = " + length + ", D = " + depth;
        }
    }

    @Override
    public Statement statement() {
        return Processes.statement(
                "precision-law",
                "Limitations",
                Form.AS_STATED,
                "Ours: with every tensor rounded to p significand bits, the recognizer of theorem 1 for n brackets to depth D"
                        + " decides rightly from p = ceil(log2(1 / (Delta g))) on, about log2(n D (D - 1)) + 4, and not with"
                        + " 3 bits fewer.");
    }

    private static List<Size> sizes(Budget budget) {
        return budget.growing(
                List.of(
                        new Size(16, 2),
                        new Size(32, 2),
                        new Size(64, 2),
                        new Size(16, 4),
                        new Size(32, 4),
                        new Size(64, 4),
                        new Size(16, 8),
                        new Size(32, 8)),
                List.of(
                        new Size(128, 2),
                        new Size(256, 2),
                        new Size(128, 4),
                        new Size(256, 4),
                        new Size(64, 8),
                        new Size(128, 8),
                        new Size(256, 8),
                        new Size(32, 16),
                        new Size(64, 16),
                        new Size(128, 16),
                        new Size(256, 16),
                        new Size(64, 32),
                        new Size(128, 32),
                        new Size(128, 64)),
                List.of(new Size(512, 16), new Size(512, 32), new Size(512, 48), new Size(1024, 32)));
    }

    @Override
    public String range(Budget budget) {
        return sizes(budget).stream().map(Size::toString).collect(Collectors.joining("; ")) + "; k = " + TYPES + ", "
                + WORDS + " words of each, flat, deep and between, and as many with one type wrong; every prefix is a"
                + " decision";
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        var tally = new Tally();
        List<Double> x = new ArrayList<>();
        List<Double> measured = new ArrayList<>();
        List<Double> predicted = new ArrayList<>();
        for (Size size : sizes(budget)) {
            int law = DyckConstants.of(size.length, size.depth).neededBits();
            int bits = leastBits(size, law, computation.kernels());
            tally.require(bits <= law, () -> size + ": " + law + " bits do not suffice, which is the law");
            tally.require(bits >= law - 2, () -> size + ": " + bits + " bits suffice, where the law is " + law);
            tally.measure(Measurement.exactAtMost("least bits, " + size, bits, "bits", 2L * WORDS, law));
            x.add(Math.log(size.length * size.depth * (size.depth - 1.0)) / Math.log(2));
            measured.add((double) bits);
            predicted.add((double) law);
        }
        Finding finding = tally.finding("the least bits are the law's, or 1 or 2 fewer", SEED);
        var figure = new Figure(
                "Significand bits of the Dyck recognizer",
                "the least with which every decision on the test strings is right, and the law's",
                "log2(n D (D - 1))",
                "bits",
                List.of(new Figure.Series("least", x, measured), new Figure.Series("law", x, predicted)),
                false);
        return new Finding(finding.verdict(), finding.measured(), finding.seeds(), List.of(figure));
    }

    /** The least p from which on to the law all decisions are right; one above the law if they are not even there. */
    static int leastBits(Size size, int law, Kernels kernels) {
        List<int[]> strings = strings(size);
        int bits = law + 1;
        while (bits > Math.max(2, law - BELOW) && wrong(size, bits - 1, strings, kernels) == 0) {
            bits--;
        }
        return bits;
    }

    private static long wrong(Size size, int bits, List<int[]> strings, Kernels kernels) {
        var tokens = new BracketTokens(TYPES);
        var recognizer = new DyckRecognizer(
                tokens,
                DyckConstants.of(size.length, size.depth).withBits(bits),
                DyckRecognizer.Variant.plain());
        var format = new FloatFormat("float", bits, 1 - EXPONENT, EXPONENT);
        LanguageModel model =
                recognizer.model(PrecisionPolicy.tensors(Rounding.toNearestEven(format)), kernels);
        return new Decisions(recognizer, BracketLanguage.DYCK, model)
                .count(strings, new Tally())
                .wrong();
    }

    /** Words to the depth, each once as it is and once with one closing bracket of another type. */
    private static List<int[]> strings(Size size) {
        RandomGenerator random = Tally.random(SEED);
        var tokens = new BracketTokens(TYPES);
        int pairs = size.length / 2;
        UniformWords words = UniformWords.dyck(tokens, pairs, Math.min(size.depth, pairs), Math.min(size.depth, pairs));
        List<int[]> strings = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            int[] word = i % 3 == 0 ? words.sample(random) : plateau(tokens, pairs, i % 3 == 1 ? size.depth : 1 + i / 3 % size.depth, random);
            strings.add(word);
            int[] changed = word.clone();
            int[] closing = IntStream.range(0, word.length)
                    .filter(at -> !tokens.isOpen(word[at]))
                    .toArray();
            int at = closing[random.nextInt(closing.length)];
            changed[at] = tokens.close(1 - tokens.type(word[at]));
            strings.add(changed);
        }
        return strings;
    }

    /** Opens to a depth, goes on there with pairs, and closes. */
    private static int[] plateau(BracketTokens tokens, int pairs, int depth, RandomGenerator random) {
        int rise = Math.min(depth, pairs) - 1;
        int[] opened = random.ints(rise, 0, TYPES).toArray();
        int[] word = new int[2 * pairs];
        for (int i = 0; i < rise; i++) {
            word[i] = tokens.open(opened[i]);
            word[word.length - 1 - i] = tokens.close(opened[i]);
        }
        for (int i = rise; i < word.length - rise; i += 2) {
            int type = random.nextInt(TYPES);
            word[i] = tokens.open(type);
            word[i + 1] = tokens.close(type);
        }
        return word;
    }
}

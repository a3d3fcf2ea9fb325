package org.lemmata.claim.hierarchy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * How many significand bits the generator of theorem 2 takes by length, depth and tolerance: ours, for the paper's open
 * question (Limitations). Scores take what those of the recognizer do, {@link PrecisionLaw}; logits take the rest.
 *
 * @param fitted what logits take above their bound, whose errors do not all add up
 */
record GeneratorLaw(int fitted) implements AdjustableClaim {

    /** Chosen from cells to n = 256; docs/notes/finite-precision-law.md has others. */
    static final int FITTED = -6;

    private static final int LOWEST = 4;

    /** Tensors are of binary32. */
    private static final int HIGHEST = FloatFormat.BINARY32.significandBits();

    /** @param tolerance of the total variation */
    private record Case(Size size, double tolerance) {

        Case(int length, int depth, double tolerance) {
            this(new Size(length, depth), tolerance);
        }

        private DyckConstants constants() {
            return DyckConstants.of(size.length(), size.depth());
        }

        /** Where the least bits are said. */
        private boolean isShallow() {
            return 4 * size.depth() <= size.length();
        }

        DyckGenerator generator() {
            List<Double> same = GenerationProcess.uniform(PrecisionLaw.TYPES);
            var tokens = new BracketTokens(PrecisionLaw.TYPES);
            var process = new GenerationProcess(BracketLanguage.DYCK, tokens, 0.5, 0.9, same, same);
            return new DyckGenerator(process, constants(), tolerance);
        }

        @Override
        public String toString() {
            return size + ", tolerance " + tolerance;
        }
    }

    @Override
    public Statement statement() {
        return Processes.statement(
                "precision-law.generators",
                "Limitations",
                Form.AS_STATED,
                "Ours: with every tensor rounded to p significand bits, the generator of theorem 2 for n brackets to"
                    + " depth D stays within a tolerance of the process with p = max(ceil(log2(1 / (Delta g))),"
                    + " ceil(log2(4 (C0 + 1) (2 / sin theta(1) + m) / tolerance))), the bits of scores and of logits;"
                    + " for D <= n / 4 the least p is that of scores, or 6 less than that of logits where this is"
                    + " more, within 1.");
    }

    @Override
    public List<Setting> settings() {
        return Setting.numbers("""
            maxLength | 4..512 | 32 | brackets; without maxLength, maxDepth and tolerance the cases of the budget are tested
            maxDepth | 2..64 | 2 | how many are open at once
            tolerance | (0, 1) | 0.001 | of the total variation
            """);
    }

    private static List<Case> cases(Scope scope) {
        return scope.each(
                scope.growing(
                        List.of(new Case(32, 2, 1e-3), new Case(32, 8, 0.1), new Case(16, 4, 1e-4)),
                        List.of(
                                new Case(32, 2, 0.1),
                                new Case(32, 4, 1e-3),
                                new Case(32, 8, 1e-3),
                                new Case(32, 2, 1e-5),
                                new Case(32, 8, 1e-5),
                                new Case(64, 4, 0.1),
                                new Case(64, 4, 1e-3),
                                new Case(64, 2, 1e-4),
                                new Case(64, 16, 1e-5),
                                new Case(128, 2, 1e-3),
                                new Case(128, 4, 1e-5),
                                new Case(128, 8, 0.1),
                                new Case(128, 32, 1e-3),
                                new Case(256, 8, 1e-4)),
                        List.of(new Case(512, 16, 1e-5))),
                one -> new Case(one.integer("maxLength"), one.integer("maxDepth"), one.number("tolerance")),
                "maxLength",
                "maxDepth",
                "tolerance");
    }

    @Override
    public String range(Scope scope) {
        return cases(scope).stream().map(Case::toString).collect(Collectors.joining("; "))
                + "; k = 2, q = 0.5, r = 0.9, every prefix of the words of hierarchy.precision-law";
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        for (Case each : cases(scope)) {
            DyckGenerator generator = each.generator();
            int law = generator.neededBits();
            List<int[]> words = words(each.size);
            int bits = Math.min(HIGHEST, law) + 1;
            while (bits > LOWEST && isWithin(each, generator.withBits(bits - 1), words, computation.kernels())) {
                bits--;
            }
            int least = bits;
            Refuse.when(
                    least > HIGHEST && HIGHEST < law,
                    "tolerance",
                    "one that " + HIGHEST + " significand bits hold",
                    each.tolerance);
            tally.require(least <= law, () -> each + ": " + law + " bits do not suffice, which is the law");
            int expected = Math.max(each.constants().neededBits(), law + fitted);
            tally.require(
                    !each.isShallow() || Math.abs(least - expected) <= 1,
                    () -> each + ": the least bits are " + least + ", expected " + expected + " within 1");
            tally.measure(Measurement.exactAtMost("least bits, " + each, least, "bits", words.size(), law));
        }
        return tally.finding("the law's bits suffice, and the least are as expected, within 1", PrecisionLaw.SEED);
    }

    /** Those of the strings of {@link PrecisionLaw} that are words. */
    private static List<int[]> words(Size size) {
        List<int[]> strings = PrecisionLaw.strings(size);
        return IntStream.range(0, strings.size() / 2)
                .mapToObj(i -> strings.get(2 * i))
                .toList();
    }

    private static boolean isWithin(Case of, DyckGenerator generator, List<int[]> words, Kernels kernels) {
        FloatFormat format = PrecisionLaw.format(generator.neededBits());
        LanguageModel model = generator.model(PrecisionPolicy.tensors(Rounding.toNearestEven(format)), kernels);
        // What is no number is not within.
        return words.stream()
                .flatMapToDouble(
                        word -> Arrays.stream(GeneratorClaim.variations(generator.process(), generator, model, word)))
                .allMatch(variation -> variation < of.tolerance);
    }
}

package org.lemmata.claim.hierarchy;

import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;

/**
 * The number of significand bits that theorem 2's generator requires, by length, depth and tolerance. The law is
 * Lemmata's answer to a question that the paper leaves open (Limitations). By the law, scores require one bit more than
 * the recognizer's scores ({@link PrecisionLaw}); logits may require more than scores.
 */
final class GeneratorLaw {

    /**
     * Logits require this many bits fewer than their bound, because errors partly cancel. The number was chosen from
     * sizes up to n = 256; docs/notes/finite-precision-law.md has further sizes.
     */
    static final int FEWER = 6;

    /**
     * The measured minimum may be at most this many bits below the expected number of bits, and at most 1 bit above it.
     */
    private static final int BELOW = 3;

    private static final int EVERY = 40;

    private static final int LOWEST = 4;

    /** The maximum number of bits: tensors are stored in binary32. */
    private static final int HIGHEST = FloatFormat.BINARY32.significandBits();

    private record Case(Size size, double tolerance) {

        Case(int length, int depth, double tolerance) {
            this(new Size(length, depth), tolerance);
        }

        DyckGenerator generator() {
            List<Double> same = GenerationProcess.uniform(PrecisionLaw.TYPES);
            var tokens = new BracketTokens(PrecisionLaw.TYPES);
            var process = new GenerationProcess(BracketLanguage.DYCK, tokens, 0.5, 0.9, same, same);
            return new DyckGenerator(process, size.constants(), tolerance);
        }

        @Override
        public String toString() {
            return size + ", tolerance " + tolerance;
        }
    }

    private static final Cases<Case> CASES = Cases.of(
            "maxLength, maxDepth, tolerance",
            row -> new Case(row.integer(0), row.integer(1), row.number(2)),
            "32,2,1e-3; 32,8,0.1; 16,4,1e-4",
            "32,2,0.1; 32,4,1e-3; 32,8,1e-3; 32,2,1e-5; 32,8,1e-5; 64,4,0.1; 64,4,1e-3; 64,2,1e-4; 64,16,1e-5; "
                    + "128,2,1e-3; 128,4,1e-5; 128,8,0.1; 128,32,1e-3; 256,8,1e-4",
            "512,16,1e-5");

    static final ComputedClaim CLAIM = ComputedClaim.asStated("hierarchy.precision-law.generators", "Limitations", """
        Ours: round every tensor of theorem 2's generator to p significand bits. With Delta and g of
        hierarchy.precision-law, let S = ceil(log2(4 / (Delta g))). Let L = ceil(log2(4 (C0 + 1) (2 / sin theta(1) + m)
        / tolerance)), with C0 = ln(2 (k + 1) / tolerance), m = ceil(log2 k) and theta(1) the angle of depth 1. If p >=
        max(S, L), the total variation distance of hierarchy.theorem-2 stays below the tolerance. The smallest p that
        suffices is at most 1 above and at most 3 below max(S - 2, L - 6).
        """)
            .settings("""
                maxLength | 4..512 | 32 | brackets; without maxLength, maxDepth and tolerance the cases of the budget
                  are tested
                maxDepth | 2..64 | 2 | how many are open at once
                tolerance | (0, 1) | 0.001 | of the total variation
                """)
            .range(scope -> """
                %s%s; k = 2, q = 0.5, r = 0.9, every prefix of the words of hierarchy.precision-law
                """.formatted(
                            CASES.text(scope),
                            CASES.areGiven(scope)
                                    ? ""
                                    : "; every n from 4 to " + EVERY + " and D from 1 to n / 2, tolerances "
                                            + tolerances(scope) + ", on plateaus"))
            .test((scope, computation) -> check(FEWER, scope, computation));

    private static List<Double> tolerances(Scope scope) {
        return scope.of(List.of(1e-3), List.of(1e-3, 0.1, 1e-5), List.of(1e-3, 0.1, 1e-5));
    }

    /** @param fewer how many bits fewer than their bound logits require, such as {@link #FEWER} */
    static Finding check(int fewer, Scope scope, Computation computation) {
        var tally = new Tally();
        for (Case each : CASES.in(scope)) {
            List<int[]> words = words(each.size);
            int least = check(fewer, each, words, computation.kernels(), tally);
            int law = each.generator().neededBits();
            tally.measure(Measurement.exactAtMost("least bits, " + each, least, "bits", words.size(), law));
        }
        int sizes = 0;
        for (int length = 4; !CASES.areGiven(scope) && length <= EVERY; length++) {
            for (int depth = 1; depth <= length / 2; depth++) {
                for (double tolerance : tolerances(scope)) {
                    var each = new Case(length, depth, tolerance);
                    check(fewer, each, PrecisionLaw.plateaus(each.size), computation.kernels(), tally);
                    sizes++;
                }
            }
        }
        if (sizes > 0) {
            tally.count("sizes and tolerances only on plateaus", sizes, sizes);
        }
        return tally.finding("the law's bits suffice, and the least are as expected", PrecisionLaw.SEED);
    }

    private static int check(int fewer, Case of, List<int[]> words, Kernels kernels, Tally tally) {
        int law = of.generator().neededBits();
        int expected = Math.max(of.size.law() - 1, of.generator().headBits() - fewer);
        Refuse.when(expected >= HIGHEST, "tolerance", "one that needs fewer than " + HIGHEST + " bits", of.tolerance);
        int least = Math.min(HIGHEST, law) + 1;
        while (least > Math.max(LOWEST, expected - BELOW - 1) && isWithin(of, least - 1, words, kernels)) {
            least--;
        }
        int found = least;
        tally.require(found <= law, () -> of + ": " + law + " bits do not suffice, which is the law");
        tally.require(
                found - expected <= 1 && expected - found <= BELOW,
                () -> of + ": the least bits are " + found + ", expected " + expected + ", 1 more or 3 fewer");
        return least;
    }

    /** The words among the strings of {@link PrecisionLaw}. */
    private static List<int[]> words(Size size) {
        List<int[]> strings = PrecisionLaw.strings(size);
        return strings.subList(0, strings.size() / 2);
    }

    private static boolean isWithin(Case of, int bits, List<int[]> words, Kernels kernels) {
        DyckGenerator generator = of.generator();
        var rounding = Rounding.toNearestEven(PrecisionLaw.format(bits));
        LanguageModel model = generator.forced(PrecisionPolicy.tensors(rounding), kernels);
        // NaN is not within the tolerance.
        return words.stream()
                .flatMapToDouble(
                        word -> Arrays.stream(GeneratorClaim.variations(generator.process(), generator, model, word)))
                .allMatch(variation -> variation < of.tolerance);
    }
}

package org.lemmata.claim.hierarchy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.PrecisionLaw.Rounded;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.BracketTokens;

/**
 * What rounded sums add to the law of {@link PrecisionLaw}; and how far formats with exponents of their own come by it.
 */
final class FormatLaw {

    private static final Rounded TENSORS = new Rounded(DyckRecognizer.Variant.plain(), PrecisionPolicy::tensors);

    private static final int TIMES = 16;

    private static final Rounded WITH_SUMS = new Rounded(
            DyckRecognizer.Variant.plain(),
            rounding -> PrecisionPolicy.tensors(rounding).with(PrecisionSite.SUMS, rounding));

    static final ComputedClaim SUMS = ComputedClaim.asStated(
                    "hierarchy.precision-law.sums", new Source(Paper.HIERARCHY, "Limitations"), """
                    Ours: with every product and every partial sum rounded, too, 2 bits more than the law suffice, for
                    any length: a score adds three terms of its own magnitude and a norm four squares, while counts are
                    integers.
                    """)
            .settings(Size.SETTINGS)
            .range(scope -> sizes(scope).stream().map(Size::toString).collect(Collectors.joining("; "))
                    + "; the strings of hierarchy.precision-law")
            .test(FormatLaw::sums);

    static final ComputedClaim FORMATS = ComputedClaim.asStated(
                    "hierarchy.precision-law.formats", new Source(Paper.HIERARCHY, "Limitations"), """
                    Ours: bfloat16, binary16, tf32 and binary32 hold the recognizer to the length at which the law asks
                    for their bits and scores leave their range, and decide rightly there; 16 times as long, which takes
                    4 bits more, those of 8 bits of exponent do not.
                    """)
            .settings("""
                maxDepth | 1..64 | | how many brackets are open at once, in bfloat16 and binary16; by default formats
                  and depths of the budget
                """)
            .range(scope -> cases(scope).stream().map(Case::toString).collect(Collectors.joining("; "))
                    + "; the strings of hierarchy.precision-law, every tensor rounded")
            .test(FormatLaw::formats);

    private FormatLaw() {}

    private static List<Size> sizes(Scope scope) {
        return Size.each(
                scope,
                List.of(new Size(16, 2)),
                List.of(new Size(16, 4), new Size(64, 2), new Size(64, 8), new Size(32, 16), new Size(128, 4)),
                List.of());
    }

    private static Finding sums(Scope scope, Computation computation) {
        var tally = new Tally();
        for (Size size : sizes(scope)) {
            int most = size.constants().neededSumBits();
            int bits = PrecisionLaw.leastBits(size, most, 2, WITH_SUMS, computation.kernels());
            tally.require(bits <= most, () -> size + ": " + most + " bits do not suffice");
            long strings = PrecisionLaw.strings(size).size();
            tally.measure(Measurement.exactAtMost("least bits, " + size, bits, "bits", strings, most));
            tally.count("bits of the law, " + size, size.law(), 1);
        }
        return tally.finding("the bits suffice", PrecisionLaw.SEED);
    }

    /** @param depth D, or 0 for half of the length */
    private record Case(FloatFormat format, int depth) {

        Size size(int length) {
            return new Size(length, depth == 0 ? length / 2 : depth);
        }

        /** The largest even length that is held, or 0. */
        int longest(Kernels kernels) {
            int length = 2 * Math.max(1, depth);
            while (isHeld(size(length), kernels)) {
                length += 2;
            }
            return length == 2 * Math.max(1, depth) ? 0 : length - 2;
        }

        private boolean isHeld(Size size, Kernels kernels) {
            var recognizer = new DyckRecognizer(
                    new BracketTokens(PrecisionLaw.TYPES), size.constants(), DyckRecognizer.Variant.plain());
            try {
                recognizer.model(PrecisionPolicy.tensors(Rounding.toNearestEven(format)), kernels);
                return true;
            } catch (UnmetDemandException e) {
                return false;
            }
        }

        @Override
        public String toString() {
            return format.name() + ", " + (depth == 0 ? "D = n / 2" : "D = " + depth);
        }
    }

    private static List<Case> cases(Scope scope) {
        if (scope.settings().hasAny("maxDepth")) {
            return scope.integers("maxDepth").stream()
                    .flatMap(depth -> Stream.of(FloatFormat.BFLOAT16, FloatFormat.BINARY16)
                            .map(format -> new Case(format, depth)))
                    .toList();
        }
        return scope.growing(
                List.of(new Case(FloatFormat.BFLOAT16, 1), new Case(FloatFormat.BINARY16, 2)),
                List.of(
                        new Case(FloatFormat.BINARY16, 1),
                        new Case(FloatFormat.TF32, 1),
                        new Case(FloatFormat.TF32, 2),
                        new Case(FloatFormat.BINARY32, 0),
                        new Case(FloatFormat.BINARY32, 32)),
                List.of(new Case(FloatFormat.BINARY32, 16)));
    }

    private static Finding formats(Scope scope, Computation computation) {
        Kernels kernels = computation.kernels();
        var tally = new Tally();
        for (Case each : cases(scope)) {
            int length = each.longest(kernels);
            tally.count("maximum length, " + each, length, 1);
            if (length == 0) {
                continue;
            }
            Size size = each.size(length);
            tally.require(isRight(each, size, kernels), () -> each + ": wrong decisions at " + size);
            if (each.format.maxExponent() == FloatFormat.TF32.maxExponent()
                    && !each.format.equals(FloatFormat.BINARY32)) {
                Size longer = each.size(TIMES * size.length());
                tally.require(!isRight(each, longer, kernels), () -> each + ": no wrong decision at " + longer);
            }
        }
        return tally.finding("every format is right at its maximum length", PrecisionLaw.SEED);
    }

    private static boolean isRight(Case of, Size size, Kernels kernels) {
        return PrecisionLaw.isRight(size, of.format, TENSORS, PrecisionLaw.strings(size), kernels);
    }
}

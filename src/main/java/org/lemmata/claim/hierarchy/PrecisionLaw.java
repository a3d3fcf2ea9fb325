package org.lemmata.claim.hierarchy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.claim.hierarchy.RecognizerClaim.Decisions;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Measurement;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.UniformWords;

/**
 * The number of significand bits that theorem 1's recognizer requires, by length n and depth D. The law is Lemmata's
 * answer to a question that the paper leaves open (Limitations); docs/finite-precision-law.md derives it. More claims
 * state the bits of single sites, the additional bits for rounded sums, and the maximum lengths for standard formats.
 */
final class PrecisionLaw {

    static final long SEED = 2_406;

    static final int TYPES = 2;

    private static final BracketTokens TOKENS = new BracketTokens(TYPES);

    private static final int WORDS = 8;

    /** The length up to which every size is tested at the quick budget; the next constant is for other budgets. */
    private static final int SHORT = 32;

    private static final int LONG = 160;

    /** The measured minimum may be at most this many bits below the law. */
    private static final int BELOW = 3;

    /** The maximum exponent of binary32, so that only the significand limits a format. */
    private static final int EXPONENT = 127;

    private static final List<PrecisionSite> SITES = List.of(
            PrecisionSite.EMBEDDINGS,
            PrecisionSite.NORMS,
            PrecisionSite.QUERIES_KEYS_VALUES,
            PrecisionSite.SCORES,
            PrecisionSite.EXPONENTIALS,
            PrecisionSite.OUTPUTS,
            PrecisionSite.RESIDUAL,
            PrecisionSite.FEED_FORWARD,
            PrecisionSite.LOGITS);

    private static final List<PrecisionSite> ALL_BITS = List.of(PrecisionSite.SCORES, PrecisionSite.NORMS);

    private static final List<PrecisionSite> TWO_BITS =
            List.of(PrecisionSite.EMBEDDINGS, PrecisionSite.EXPONENTIALS, PrecisionSite.LOGITS);

    static final ComputedClaim SITES_CLAIM = ComputedClaim.asStated("hierarchy.precision-law.sites", "Limitations", """
        Ours: in theorem 1's recognizer, round one kind of tensor at a time, other than weights. Scores need as many
        bits as all tensors together, within 1. So do the outputs of norms, which are the angles from which scores are
        computed. No other kind needs more. For embeddings, the exponentials of scores (before the division by their
        sum) and the model's outputs, 2 bits suffice.
        """)
            .settings("maxLength | 16..1024 | 32,64 | brackets, an eighth of which are open at once")
            .range("n = {maxLength}, D = n / 8; one site rounded at a time, the others in binary32")
            .test((scope, computation) -> sites(scope.integers("maxLength"), computation.kernels()));

    record Size(int length, int depth) {

        static final List<Setting> SETTINGS = Setting.numbers("""
            maxLength | 4..2048 | 16 | brackets; without maxLength and maxDepth the sizes of the budget are tested
            maxDepth | 2..512 | 2 | how many are open at once
            """);

        private static Cases<Size> cases(String... rows) {
            return Cases.of("maxLength, maxDepth", row -> new Size(row.integer(0), row.integer(1)), rows);
        }

        DyckConstants constants() {
            return DyckConstants.of(length, depth);
        }

        int law() {
            return constants().neededBits();
        }

        @Override
        public String toString() {
            return "n = " + length + ", D = " + depth;
        }
    }

    private static final Cases<Size> SIZES = Size.cases(
            "16,2; 32,2; 64,2; 16,4; 32,4; 64,4; 16,8; 32,8",
            "48,2; 48,4; 24,6; 48,12; 96,3; 96,24; 192,5; 128,2; 256,2; 128,4; 256,4; 64,8; 128,8; 256,8; 32,16; "
                    + "64,16; 128,16; 256,16; 64,32; 128,32; 128,64",
            "512,16; 512,32; 512,40; 1024,32");

    static final ComputedClaim CLAIM = ComputedClaim.asStated("hierarchy.precision-law", "Limitations", """
        Ours: round every tensor to p significand bits. The recognizer of theorem 1 for n brackets to depth D decides
        correctly with p = ceil(log2(2 / (Delta g))), about log2(n D (D - 1)) + 5 for D >= 2. The smallest p that
        suffices is at most 3 less. Position i is stored as the angle atan(i / A1) with A1 near n, and depth d as atan(d
        / A2) with A2 near sqrt(D (D - 1)). Here g = A1 / (A1² + n²), and Delta is 1 - cos of the smallest angle between
        neighbouring depths.
        """)
            .settings(Size.SETTINGS)
            .range(scope -> """
                %s; k = %s, %s uniform words of each and a plateau at every depth to D, and as many with one type
                wrong; every prefix is a decision%s
                """.formatted(
                            SIZES.text(scope),
                            TYPES,
                            WORDS,
                            SIZES.areGiven(scope)
                                    ? ""
                                    : "; only plateaus for every n from 4 to " + longest(scope)
                                            + " and D to n / 2 with a law of at most 24"))
            .test(PrecisionLaw::check);

    private static int longest(Scope scope) {
        return scope.of(SHORT, LONG, LONG);
    }

    private static Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        List<Double> x = new ArrayList<>();
        List<Double> measured = new ArrayList<>();
        List<Double> predicted = new ArrayList<>();
        for (Size size : SIZES.in(scope)) {
            int law = size.law();
            int bits = leastBits(size, law, Math.max(2, law - BELOW - 1), TENSORS, computation.kernels());
            if (SIZES.areGiven(scope)) {
                refuseUntested(size, bits, law);
            }
            tally.require(bits <= law, () -> size + ": " + law + " bits do not suffice, which is the law");
            tally.require(
                    law - bits <= BELOW, () -> size + ": the least bits are " + bits + ", where the law is " + law);
            tally.measure(Measurement.exactAtMost(
                    "least bits, " + size, bits, "bits", strings(size).size(), law));
            x.add(Figure.log2(size.length * size.depth * (size.depth - 1.0)));
            measured.add((double) bits);
            predicted.add((double) law);
        }
        if (!SIZES.areGiven(scope)) {
            everySize(longest(scope), computation.kernels(), tally);
        }
        Finding finding =
                tally.finding("the law's bits suffice, and the smallest sufficient number is at most 3 less", SEED);
        var figure = new Figure(
                "Significand bits of the Dyck recognizer",
                "the least with which every decision on the test strings is right, and the law's",
                "log2 of n D (D - 1)",
                "bits",
                List.of(new Figure.Series("least", x, measured), new Figure.Series("law", x, predicted)),
                false);
        return finding.showing(figure);
    }

    private static final Function<Rounding, PrecisionPolicy> TENSORS = PrecisionPolicy::tensors;

    /** Requires that the law's bits (at most 24) suffice for every size up to a length; counts sizes that need all. */
    private static void everySize(int longest, Kernels kernels, Tally tally) {
        int sizes = 0;
        int fewer = 0;
        for (int length = 4; length <= longest; length++) {
            for (int depth = 1; depth <= length / 2; depth++) {
                var size = new Size(length, depth);
                int law = size.law();
                if (law > FloatFormat.BINARY32.significandBits()) {
                    continue;
                }
                List<int[]> plateaus = plateaus(size);
                tally.require(
                        isRight(size, format(law), TENSORS, plateaus, kernels),
                        () -> size + ": " + law + " bits do not suffice, which is the law");
                fewer += isRight(size, format(law - 1), TENSORS, plateaus, kernels) ? 0 : 1;
                sizes++;
            }
        }
        String every = "every n from 4 to " + longest + " and D from 1 to n / 2 that 24 bits hold";
        tally.count("sizes for which one bit fewer is too few, " + every, fewer, sizes);
    }

    /**
     * Tries every number of bits from the law (at most 24) down to {@code lowest}, until a decision is wrong. Returns
     * the last number without wrong decisions; if there is none, the first number plus 1.
     */
    static int leastBits(
            Size size, int law, int lowest, Function<Rounding, PrecisionPolicy> policies, Kernels kernels) {
        List<int[]> strings = strings(size);
        int bits = Math.min(law, FloatFormat.BINARY32.significandBits()) + 1;
        while (bits > lowest && isRight(size, format(bits - 1), policies, strings, kernels)) {
            bits--;
        }
        return bits;
    }

    /** Refuses a size for which 24 bits do not suffice although its law is higher: more bits cannot be tested. */
    private static void refuseUntested(Size size, int bits, int law) {
        int most = FloatFormat.BINARY32.significandBits();
        Refuse.when(
                Math.min(bits, law) > most,
                "maxLength",
                "a size for which " + most + " bits suffice, as more are not tested",
                size);
    }

    static FloatFormat format(int bits) {
        return new FloatFormat("float", bits, 1 - EXPONENT, EXPONENT);
    }

    /** Whether all decisions are right in a format, even one that is narrower than the construction demands. */
    static boolean isRight(
            Size size,
            FloatFormat format,
            Function<Rounding, PrecisionPolicy> policies,
            List<int[]> strings,
            Kernels kernels) {
        var recognizer = new DyckRecognizer(TOKENS, size.constants(), DyckRecognizer.Variant.plain());
        LanguageModel model = recognizer.forced(policies.apply(Rounding.toNearestEven(format)), kernels);
        return new Decisions(recognizer, BracketLanguage.DYCK, model)
                        .count(strings, new Tally())
                        .wrong()
                == 0;
    }

    private static Finding sites(List<Integer> lengths, Kernels kernels) {
        var tally = new Tally();
        for (int length : lengths) {
            var size = new Size(length, length / 8);
            int law = size.law();
            int all = leastBits(size, law, 2, TENSORS, kernels);
            refuseUntested(size, all, law);
            tally.measure(
                    "least bits, " + size + ", all tensors",
                    all,
                    "bits",
                    strings(size).size());
            for (PrecisionSite site : SITES) {
                int bits = leastBits(size, law, 2, rounding -> PrecisionPolicy.only(site, rounding), kernels);
                tally.measure(
                        "least bits, " + size + ", " + site.label(),
                        bits,
                        "bits",
                        strings(size).size());
                int lowest = ALL_BITS.contains(site) ? all - 1 : 2;
                int highest = TWO_BITS.contains(site) ? 2 : all + 1;
                tally.require(
                        bits >= lowest && bits <= highest,
                        () -> size + ": " + "rounding only " + site.label() + " takes " + bits
                                + " bits, rounding all tensors " + all);
            }
        }
        return tally.finding("scores and norms determine the bits", SEED);
    }

    /**
     * Random words of the size's depth and {@link #plateaus}, then the same words with one closing bracket of the wrong
     * type in each.
     */
    static List<int[]> strings(Size size) {
        RandomGenerator random = Tally.random(SEED);
        int pairs = size.length / 2;
        UniformWords words = UniformWords.dyck(TOKENS, pairs, Math.min(size.depth, pairs), Math.min(size.depth, pairs));
        List<int[]> strings = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            strings.add(words.sample(random));
        }
        strings.addAll(plateaus(size));
        for (int[] word : List.copyOf(strings)) {
            int[] changed = word.clone();
            int[] closing = IntStream.range(0, word.length)
                    .filter(at -> !TOKENS.isOpen(word[at]))
                    .toArray();
            int at = closing[random.nextInt(closing.length)];
            changed[at] = TOKENS.close(1 - TOKENS.type(word[at]));
            strings.add(changed);
        }
        return strings;
    }

    /**
     * One word for each depth. The word rises to the depth, stays at this depth with pairs of alternating types, and
     * falls.
     */
    static List<int[]> plateaus(Size size) {
        int pairs = size.length / 2;
        return IntStream.range(0, Math.min(size.depth, pairs))
                .mapToObj(rise -> {
                    int[] word = new int[2 * pairs];
                    for (int i = 0; i < pairs; i++) {
                        int open = i < rise ? i : 2 * i - rise;
                        word[open] = TOKENS.open(i % TYPES);
                        word[i < rise ? word.length - 1 - i : open + 1] = TOKENS.close(i % TYPES);
                    }
                    return word;
                })
                .toList();
    }

    private static final int TIMES = 16;

    private static final Cases<Size> SIZES_OF_SUMS = Size.cases("16,2", "16,4; 64,2; 64,8; 32,16; 128,4");

    /** The number of bits that rounded sums require in addition to the law. */
    static final ComputedClaim SUMS = ComputedClaim.asStated("hierarchy.precision-law.sums", "Limitations", """
        Ours: round every tensor, every product and every partial sum of theorem 1's recognizer. It decides correctly
        with 2 bits more than the p of hierarchy.precision-law. The 2 additional bits do not depend on n: a score is a
        sum of only three terms as large as the score itself, a norm is a sum of four squares, and counts are integers.
        """)
            .settings(Size.SETTINGS)
            .range(scope -> SIZES_OF_SUMS.text(scope) + "; the strings of hierarchy.precision-law")
            .test(PrecisionLaw::sums);

    static final ComputedClaim FORMATS = ComputedClaim.asStated("hierarchy.precision-law.formats", "Limitations", """
        Ours: round every tensor to bfloat16, binary16, tf32 or binary32. For each tested depth D, the recognizer of
        theorem 1 decides correctly at the largest n for which the format has the bits of hierarchy.precision-law and a
        sufficient range of exponents. At 16 times this n and the same D, which requires 4 more bits, it fails in
        bfloat16 and tf32.
        """)
            .settings("""
                maxDepth | 1..64 | | how many brackets are open at once, in bfloat16 and binary16; by default formats
                  and depths of the budget
                """)
            .range(scope -> cases(scope).stream().map(FormatCase::toString).collect(Collectors.joining("; "))
                    + "; the strings of hierarchy.precision-law, every tensor rounded")
            .test(PrecisionLaw::formats);

    private static Finding sums(Scope scope, Computation computation) {
        Function<Rounding, PrecisionPolicy> withSums =
                rounding -> PrecisionPolicy.tensors(rounding).with(PrecisionSite.SUMS, rounding);
        var tally = new Tally();
        for (Size size : SIZES_OF_SUMS.in(scope)) {
            int most = size.constants().neededSumBits();
            int bits = leastBits(size, most, 2, withSums, computation.kernels());
            refuseUntested(size, bits, most);
            tally.require(bits <= most, () -> size + ": " + most + " bits do not suffice");
            long strings = strings(size).size();
            tally.measure(Measurement.exactAtMost("least bits, " + size, bits, "bits", strings, most));
            tally.count("bits of the law, " + size, size.law(), 1);
        }
        return tally.finding("the bits suffice", SEED);
    }

    /** @param depth D, or 0 for half the length */
    private record FormatCase(FloatFormat format, int depth) {

        Size size(int length) {
            return new Size(length, depth == 0 ? length / 2 : depth);
        }

        /** The maximum even length for which the format meets the construction's demands; 0 if there is none. */
        int longest(Kernels kernels) {
            int length = 2 * Math.max(1, depth);
            while (isHeld(size(length), kernels)) {
                length += 2;
            }
            return length == 2 * Math.max(1, depth) ? 0 : length - 2;
        }

        private boolean isHeld(Size size, Kernels kernels) {
            var recognizer = new DyckRecognizer(TOKENS, size.constants(), DyckRecognizer.Variant.plain());
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

    private static List<FormatCase> cases(Scope scope) {
        if (scope.settings().hasAny("maxDepth")) {
            return scope.integers("maxDepth").stream()
                    .flatMap(depth -> Stream.of(FloatFormat.BFLOAT16, FloatFormat.BINARY16)
                            .map(format -> new FormatCase(format, depth)))
                    .toList();
        }
        return Stream.of(
                        new FormatCase(FloatFormat.BFLOAT16, 1),
                        new FormatCase(FloatFormat.BINARY16, 2),
                        new FormatCase(FloatFormat.BINARY16, 1),
                        new FormatCase(FloatFormat.TF32, 1),
                        new FormatCase(FloatFormat.TF32, 2),
                        new FormatCase(FloatFormat.BINARY32, 0),
                        new FormatCase(FloatFormat.BINARY32, 32),
                        new FormatCase(FloatFormat.BINARY32, 16))
                .limit(scope.of(2, 7, 8))
                .toList();
    }

    private static Finding formats(Scope scope, Computation computation) {
        Kernels kernels = computation.kernels();
        var tally = new Tally();
        int tested = 0;
        for (FormatCase each : cases(scope)) {
            int length = each.longest(kernels);
            tally.count("maximum length, " + each, length, 1);
            if (length == 0) {
                continue;
            }
            tested++;
            Size size = each.size(length);
            tally.require(isCaseRight(each, size, kernels), () -> each + ": wrong decisions at " + size);
            if (each.format.maxExponent() == FloatFormat.TF32.maxExponent()
                    && !each.format.equals(FloatFormat.BINARY32)) {
                Size longer = each.size(TIMES * size.length());
                tally.require(!isCaseRight(each, longer, kernels), () -> each + ": no wrong decision at " + longer);
            }
        }
        return tested == 0
                ? tally.finding(NotTested.HYPOTHESIS.because("no format has the bits at any length"), SEED)
                : tally.finding("every format is right at its maximum length", SEED);
    }

    private static boolean isCaseRight(FormatCase of, Size size, Kernels kernels) {
        return isRight(size, of.format, TENSORS, strings(size), kernels);
    }
}

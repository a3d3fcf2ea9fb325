package org.lemmata.claim.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Tally;
import org.lemmata.claim.hierarchy.PrecisionLaw.Size;
import org.lemmata.claim.hierarchy.RecognizerClaim.BracketStrings;
import org.lemmata.claim.hierarchy.RecognizerClaim.Decisions;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.construct.hierarchy.BracketTransformer;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckGeneratorWithoutStart;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.construct.hierarchy.DyckRecognizer.Variant;
import org.lemmata.construct.hierarchy.DyckRecognizerWithoutStart;
import org.lemmata.construct.hierarchy.ShuffleDyckGenerator;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.Transformer;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;

/** Constructions are correct in their default format, just below and above the length at which it becomes binary64. */
class ChosenFormatTest {

    private static final BracketTokens TOKENS = new BracketTokens(PrecisionLaw.TYPES);

    private static DyckRecognizer recognizer(int length, int depth, Variant variant) {
        return new DyckRecognizer(TOKENS, DyckConstants.of(length, depth), variant);
    }

    private static long wrong(BracketTransformer recognizer, LanguageModel model, List<int[]> strings) {
        return new Decisions(recognizer, BracketLanguage.DYCK, model)
                .count(strings, new Tally())
                .wrong();
    }

    private static void assertRight(BracketTransformer recognizer, List<int[]> strings, int length) {
        assertThat(wrong(recognizer, recognizer.model(Kernels.best()), strings))
                .as("n = %d", length)
                .isZero();
    }

    /** Tests strings of depth {@code depth}; 0 stands for half the length. */
    private static void assertRightWhereBinary32Ends(IntFunction<BracketTransformer> byLength, int depth) {
        int first = firstOfBinary64(byLength);
        for (int length = first - 2; length < first + 2; length++) {
            BracketTransformer recognizer = byLength.apply(length);
            assertThat(isBinary32(recognizer)).isEqualTo(length < first);
            assertRight(
                    recognizer,
                    depth == 0
                            ? PrecisionLaw.strings(new Size(length, length / 2))
                            : PrecisionLaw.plateaus(new Size(length, depth)),
                    length);
        }
    }

    private static double variation(BracketTransformer generator, GenerationProcess process, List<int[]> words) {
        LanguageModel model = generator.model(Kernels.best());
        return words.stream()
                .filter(word -> generator.hasStart() || BracketStrings.firstTwoDiffer(word))
                .flatMapToDouble(word -> Arrays.stream(GeneratorClaim.variations(process, generator, model, word)))
                .max()
                .orElseThrow();
    }

    private static boolean isBinary32(BracketTransformer transformer) {
        return transformer.model(Kernels.best()) instanceof Transformer;
    }

    /** The first length from 8 on with binary64. */
    private static int firstOfBinary64(IntFunction<BracketTransformer> byLength) {
        int length = 8;
        assertThat(isBinary32(byLength.apply(length))).isTrue();
        while (isBinary32(byLength.apply(length))) {
            length++;
        }
        return length;
    }

    /** At some of these lengths, from 135 on, binary32 was once chosen and gave wrong answers. */
    @Test
    void theRecognizerIsRightAtEveryLengthFrom120To170() {
        for (int length = 120; length <= 170; length++) {
            DyckRecognizer recognizer =
                    recognizer(length, length / 2, length % 4 < 2 ? Variant.plain() : Variant.recovering());
            // Each length tests a tenth of the depths, so each depth is tested at least five times.
            int turn = length % 10;
            List<int[]> all = PrecisionLaw.plateaus(new Size(length, length / 2));
            List<int[]> plateaus = IntStream.range(0, all.size())
                    .filter(depth -> depth % 10 == turn)
                    .mapToObj(all::get)
                    .toList();
            assertRight(recognizer, plateaus, length);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "false, 12"})
    void recognizersAreRightWhereBinary32Ends(boolean recover, int fixedDepth) {
        Variant variant = recover ? Variant.recovering() : Variant.plain();
        assertRightWhereBinary32Ends(
                length -> recognizer(length, fixedDepth == 0 ? length / 2 : Math.min(fixedDepth, length / 2), variant),
                fixedDepth);
    }

    @Test
    void recognizersWithoutStartAreRightWhereBinary32Ends() {
        assertRightWhereBinary32Ends(
                length -> new DyckRecognizerWithoutStart(TOKENS, DyckConstants.of(length, length / 2)), 0);
    }

    /** The ramps whose difference is a recovered code are close to 32, and are rounded independently of each other. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void recoveredCodesHaveEnoughBitsForStochasticRounding(int types) {
        GenerationProcess process = GenerationProcess.dyck(types, 0.5, 0.9);
        BracketTokens tokens = process.tokens();
        double tolerance = 1e-2;
        var generator = new DyckGenerator(process, DyckConstants.of(6, 1), tolerance, DyckGenerator.Wording.RECOVERING);
        FloatFormat format = PrecisionLaw.format(generator.demand().sumBits());
        var rounding = new Rounding(format, Rounding.Mode.STOCHASTIC, true, false);
        for (int seed = 0; seed < 128; seed++) {
            LanguageModel model =
                    generator.model(PrecisionPolicy.everything(rounding).withSeed(seed), Kernels.best());
            int open = tokens.open(seed % types);
            int close = tokens.close(seed % types);
            double[] variations = GeneratorClaim.variations(process, generator, model, open, close, open, close, open);
            assertThat(Arrays.stream(variations).max().orElseThrow())
                    .as("seed %d", seed)
                    .isLessThan(tolerance);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1e-3, 1e-4})
    void generatorsAreRightWhereBinary32Ends(double tolerance) {
        GenerationProcess process = GenerationProcess.dyck(PrecisionLaw.TYPES, 0.5, 0.9);
        List<IntFunction<BracketTransformer>> kinds = List.of(
                length -> new DyckGenerator(process, DyckConstants.of(length, length / 2), tolerance),
                length -> new DyckGeneratorWithoutStart(process, DyckConstants.of(length, length / 2), tolerance));
        for (IntFunction<BracketTransformer> byLength : kinds) {
            int first = isBinary32(byLength.apply(8)) ? firstOfBinary64(byLength) : 8;
            for (int length = Math.max(4, first - 4); length < first + 4; length++) {
                List<int[]> words = PrecisionLaw.plateaus(new Size(length, length / 2));
                assertThat(variation(byLength.apply(length), process, words))
                        .as("n = %d", length)
                        .isLessThan(tolerance);
            }
        }
    }

    @Test
    void shuffleGeneratorsAreRightWhereBinary32Ends() {
        GenerationProcess process = GenerationProcess.shuffleDyck(PrecisionLaw.TYPES, 0.3, 0.97);
        List<int[]> words = PrecisionLaw.plateaus(new Size(40, 20));
        boolean before = true;
        for (int power = 4; power < 30; power++) {
            double tolerance = Math.scalb(1.0, -power);
            var generator = new ShuffleDyckGenerator(process, 40, tolerance);
            assertThat(isBinary32(generator)).isIn(before, false);
            before = isBinary32(generator);
            assertThat(variation(generator, process, words)).as("%s", tolerance).isLessThan(tolerance);
        }
        assertThat(before).isFalse();
    }

    /** Sites with only 0, 1 and signs need 2 bits; all others are checked for the bits of scores. */
    @Test
    void demandsAreThoseOfASite() {
        DyckRecognizer recognizer = recognizer(60, 8, Variant.plain());
        List<int[]> strings = PrecisionLaw.strings(new Size(60, 8));
        for (PrecisionSite site : PrecisionSite.values()) {
            FloatFormat narrow = site == PrecisionSite.WEIGHTS ? FloatFormat.BFLOAT16 : PrecisionLaw.format(2);
            PrecisionPolicy policy = PrecisionPolicy.only(site, Rounding.toNearestEven(narrow));
            if (List.of(
                                    PrecisionSite.WEIGHTS,
                                    PrecisionSite.EMBEDDINGS,
                                    PrecisionSite.EXPONENTIALS,
                                    PrecisionSite.LOGITS)
                            .contains(site)
                    || !site.isOfInference()) {
                assertThat(wrong(recognizer, recognizer.model(policy, Kernels.best()), strings))
                        .as(site.label())
                        .isZero();
            } else {
                assertThatThrownBy(() -> recognizer.model(policy, Kernels.best()))
                        .isInstanceOf(UnmetDemandException.class)
                        .hasMessageStartingWith(site.label() + ": expected at least 17 significand bits for scores");
            }
        }
    }

    /** A forced model runs, and gives wrong answers. */
    @Test
    void aFormatThatIsTooNarrowRunsWhereItIsForced() {
        DyckRecognizer recognizer = recognizer(60, 8, Variant.plain());
        PrecisionPolicy policy = PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BFLOAT16));
        assertThatThrownBy(() -> recognizer.model(policy, Kernels.best())).isInstanceOf(UnmetDemandException.class);
        List<int[]> strings = PrecisionLaw.strings(new Size(60, 8));
        assertThat(wrong(recognizer, recognizer.forced(policy, Kernels.best()), strings))
                .isPositive();
    }

    /** Logits with so small a tolerance need 57 bits, more than binary64 has. */
    @Test
    void aToleranceThatNoFormatHoldsIsRejected() {
        var generator = new DyckGenerator(GenerationProcess.dyck(2, 0.5, 0.9), DyckConstants.of(100, 100), 1e-13);
        assertThatThrownBy(() -> generator.model(Kernels.best()))
                .isInstanceOf(UnmetDemandException.class)
                .hasMessageContaining("got binary64 with 53");
    }
}

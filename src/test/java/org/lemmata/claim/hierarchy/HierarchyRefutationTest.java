package org.lemmata.claim.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.claim.Verdicts.SCALAR;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.claim.hierarchy.RecognizerClaim.Size;
import org.lemmata.construct.hierarchy.DyckConstants;
import org.lemmata.construct.hierarchy.DyckGenerator;
import org.lemmata.construct.hierarchy.DyckRecognizer;
import org.lemmata.construct.hierarchy.ShuffleDyckRecognizer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketLanguage;
import org.lemmata.task.hierarchy.GenerationProcess;

/** The tests that support correct constructions refute wrong ones. */
class HierarchyRefutationTest {

    private static final Statement STATEMENT = new Statement(
            "hierarchy.made-up", new Source(Paper.HIERARCHY, "made up"), Form.AS_STATED, "made up for a test");

    private static void assertRefuted(Finding finding, String reason) {
        assertOutcome(finding, Outcome.REFUTED);
        assertThat(finding.verdict().reason()).contains(reason);
    }

    @Test
    void aRecognizerOfAnotherLanguageIsRefuted() {
        var claim = RecognizerClaim.of(
                ComputedClaim.of(STATEMENT),
                BracketLanguage.DYCK,
                strings -> new ShuffleDyckRecognizer(strings.tokens(), strings.length()),
                Size.OPEN,
                "2,4,0");
        assertRefuted(claim.check(Budget.QUICK, SCALAR), "'(2 (1 )2 )1'");
    }

    @ParameterizedTest
    @CsvSource({"4, 12", "3, 13"})
    void aConstructionOfAnotherSizeIsRefuted(int layers, int width) {
        var claim = RecognizerClaim.of(
                ComputedClaim.of(STATEMENT),
                BracketLanguage.SHUFFLE_DYCK,
                strings -> new ShuffleDyckRecognizer(strings.tokens(), strings.length()),
                new Size(layers, k -> width),
                "2,4,0");
        assertRefuted(claim.check(Budget.QUICK, SCALAR), "k = 2: 3 layers and a width of 12");
    }

    /** Constants for depth 1 distinguish depth 1 from 2, but not 19 from 20. */
    @Test
    void aRecognizerOfTooSmallADepthIsRefuted() {
        var claim = RecognizerClaim.of(
                ComputedClaim.of(STATEMENT),
                BracketLanguage.DYCK,
                strings -> new DyckRecognizer(
                        strings.tokens(), DyckConstants.of(strings.length(), 1), DyckRecognizer.Variant.plain()),
                Size.OPEN,
                "4,40,45");
        assertRefuted(claim.check(Budget.QUICK, SCALAR), "and is a word");
    }

    @Test
    void aGeneratorOfAnotherProcessIsRefuted() {
        var claim = GeneratorClaim.of(
                ComputedClaim.of(STATEMENT),
                BracketLanguage.DYCK,
                (process, words) -> new DyckGenerator(
                        new GenerationProcess(
                                process.language(),
                                process.tokens(),
                                process.q() + 0.01,
                                process.r(),
                                process.opening(),
                                process.closing()),
                        DyckConstants.of(words.length(), words.length()),
                        words.tolerance()),
                Size.OPEN,
                "2,10,5,1e-3");
        assertRefuted(claim.check(Budget.QUICK, SCALAR), "total variation 0.0");
    }

    @Test
    void fewerBitsThanAGeneratorTakesAreRefuted() {
        Map<String, String> given = Map.of("maxLength", "32", "maxDepth", "2", "tolerance", "1e-4");
        Scope scope = GeneratorLaw.CLAIM.scope(Budget.QUICK, given);
        assertRefuted(GeneratorLaw.check(GeneratorLaw.FEWER + 3, scope, SCALAR), "1 more or 3 fewer");
    }

    /** Appendix G.4: whatever a is, no C_1 suffices for all depths; the least one is at e^a = sqrt(D (D - 1)). */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 17, 1000})
    void theLeastConstantOfADepthIsLeastOverAllScales(int depth) {
        double least = HierarchyClaims.leastConstant(depth);
        double best = Math.sqrt(depth * (depth - 1.0));
        for (double scale : new double[] {best / 100, best / 2, best, 2 * best, 100 * best}) {
            double angle = Math.atan(depth / scale) - Math.atan((depth - 1) / scale);
            double needed = 1 / (2 * Math.pow(Math.sin(angle / 2), 2));
            assertThat(least).isLessThanOrEqualTo(needed * (1 + 1e-9));
            assertThat(needed / least < 1 + 1e-6).isEqualTo(scale == best);
        }
        assertThat(least).isGreaterThan(8.0 * depth * (depth - 1));
    }
}

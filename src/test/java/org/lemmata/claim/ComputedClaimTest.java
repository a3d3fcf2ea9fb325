package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/** Claims with a user's settings: values for which the statement holds, and values for which it must fail. */
class ComputedClaimTest {

    static Stream<ComputedClaim> claims() {
        return Claims.all().stream()
                .filter(ComputedClaim.class::isInstance)
                .map(ComputedClaim.class::cast)
                .filter(claim -> !claim.settings().isEmpty());
    }

    static ComputedClaim claim(String id) {
        return (ComputedClaim) Claims.select(List.of(id)).getFirst();
    }

    private static SequencedMap<String, String> given(String settings) {
        var given = new LinkedHashMap<String, String>();
        for (String setting : settings.replace(" by ", "_by_").split(" ", -1)) {
            given.put(
                    setting.substring(0, setting.indexOf('=')),
                    setting.substring(setting.indexOf('=') + 1).replace('_', ' '));
        }
        return given;
    }

    private static ClaimResult test(String id, String settings) {
        return test(id, settings, Computation.unrounded(Kernels.scalar()));
    }

    private static ClaimResult test(String id, String settings, Computation computation) {
        return ClaimResult.of(claim(id), Budget.QUICK, given(settings), computation, Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.theorem-4.1.generalization | N=3                          | SUPPORTED
        depth.theorem-4.1.generalization | N=3 gamma=-1.5               | SUPPORTED
        depth.theorem-4.1.generalization | N=3 gamma=0.5                | NOT_TESTED
        depth.theorem-4.1.memorization   | N=3 gamma=0.25 v=37          | SUPPORTED
        depth.theorem-4.1.loss           | N=9 gamma=-1                 | SUPPORTED
        depth.theorem-4.1.loss           | N=9 gamma=-1 seeds=10        | SUPPORTED
        depth.theorem-4.1.converse       | N=3 gamma=-0.5               | NOT_TESTED
        depth.claim-5.3                  | N=3                          | SUPPORTED
        depth.claim-5.3                  | N=3 v=-0.1                   | NOT_TESTED
        depth.lemma-5.1                  | t=3 n=3 gamma=0.75           | SUPPORTED
        depth.theorem-3.1                | t=4 n=6 epsilon=0.25         | SUPPORTED
        depth.theorem-3.1                | t=4 n=6 seeds=2              | SUPPORTED
        depth.theorem-3.1.loss           | t=4                          | SUPPORTED
        length.simple-task               | omega=3 knots=33             | SUPPORTED
        length.mod-p-task                | period=4 bits=24             | SUPPORTED
        depth.stability                  | n=40                         | SUPPORTED
        depth.lemma-5.2                  | N=3 gamma=0.75 v=0.5,2       | SUPPORTED
        length.hardmax                   | p=7                          | SUPPORTED
        length.logit-margin              | tau=0                        | SUPPORTED
        length.theorem-4.1.string        | e=0.3                        | SUPPORTED
        length.theorem-4.1.bound         | e=0.5 spread=0.1             | SUPPORTED
        depth.theorem-4.1.generalization | N=1..3 gamma=-1/4            | SUPPORTED
        depth.theorem-4.1.loss           | N=2..4 gamma=-1/2 v=-33      | SUPPORTED
        depth.theorem-4.1.loss           | N=4 gamma=-1/2 v=-1          | NOT_TESTED
        depth.figure-2                   | N=2 gamma=1/2                | NOT_TESTED
        depth.stability.printed          | gamma=-1/3                   | REFUTED
        depth.several-types              | N=2 gamma=1/2                | SUPPORTED
        depth.several-types.by-position  | N=9 models=5                 | SUPPORTED
        depth.several-types.completer    | N=2 k=3 words=0              | SUPPORTED
        depth.algorithm-1                | q=2 draws=2000               | SUPPORTED
        depth.theorem-3.1.loss.printed   | t=200                        | SUPPORTED
        length.simple-task.norms         | omega=5..9                   | SUPPORTED
        length.identifiability           | N=32 p=5                     | SUPPORTED
        length.theorem-4.1.string.printed | seeds=50 epsilon=0.04,0.02  | NOT_TESTED
        length.theorem-4.1.bound.printed | C1=2 C2=5                    | REFUTED
        hierarchy.proposition-1          | maxLength=4 distributions=9  | SUPPORTED
        hierarchy.proposition-2          | k=3 q=1/4 r=1/2 maxLength=4  | SUPPORTED
        hierarchy.lemma-1                | k=4 maxLength=4              | SUPPORTED
        hierarchy.theorem-1              | k=5 maxLength=12 strings=9   | SUPPORTED
        hierarchy.theorem-1.printed      | k=1 maxLength=3 strings=0    | NOT_TESTED
        hierarchy.theorem-1.printed      | k=2 maxLength=3 strings=0    | SUPPORTED
        hierarchy.theorem-2              | k=3 maxLength=10 q=0.4       | SUPPORTED
        hierarchy.theorem-1.one-network.printed | depth=3,4              | NOT_TESTED
        hierarchy.proposition-5          | k=2..40                      | SUPPORTED
        hierarchy.proposition-6          | k=2 maxLength=5 length=50    | SUPPORTED
        hierarchy.lemma-10               | weight=0.5                   | NOT_TESTED
        hierarchy.appendix-o.function    | epsilon=1/10                 | NOT_TESTED
        hierarchy.lemma-13               | k=2 maxLength=8              | SUPPORTED
        hierarchy.appendix-p.printed     | k=1 maxLength=2              | NOT_TESTED
        hierarchy.precision-law          | maxLength=20 maxDepth=3      | SUPPORTED
        hierarchy.precision-law.sites    | maxLength=16                 | SUPPORTED
        hierarchy.precision-law.generators | maxLength=8 tolerance=0.1  | SUPPORTED
        parity.theorem-1                 | d=6..7                       | SUPPORTED
        parity.theorem-1.printed         | d=8..40 by 16                | NOT_TESTED
        parity.proposition-3.printed     | d=6                          | REFUTED
        parity.lemma-4                   | d=8 seeds=20                 | SUPPORTED
        parity.lemma-8.printed           | d=16 share=1/2               | SUPPORTED
        parity.lemma-9                   | d=8 seeds=10                 | SUPPORTED
        parity.theorem-5                 | d=16 k=8 n=30000             | SUPPORTED
        parity.theorem-5                 | d=16 k=8 n=500               | NOT_TESTED
        parity.theorem-7                 | d=16 k=8 n=200               | NOT_TESTED
        parity.theorem-7.printed         | d=256 k=4                    | SUPPORTED
        parity.theorem-7.printed         | d=256 k=8 threshold=3/2      | SUPPORTED
        symbol.proposition-4.3           | seeds=2 n=10 beta=1/2        | SUPPORTED
        symbol.lemma-d.1                 | seeds=3                      | REFUTED
        symbol.lemma-d.1                 | seeds=3 s=0                  | SUPPORTED
        symbol.lemma-4.6                 | seeds=3 b1=1 b2=1            | SUPPORTED
        symbol.lemma-4.7                 | seeds=3 longer=1 gamma=0.7   | SUPPORTED
        symbol.claim-e2                  | seeds=10                     | SUPPORTED
        symbol.theorem-i2.kernel         | seeds=2 n=16                 | SUPPORTED
        depth.several-types              | N=2 gamma=-21/64             | SUPPORTED
        symbol.lemma-4.7                 | seeds=5 longer=1 gamma=0     | NOT_TESTED
        symbol.lemma-4.6                 | seeds=10 b1=2 gamma=0        | NOT_TESTED
        symbol.lemma-4.7                 | seeds=5 longer=1 beta=0.01   | NOT_TESTED
        symbol.lemma-4.6                 | seeds=20 b1=8                | NOT_TESTED
        symbol.theorem-5.1               | seeds=8 width=16,64          | NOT_TESTED
        hierarchy.precision-law.formats  | maxDepth=64                  | NOT_TESTED
        parity.lemma-8.printed           | d=4 share=0.25               | NOT_TESTED
        """)
    void aUsersValueIsTestedAndNeverPinned(String id, String settings, Outcome outcome) {
        ClaimResult result = test(id, settings);
        assertThat(result.outcome()).as(result.verdict().reason()).isEqualTo(outcome);
        assertThat(result.tested().settings()).hasSize(given(settings).size());
        assertThat(result.tested().isPinned()).isFalse();
        assertThat(result.measured()).isNotEmpty();
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.stability                  | gamma=-0.25,0.75 t=3         | SUPPORTED
        length.hardmax                   | gamma=0.5 p=4                | SUPPORTED
        length.logit-margin              | p=4 period=3 tau=2           | SUPPORTED
        hierarchy.precision-law.formats  | maxDepth=1                   | SUPPORTED
        """)
    void soAreSlowOnes(String id, String settings, Outcome outcome) {
        aUsersValueIsTestedAndNeverPinned(id, settings, outcome);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.theorem-4.1.generalization | N=0         | N: expected integers from 1 to 128, got '0'
        depth.theorem-4.1.generalization | N=4..x      | N: expected a range such as 1..4, 100..1000 by 100 or
        depth.theorem-4.1.generalization | gamma=1/0   | gamma: expected numbers other than 0, got '1/0'
        depth.theorem-4.1.generalization | n=3         | n: expected one of the settings N, seeds, gamma, v, got 'n'
        depth.theorem-4.1.loss           | N=3 gamma=0 | gamma: expected numbers other than 0, got '0'
        depth.theorem-4.1.loss           | N=3 v=1     | v: expected a finite number with v * gamma above 0, got v = 1.0
        depth.theorem-4.1.loss           | v=1,2       | v: expected one number, got 2
        depth.claim-5.3                  | v=much      | v: expected numbers within (-inf, 0), got 'much'
        length.simple-task               | knots=1     | knots: expected integers from 2 to 65536, got '1'
        depth.stability                  | n=1         | n: expected integers from 2 to 100, got '1'
        depth.lemma-5.2                  | N=1         | N: expected integers from 2 to 8, got '1'
        length.hardmax                   | gamma=0.3   | gamma: expected a multiple of 1/8 from 0.125 to 5, with p / gamma
        length.hardmax                   | gamma=3 p=2 | gamma: expected a multiple of 1/8 from 0.125 to 5, with p / gamma
        length.logit-margin              | tau=3       | tau: expected integers from 0 to 2, got '3'
        length.theorem-4.1.string        | e=0.5,0     | e: expected numbers within [0.02, 1], got '0.5,0'
        length.theorem-4.1.bound         | e=0.01      | e: expected numbers within [0.15, 1], got '0.01'
        length.theorem-4.1.bound         | spread=0    | spread: expected numbers within (0, inf), got '0'
        hierarchy.precision-law          | maxLength=256 maxDepth=256 | maxLength: expected a size for which 24 bits
        length.identifiability           | N=2048      | N: expected integers from 2 to 1024, got '2048'
        depth.several-types              | gamma=0.3   | gamma: expected a multiple of 1/64, so that sums are exact
        length.mod-p-task                | period=256 lengths=100 | lengths: expected one of at least 256, got [100]
        depth.theorem-4.1.converse       | N=1         | N: expected one of at least 2, got 1
        hierarchy.corollary-1            | k=1 maxLength=6 strings=1 | strings: expected some whose first two
        symbol.theorem-5.1               | width=1024  | width: expected at least two, the last the largest, got [1024]
        parity.gradient                  | d=16,8      | d: expected numbers in ascending order, got [16, 8]
        parity.gradient                  | d=4         | d: expected 8, 16, 32, 64, 128, 256, 512, got '4'
        parity.sample-complexity         | d=16,16     | d: expected at least two, the last the largest, got [16, 16]
        parity.sample-complexity         | d=256,512   | d: expected 16, 32, 64, 128, 256, got '256,512'
        hierarchy.theorem-1.one-network.printed | depth=1024,2 | depth: expected at least two, the last the largest
        length.theorem-4.1.string.printed | epsilon=0.05,0.5 | epsilon: expected at least two, the last the smallest
        depth.optimum                    | failure=1e-100 | gamma, failure: expected a bound of at least 1.0E-200
        hierarchy.appendix-o.function    | epsilon=1e-17 | epsilon: expected numbers within [1e-5, 1), got '1e-17'
        hierarchy.proposition-2          | q=1e-150    | q: expected numbers within [1e-30, 1), got '1e-150'
        hierarchy.corollary-2            | r=1e-12 words=1 | q, r: expected a process of which 1 in 100000 words begins
        hierarchy.lemma-10               | weight=0.9999999999 | weight: expected numbers within (0, 0.999], got
        """)
    void whatIsNotLegalIsRefused(String id, String settings, String message) {
        assertThatThrownBy(() -> test(id, settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    /** Giving a default has no effect, and pinned verdicts are for the values of the statements. */
    @ParameterizedTest
    @MethodSource("claims")
    void settingsSayTheirRangeAndDefaultsAreStated(ComputedClaim claim) {
        assertThat(claim.settings()).isNotEmpty().extracting(Setting::name).doesNotHaveDuplicates();
        Scope scope = claim.scope(Budget.QUICK, Map.of());
        assertThat(claim.beyond(scope)).isEmpty();
        for (Setting setting : claim.settings()) {
            assertThat(setting.meaning()).isNotBlank();
            assertThat(setting.numbers() != null || setting.name().equals("file"))
                    .as(setting.name())
                    .isTrue();
            if (!setting.fallback().isEmpty()) {
                Scope same = claim.scope(Budget.QUICK, Map.of(setting.name(), setting.fallback()));
                assertThat(claim.range(same)).isNotBlank();
                assertThat(claim.beyond(same)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.theorem-4.1.generalization | gamma=-0.25    | gamma = -0.25, stated for -1/2
        depth.theorem-4.1.generalization | gamma=-1/2     |
        depth.theorem-4.1.memorization   | gamma=-0.25    |
        depth.theorem-4.1.memorization   | N=4 gamma=-1/2 v=-32 | v gamma <= N², stated for v gamma > N²
        depth.theorem-4.1.converse       | gamma=1/4,-1/4 | gamma = 1/4,-1/4, stated for numbers within (0, inf)
        depth.claim-5.3                  | N=3 v=-100     | v = -100.0, stated for v < -2N² (2N + 1)
        depth.stability                  | gamma=-1/4     | gamma = -1/4, stated for -1/2 and 1/2
        hierarchy.appendix-o.function    | epsilon=1/19   | epsilon = 1/19, stated for numbers within (0, 1/20]
        symbol.lemma-d.1                 | s=0            | s = 0, stated for 1
        """)
    void whatIsBeyondAStatementIsSaid(String id, String settings, @Nullable String beyond) {
        ComputedClaim claim = claim(id);
        assertThat(claim.beyond(claim.scope(Budget.QUICK, given(settings)))).isEqualTo(beyond == null ? "" : beyond);
    }

    /** A given setting is not said to be drawn, and a share of 0.29 of 100 bits is 29. */
    @Test
    void rangesAndNamesAreThoseOfTheGivenSettings() {
        ComputedClaim condition = claim("symbol.lemma-4.7");
        assertThat(condition.range(condition.scope(Budget.QUICK, given("beta=0.5"))))
                .contains("beta 0.5 and gamma 0.25 to 1.5;", "beta and gamma from 1 to 2");
        assertThat(test("parity.lemma-8.printed", "d=100 share=0.29").measured())
                .singleElement()
                .satisfies(each -> assertThat(each.name()).endsWith("k = 29"));
    }

    /** Bounds depend on gamma, and ratios of underflowing numbers are not NaN. */
    @ParameterizedTest
    @CsvSource({"depth.lemma-5.1, 'gamma=0.5,100 t=2 n=5'", "depth.lemma-5.2, v=-1000"})
    void whatIsSupportedIsWithinTheDisplayedBound(String id, String settings) {
        ClaimResult result = test(id, settings);
        assertThat(result.outcome()).isEqualTo(Outcome.SUPPORTED);
        assertThat(result.measured())
                .allSatisfy(each -> assertThat(each.value())
                        .as(each.name())
                        .isLessThanOrEqualTo(
                                Objects.requireNonNull(each.reference()).value()));
    }

    @Test
    void everyComputedClaimWithATestHasSettings() {
        assertThat(Claims.all().stream()
                        .filter(ComputedClaim.class::isInstance)
                        .map(ComputedClaim.class::cast)
                        .filter(claim -> !claim.range(Budget.QUICK).equals("nothing"))
                        .filter(claim -> claim.settings().isEmpty())
                        .map(Claim::id))
                .isEmpty();
    }

    @Test
    void seedsAreAsManyAsAskedFor() {
        ClaimResult result = test("parity.theorem-5", "d=8 k=4 n=300 seeds=3");
        assertThat(result.outcome()).isEqualTo(Outcome.NOT_TESTED);
        assertThat(result.run().seeds()).containsExactly(5_500L, 5_501L, 5_502L);
        assertThat(result.measured()).anySatisfy(each -> {
            assertThat(each.name()).isEqualTo("share of wrong answers, exact, (8, 4, 300)");
            assertThat(each.value())
                    .isBetween(each.interval().low(), each.interval().high());
            assertThat(each.interval().low()).isLessThan(each.interval().high());
        });
    }

    /** A v that bfloat16 can represent is used and reported. If there is none, the error suggests another gamma. */
    @Test
    void underAFormatTheNearestVIsTaken() {
        var bfloat16 = new Computation(
                Kernels.scalar(), Optional.of(PrecisionPolicy.tensors(Rounding.toNearestEven(FloatFormat.BFLOAT16))));
        ClaimResult taken = test("depth.theorem-4.1.loss", "N=3..4 gamma=-1/4", bfloat16);
        assertThat(taken.outcome()).isEqualTo(Outcome.SUPPORTED);
        assertThat(taken.verdict().reason())
                .contains(
                        "used v=-38 instead of -37 at N = 3, v=-66 instead of -65 at N = 4, for which bfloat16 is"
                                + " too narrow",
                        "v (E + B)");
        ClaimResult given = test("depth.theorem-4.1.loss", "N=4 gamma=-1/4 v=-65", bfloat16);
        assertThat(given.outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(given.verdict().reason()).endsWith("got bfloat16 with 8; nearest representable: v=-66");
        assertThat(test("depth.theorem-4.1.loss", "N=4 gamma=-0.3", bfloat16)
                        .verdict()
                        .reason())
                .endsWith("nearest representable: gamma=-0.296875");
        assertThat(test("depth.theorem-4.1.loss", "N=4 gamma=-0.296875", bfloat16)
                        .outcome())
                .isEqualTo(Outcome.SUPPORTED);
    }

    @Test
    void aLargerBudgetAddsItsCases() {
        Cases<Integer> cases = Cases.of("n", row -> row.integer(0), "1; 2", "3");
        Settings none = new Settings(List.of(), Map.of());
        assertThat(cases.text(new Scope(Budget.QUICK, none))).isEqualTo("1; 2");
        assertThat(cases.text(new Scope(Budget.STANDARD, none))).isEqualTo("1; 2; 3");
    }
}

package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.setting.Setting;

/** Claims with a user's settings: values for which the statement holds, and values for which it has to fail. */
class AdjustableClaimTest {

    static Stream<AdjustableClaim> claims() {
        return Claims.all().stream().filter(AdjustableClaim.class::isInstance).map(AdjustableClaim.class::cast);
    }

    private static ClaimResult test(String id, String settings) {
        var given = new LinkedHashMap<String, String>();
        for (String setting : settings.split(" ", -1)) {
            given.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        AdjustableClaim claim =
                claims().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
        return ClaimResult.of(claim, Budget.QUICK, given, Computation.unrounded(Kernels.scalar()), Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.theorem-4.1.generalization | N=3                          | SUPPORTED
        depth.theorem-4.1.generalization | N=3 gamma=-1.5               | SUPPORTED
        depth.theorem-4.1.generalization | N=3 gamma=0.5                | REFUTED
        depth.theorem-4.1.memorization   | N=3 gamma=0.25 v=37          | SUPPORTED
        depth.theorem-4.1.loss           | N=9 gamma=-1                 | SUPPORTED
        depth.theorem-4.1.converse       | N=3 gamma=-0.5               | REFUTED
        depth.claim-5.3                  | N=3                          | SUPPORTED
        depth.claim-5.3                  | N=3 v=-0.1                   | REFUTED
        depth.lemma-5.1                  | t=3 n=3 gamma=0.75           | SUPPORTED
        depth.theorem-3.1                | t=4 n=6 epsilon=0.25         | SUPPORTED
        depth.theorem-3.1.loss           | t=4                          | SUPPORTED
        length.simple-task               | omega=3 knots=33             | SUPPORTED
        length.mod-p-task                | period=4 bits=24             | SUPPORTED
        depth.stability                  | gamma=-0.25,0.75 t=3         | SUPPORTED
        depth.stability                  | n=40                         | SUPPORTED
        depth.lemma-5.2                  | N=3 gamma=0.75 v=0.5,2       | SUPPORTED
        length.hardmax                   | p=7                          | SUPPORTED
        length.hardmax                   | gamma=0.5 p=4                | SUPPORTED
        length.logit-margin              | p=4 period=3 tau=2           | SUPPORTED
        length.logit-margin              | tau=0                        | SUPPORTED
        length.theorem-4.1.string        | e=0.3                        | SUPPORTED
        length.theorem-4.1.bound         | e=0.5 spread=0.1             | SUPPORTED
        """)
    void aUsersValueIsTestedAndNeverPinned(String id, String settings, Outcome outcome) {
        ClaimResult result = test(id, settings);
        assertThat(result.outcome()).as(result.verdict().reason()).isEqualTo(outcome);
        assertThat(result.tested().settings()).hasSize(settings.split(" ", -1).length);
        assertThat(result.tested().isPinned()).isFalse();
        assertThat(result.measured()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        depth.theorem-4.1.generalization | N=0         | N: expected an integer from 1 to 128, got '0'
        depth.theorem-4.1.generalization | n=3         | n: expected one of the settings N, gamma, v, got 'n'
        depth.theorem-4.1.loss           | N=3 gamma=0 | gamma: expected a finite number other than 0, got 0.0
        depth.theorem-4.1.loss           | N=3 v=1     | v: expected v * gamma above N^2 = 9
        depth.claim-5.3                  | v=much      | v: expected a finite number, got 'much'
        length.simple-task               | knots=1     | knots: expected an integer from 2 to 65536, got '1'
        depth.stability                  | n=1         | n: expected an integer from 2 to 100, got '1'
        depth.lemma-5.2                  | N=1         | N: expected an integer from 2 to 8, got '1'
        length.hardmax                   | gamma=0.3   | gamma: expected a multiple of 1/8 from 0.125 to 5, with p / gamma
        length.hardmax                   | gamma=3 p=2 | gamma: expected a multiple of 1/8 from 0.125 to 5, with p / gamma
        length.logit-margin              | tau=3       | tau: expected an integer from 0 to 2, got '3'
        length.theorem-4.1.string        | e=0.5,0     | e: expected numbers from 0.02 to 1, got [0.5, 0.0]
        length.theorem-4.1.bound         | e=0.01      | e: expected a number from 0.15 to 1, got 0.01
        length.theorem-4.1.bound         | spread=0    | spread: expected a number above 0, got 0.0
        """)
    void whatIsNotLegalIsRefused(String id, String settings, String message) {
        assertThatThrownBy(() -> test(id, settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void settingsSayTheirRange(AdjustableClaim claim) {
        assertThat(claim.settings()).isNotEmpty().extracting(Setting::name).doesNotHaveDuplicates();
        assertThat(claim.settings())
                .allSatisfy(setting -> assertThat(setting.meaning()).isNotBlank());
    }

    @Test
    void manyClaimsHaveSettings() {
        assertThat(claims().map(Claim::id)).hasSizeGreaterThanOrEqualTo(16);
    }
}

package org.lemmata.task.depth.logic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TruthTableTest {

    private static TruthTable random(int variables, Random random) {
        long[] words = random.longs(TruthTable.wordCount(variables)).toArray();
        words[0] &= TruthTable.wordMask(variables);
        return TruthTable.of(variables, words);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void operationsAreThoseOfEveryBit(int variables) {
        var random = new Random(variables);
        TruthTable f = random(variables, random);
        TruthTable g = random(variables, random);
        int ones = 0;
        for (int a = 0; a < 1 << variables; a++) {
            assertThat(f.and(g).value(a)).isEqualTo(f.value(a) && g.value(a));
            assertThat(f.or(g).value(a)).isEqualTo(f.value(a) || g.value(a));
            assertThat(f.not().value(a)).isEqualTo(!f.value(a));
            assertThat(TruthTable.constant(variables, true).value(a)).isTrue();
            assertThat(TruthTable.constant(variables, false).value(a)).isFalse();
            for (int i = 0; i < variables; i++) {
                assertThat(TruthTable.variable(variables, i).value(a)).isEqualTo((a >> i & 1) == 1);
            }
            ones += f.value(a) ? 1 : 0;
        }
        assertThat(f.ones()).isEqualTo(ones);
        assertThat(f.not().not()).isEqualTo(f).hasSameHashCodeAs(f).isNotEqualTo(f.not());
        assertThat(TruthTable.of(variables, f.words())).isEqualTo(f);
        assertThat(TruthTable.constant(variables, true).ones()).isEqualTo(1 << variables);
    }

    @Test
    void theBitsAreWrittenAsTheyStand() {
        assertThat(TruthTable.variable(4, 2)).hasToString("f0f0");
        assertThat(TruthTable.variable(2, 0)).hasToString("a");
        assertThat(TruthTable.variable(1, 0)).hasToString("2");
        assertThat(TruthTable.variable(8, 7)).hasToString("f".repeat(32) + "0".repeat(32));
        assertThat(TruthTable.variable(7, 6)).hasToString("f".repeat(16) + "0".repeat(16));
    }

    @Test
    void essentialVariablesAreThoseThatMatter() {
        TruthTable xor = TruthTable.variable(8, 7)
                .and(TruthTable.variable(8, 2).not())
                .or(TruthTable.variable(8, 7).not().and(TruthTable.variable(8, 2)));
        assertThat(xor.essential()).containsExactly(2, 7);
        assertThat(xor.projected(2, 7)).hasToString("6");
        assertThat(xor.projected(0, 2, 7)).hasToString("3c");
        assertThat(TruthTable.constant(8, true).essential()).isEmpty();
    }

    @Test
    void misuseIsRefused() {
        assertRefused(() -> TruthTable.constant(9, true), "variables: expected 1 to 8, got 9");
        assertRefused(() -> TruthTable.of(3, 0x100), "words: expected no bit at or beyond 8, got 0x100");
        assertRefused(() -> TruthTable.of(7, 1), "words: expected 2 longs for 7 variables, got 1");
        assertRefused(() -> TruthTable.variable(3, 3), "variable: expected 0 to 2, got 3");
        assertRefused(
                () -> TruthTable.variable(3, 2).and(TruthTable.variable(4, 2)),
                "table: expected one of 3 variables, got one of 4");
    }
}

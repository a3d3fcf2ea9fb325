package org.lemmata.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VocabularyTest {

    @Test
    void idsAndSymbolsAreInverse() {
        var vocabulary = new Vocabulary(List.of("(1", ")1", "<bos>"));
        assertThat(vocabulary.size()).isEqualTo(3);
        for (int id = 0; id < 3; id++) {
            assertThat(vocabulary.id(vocabulary.symbol(id))).isEqualTo(id);
            assertThat(vocabulary.contains(vocabulary.symbol(id))).isTrue();
        }
        assertThat(vocabulary.contains("(")).isFalse();
        assertThat(vocabulary.symbols()).containsExactly("(1", ")1", "<bos>");
        assertThat(vocabulary).isEqualTo(new Vocabulary(List.of("(1", ")1", "<bos>")));
        assertThat(vocabulary).hasSameHashCodeAs(new Vocabulary(List.of("(1", ")1", "<bos>")));
        assertThat(vocabulary).isNotEqualTo(new Vocabulary(List.of(")1", "(1", "<bos>")));
        assertThat(vocabulary).hasToString("Vocabulary[(1, )1, <bos>]");
    }

    @Test
    void laterChangesOfTheListDoNotReachIt() {
        List<String> symbols = new ArrayList<>(List.of("a"));
        var vocabulary = new Vocabulary(symbols);
        symbols.add("b");
        assertThat(vocabulary.size()).isEqualTo(1);
    }

    @Test
    void symbolsThatAreNotInAreRefused() {
        assertRefused(() -> new Vocabulary(List.of("a", "b")).id("c"), "symbol: expected one of a b, got 'c'");
    }

    @Test
    void doubledAndEmptySymbolsAreRefused() {
        assertRefused(
                () -> new Vocabulary(List.of("a", "b", "a")),
                "symbols: expected distinct symbols that are not empty, got 'a' in [a, b, a]");
        assertRefused(
                () -> new Vocabulary(List.of("")),
                "symbols: expected distinct symbols that are not empty, got '' in []");
    }
}

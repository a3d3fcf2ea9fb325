package org.lemmata.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JmhArgumentsTest {

    private static JmhArguments parse(String text) {
        return JmhArguments.parse(JmhArguments.words(text));
    }

    @Test
    void tellsBenchmarksFromOptions() {
        JmhArguments arguments = parse("Soft.* -jvmArgsAppend \"-Xmx1g -Xbatch\" -wi=2 -f=4 Mat -jvmArgsAppend -Da=b");
        assertThat(arguments.includes()).containsExactly("Soft.*", "Mat");
        assertThat(arguments.forks()).isEqualTo(OptionalInt.of(4));
        assertThat(arguments.options())
                .containsExactly("-jvmArgsAppend", "-Xmx1g -Xbatch", "-wi", "2", "-jvmArgsAppend", "-Da=b");
        assertThat(arguments.listing()).isFalse();
        assertThat(parse("-l Soft").listing()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-f", "-f 0", "-f x", "-wi 1 -wi 2", "-f 1 -f 2", "-rf csv", "-rff=a", "-foe false", "-o a.txt"})
    void refuses(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    /** The word is not taken for a missing value or a benchmark's name, and JMH need not run to reject it. */
    @ParameterizedTest
    @ValueSource(strings = {"--frobnicate", "fast --frobnicate 3", "--frobnicate=3 fast"})
    void namesAnUnknownOption(String text) {
        assertThatThrownBy(() -> parse(text))
                .hasMessageMatching("--frobnicate(=3)?: unknown option; bench --help lists .*");
    }

    @ParameterizedTest
    @CsvSource({
        "-wi 3 -i 5, -wi 1, -i 5 -wi 1",
        "-p n=1 -p m=2, -p n=3, -p m=2 -p n=3",
        "-prof gc, -p n=1, -prof gc -p n=1",
    })
    void optionsOfTheRunTakeThePlaceOfTheLine(String line, String run, String both) {
        assertThat(parse("A -f 2 " + line).overriddenBy(parse("B " + run))).isEqualTo(parse("A -f 2 " + both));
        assertThat(parse("A -f 2").overriddenBy(parse("-f 9")).forks()).hasValue(9);
    }

    @Test
    void splitsWordsAtBlanksOutsideQuotes() {
        assertThat(JmhArguments.words(" a \"b c\"d  \"\" ")).isEqualTo(List.of("a", "b cd", ""));
        assertThatThrownBy(() -> JmhArguments.words("\"a")).hasMessageContaining("closing double quote");
    }
}

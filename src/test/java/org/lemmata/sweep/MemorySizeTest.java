package org.lemmata.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySizeTest {

    @ParameterizedTest
    @CsvSource({
        "1 KiB, 1024",
        "1KiB, 1024",
        "500 MiB, 524288000",
        "2 GiB, 2147483648",
        "999999999 GiB, 1073741822926258176"
    })
    void unitsArePowersOf1024(String text, long bytes) {
        assertThat(MemorySize.parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "500", "500 MB", "0 MiB", "-1 MiB", "1.5 GiB", "1 gib", "GiB", "9999999999 GiB", "1 GiB x"})
    void anythingElseIsNoAmount(String text) {
        assertThat(MemorySize.parse(text)).isEmpty();
    }
}

package org.lemmata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClassSecondsTest {

    /** A class that waits for a parallel stream may run another one. Calls are at 0, 1, 4 and 5 seconds. */
    @Test
    void aClassInsideAnotherIsNotCountedTwice() {
        Iterator<Integer> seconds = List.of(0, 1, 4, 5).iterator();
        var table = new ClassSeconds.Table(() -> {
            int now = seconds.next();
            return new ClassSeconds.Spent(now, now / 2.0);
        });
        table.begin("Outer");
        table.begin("Inner");
        table.end();
        table.end();
        assertThat(table.spent())
                .isEqualTo(Map.of("Outer", new ClassSeconds.Spent(2, 1), "Inner", new ClassSeconds.Spent(3, 1.5)));
    }

    @Test
    void theOrderOfTheLinesIsThatOfTheSeconds() {
        var spent =
                new TreeMap<>(Map.of("A", new ClassSeconds.Spent(9.44, 3), "B", new ClassSeconds.Spent(123.4, 100)));
        assertThat(ClassSeconds.lines(spent, ", 128 bits").stream().sorted())
                .containsExactly("     9.4      3.0  A, 128 bits", "   123.4    100.0  B, 128 bits");
    }
}

package org.lemmata.kernel.matmul;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RaceTest {

    private static final int TRIED = 16 * 8;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesTheWayThatSleepsLess(boolean secondSleeps) throws InterruptedException {
        var race = new Race();
        race.start();
        int second = 0;
        for (int step = 0; step < TRIED; step++) {
            boolean takesSecond = race.takesSecond();
            second += takesSecond ? 1 : 0;
            if (takesSecond == secondSleeps) {
                Thread.sleep(1);
            }
        }
        assertEquals(TRIED / 2, second);
        race.takesSecond();
        assertEquals(!secondSleeps, race.takesSecond());
    }

    @Test
    void beginsAnew() {
        var race = new Race();
        race.start();
        for (int step = 0; step < 2 * TRIED; step++) {
            race.takesSecond();
        }
        race.start();
        assertFalse(race.takesSecond());
    }
}

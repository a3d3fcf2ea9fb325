package org.lemmata.kernel.matmul;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RaceTest {

    private static final int PART = 16;

    private static final int TRIED = 8 * PART;

    private final AtomicLong clock = new AtomicLong();

    private final Race race = new Race(clock::get);

    @BeforeEach
    void start() {
        race.start();
    }

    /** The steps that went the second way, where either way takes so long. */
    private int run(int steps, long first, long second) {
        int seconds = 0;
        for (int step = 0; step < steps; step++) {
            boolean takesSecond = race.takesSecond();
            seconds += takesSecond ? 1 : 0;
            clock.addAndGet(takesSecond ? second : first);
            race.end();
        }
        return seconds;
    }

    @ParameterizedTest
    @CsvSource({"2, 3, 0", "3, 2, 1"})
    void takesTheFasterWayOnceBothWereTried(long first, long second, int winner) {
        assertThat(run(TRIED, first, second)).isEqualTo(TRIED / 2);
        assertThat(run(100, first, second)).isEqualTo(100 * winner);
    }

    @Test
    void aStepThatWasInterruptedDecidesNothing() {
        run(PART, 3, 2);
        clock.addAndGet(-3);
        race.takesSecond();
        clock.addAndGet(1000);
        run(TRIED, 3, 2);
        assertThat(run(100, 3, 2)).isEqualTo(100);
    }

    @Test
    void otherWorkBetweenStepsIsNotCounted() {
        for (int part = 0; part < TRIED / PART; part++) {
            run(PART / 2, 3, 2);
            // Every part of the second way had it.
            clock.addAndGet(part % 2 == 0 ? 0 : 1000);
            race.interrupt();
            run(PART, 3, 2);
        }
        assertThat(run(100, 3, 2)).isEqualTo(100);
    }

    @Test
    void beginsAnew() {
        run(TRIED, 2, 1);
        race.start();
        assertThat(run(TRIED, 20, 30)).isEqualTo(TRIED / 2);
        assertThat(run(100, 20, 30)).isZero();
    }
}

package org.lemmata.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TasksTest {

    static Stream<Task> tasksWithDefaultSettings() {
        return Tasks.CATALOGUE.entries().stream().map(entry -> entry.create(Map.of()));
    }

    @ParameterizedTest
    @MethodSource("tasksWithDefaultSettings")
    void samplesOfEveryTaskAreAccepted(Task task) {
        var random = new Random(3);
        for (int i = 0; i < 200; i++) {
            int[] ids = task.sample(random, task.defaultLength()).inputs();
            assertThat(task.accepts(ids))
                    .as("%s, seed 3, draw %d", task.name(), i)
                    .isTrue();
            assertThat(Arrays.stream(ids)).allMatch(id -> id < task.vocabulary().size());
        }
    }

    @ParameterizedTest
    @MethodSource("tasksWithDefaultSettings")
    void everyTaskIsListedUnderItsOwnName(Task task) {
        Task again = Tasks.CATALOGUE.entry(task.name()).create(Map.of());
        assertThat(again.sample(new Random(1), again.defaultLength()))
                .isEqualTo(task.sample(new Random(1), task.defaultLength()));
    }

    @Test
    void settingsReachTheTask() {
        Task task = Tasks.CATALOGUE.entry("dyck-words").create(Map.of("N", "20", "minDepth", "3"));
        assertThat(task.defaultLength()).isEqualTo(40);
        for (int i = 0; i < 50; i++) {
            assertThat(task.nestingDepth(task.sample(new Random(i), 40).inputs())
                            .orElseThrow())
                    .as("seed %d", i)
                    .isBetween(3, 20);
        }
        assertThat(task.source().citation()).isEqualTo("Richard (2024), section 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "dyck; N; 16; task: expected one of TASKS, got 'dyck'",
                "dyck-words; n; 16; n: expected one of the settings N, minDepth, maxDepth, got 'n'",
                "dyck-words; N; 0; N: expected an integer from 1 to 65536, got '0'",
                "dyck-words; N; many; N: expected an integer from 1 to 65536, got 'many'",
                "dyck-words; N; 99999999999; N: expected an integer from 1 to 65536, got '99999999999'",
                "dyck-words; minDepth; 17; minDepth: expected an integer from 1 to 16, got '17'"
            })
    void whatIsNotKnownIsRefusedInOneLine(String task, String setting, String value, String message) {
        assertRefused(
                () -> Tasks.CATALOGUE.entry(task).create(Map.of(setting, value)),
                message.replace("TASKS", String.join(", ", Tasks.CATALOGUE.names())));
    }
}
